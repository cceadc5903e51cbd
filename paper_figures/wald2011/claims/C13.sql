-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.2: share of compaction in a frame of whole_frame: of its kernels, and with all waiting between launches. Intervals are
-- from the shares of the replicates.
WITH chosen AS MATERIALIZED (       -- one setting of each scene, size and device
    SELECT *
    FROM (SELECT f.*, p.times, p.replicates, 100 * p.compaction_share AS share, 100 * p.auxiliary_seconds / p.parts_seconds AS kernels, w.reason, x.underfilled,
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
    SELECT setting, sum(iif(auxiliary, seconds, 0)) / (sum(seconds) + gaps) AS kernels, (sum(iif(auxiliary, seconds, 0)) + gaps) / (sum(seconds) + gaps) AS share
    FROM one GROUP BY attempt
),
spread AS (                         -- the square of a mean's standard error, in terms of it
    SELECT setting, count(*) - 1 AS degrees, max(avg(kernels * kernels) / pow(avg(kernels), 2) - 1, 0) / (count(*) - 1) AS kernels,
           max(avg(share * share) / pow(avg(share), 2) - 1, 0) / (count(*) - 1) AS share
    FROM replicate GROUP BY setting
),
half AS (                           -- of its interval
    SELECT setting, sqrt(kernels) * t AS kernels, sqrt(share) * t AS share
    FROM (SELECT *, (SELECT t FROM student_t AS x WHERE x.degrees <= s.degrees ORDER BY x.degrees DESC LIMIT 1) AS t FROM spread AS s)
)
SELECT place || ', ' || device_name AS place, trials,
       iif(fitted, 'fitted|', '') || iif(underfilled, 'underfilled|', '') ||
           CASE WHEN times IS NULL THEN reason WHEN NOT times THEN 'untimed' ELSE iif(replicates < 5, 'few_replicates', '') END AS flags,
       iif(times, c.kernels, NULL) AS kernels, iif(times, c.kernels * s.kernels, NULL) AS kernels_half,
       iif(times, c.share, NULL) AS share, iif(times, c.share * s.share, NULL) AS share_half
FROM chosen AS c LEFT JOIN half AS s ON s.setting = c.setting
ORDER BY width * height, place_in_paper, place
