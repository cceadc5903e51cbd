-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.2: share of compaction, and of all waiting between launches, in a frame of whole_frame. Its interval is from the
-- shares of the replicates.
WITH wanted AS MATERIALIZED (
    SELECT * FROM faithful WHERE variant = 'whole_frame' AND times_as AND unthrottled AND max_bounces = 8
),
replicate AS (
    SELECT t.setting, (SELECT sum(iif(l.auxiliary, l.seconds, 0)) FROM timed_launch AS l WHERE l.attempt = a.attempt) +
                      (SELECT sum(gap_seconds) FROM repetition AS r WHERE r.attempt = a.attempt) AS beside,
           (SELECT sum(iif(l.auxiliary, 0, l.seconds)) FROM timed_launch AS l WHERE l.attempt = a.attempt) AS path
    FROM wanted AS f
    CROSS JOIN trial_record AS t ON t.setting = f.setting
    CROSS JOIN result AS a ON a.trial = t.id AND a.collection = 'launches'
    ORDER BY a.attempt
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
    SELECT f.*, p.times, p.replicates, p.compaction_share, h.ci, w.reason, x.underfilled,
           row_number() OVER (PARTITION BY f.work, f.device_name ORDER BY p.times IS NOT 1, f.newest DESC) AS nth
    FROM wanted AS f
    JOIN state AS w ON w.setting = f.setting AND w.collection = 'launches' AND NOT w.outdated
    LEFT JOIN parts AS p ON p.setting = f.setting
    LEFT JOIN half AS h ON h.setting = f.setting
    LEFT JOIN frame_waves AS x ON x.setting = f.setting
)
SELECT place || ', ' || device_name AS place, trim(iif(fitted, 'fitted', '') || iif(underfilled, '|underfilled', ''), '|') AS excluded,
       CASE WHEN times IS NULL THEN reason WHEN NOT times THEN 'untimed' ELSE iif(replicates < 5, 'few_replicates', '') END AS flags, trials,
       iif(times, 100 * compaction_share, NULL) AS share, iif(times, 100 * compaction_share * (1 - ci), NULL) AS share_low,
       iif(times, 100 * compaction_share * (1 + ci), NULL) AS share_high
FROM cell WHERE nth = 1
ORDER BY width * height, place_in_paper, place
