-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.2: share of compaction, and of all waiting between launches, in a frame of whole_frame. Its interval is from the
-- shares of the replicates.
WITH chosen AS MATERIALIZED (       -- one setting of each scene, size and device
    SELECT *
    FROM (SELECT f.*, p.times, p.replicates, p.compaction_share, w.reason, x.underfilled,
                 row_number() OVER (PARTITION BY f.work, f.device_name ORDER BY p.times IS NOT 1, f.newest DESC) AS nth
          FROM faithful AS f
          JOIN state AS w ON w.setting = f.setting AND w.collection = 'launches' AND NOT w.outdated
          LEFT JOIN frame_parts AS p ON p.setting = f.setting
          LEFT JOIN frame_waves AS x ON x.setting = f.setting
          WHERE f.variant = 'whole_frame' AND f.times_as AND f.unthrottled AND f.max_bounces = 8)
    WHERE nth = 1
),
taken AS MATERIALIZED (
    SELECT c.setting, a.attempt, (SELECT sum(gap_seconds) FROM repetition AS r WHERE r.attempt = a.attempt) AS gaps
    FROM chosen AS c
    CROSS JOIN trial_record AS t ON t.setting = c.setting
    CROSS JOIN result AS a ON a.trial = t.id AND a.collection = 'launches'
),
one AS (                            -- as the view timed_launch, which makes the launches of all attempts before any is chosen
    SELECT t.*, l.auxiliary, l.seconds FROM taken AS t CROSS JOIN launch AS l ON l.attempt = t.attempt
    UNION ALL
    SELECT t.*, l.auxiliary, x.nanoseconds / 1e9
    FROM taken AS t
    CROSS JOIN launch_time AS x ON x.attempt = t.attempt
    CROSS JOIN launch AS l ON l.attempt = x.attempt AND l.repetition = 0 AND l.number = x.number
),
replicate AS MATERIALIZED (
    SELECT setting, sum(iif(auxiliary, seconds, 0)) + gaps AS beside, sum(iif(auxiliary, 0, seconds)) AS path FROM one GROUP BY attempt
),
spread AS (
    SELECT setting, count(*) AS n, avg(beside / (path + beside)) AS mean,
           avg(pow(beside / (path + beside), 2)) - pow(avg(beside / (path + beside)), 2) AS variance
    FROM replicate GROUP BY setting
),
half AS (
    SELECT setting, (SELECT t FROM student_t WHERE degrees <= n - 1 ORDER BY degrees DESC LIMIT 1) * sqrt(max(variance, 0) / (n - 1)) / mean AS ci
    FROM spread WHERE n > 1
),
cell AS (
    SELECT c.*, h.ci FROM chosen AS c LEFT JOIN half AS h ON h.setting = c.setting
)
SELECT place || ', ' || device_name AS place, trim(iif(fitted, 'fitted', '') || iif(underfilled, '|underfilled', ''), '|') AS excluded,
       CASE WHEN times IS NULL THEN reason WHEN NOT times THEN 'untimed' ELSE iif(replicates < 5, 'few_replicates', '') END AS flags, trials,
       iif(times, 100 * compaction_share, NULL) AS share, iif(times, 100 * compaction_share * (1 - ci), NULL) AS share_low,
       iif(times, 100 * compaction_share * (1 + ci), NULL) AS share_high
FROM cell
ORDER BY width * height, place_in_paper, place
