-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.5: speedup of whole_frame as dummy arithmetic makes the naive kernel take 1 to 4 times as long, and what is saved in
-- warps. Between measured amounts both frame times are linear, for they go with the amount; their ratio is not.
WITH amount AS (
    SELECT *, first_value(naive_seconds) OVER amounts AS naive_0, min(dummy_flops) OVER amounts AS least
    FROM usual_case WHERE variant = 'whole_frame' AND registers IS 64 AND traversal = 'while_while' AND light_search = 'alias'
    WINDOW amounts AS (PARTITION BY work, device_name, schedule ORDER BY dummy_flops)
),
step AS (                           -- from one amount to the next, by the naive time in terms of that without any
    SELECT *, naive_seconds / naive_0 AS multiple, lag(naive_seconds / naive_0) OVER amounts AS multiple_0, lag(speedup) OVER amounts AS speedup_0,
           lag(speedup_ci) OVER amounts AS ci_0
    FROM amount
    WHERE least = 0
    WINDOW amounts AS (PARTITION BY work, device_name, schedule ORDER BY dummy_flops)
),
wanted AS (SELECT column1 AS multiple FROM (VALUES (1.5), (2.0), (3.0), (4.0))),
point AS (                          -- half: half of the interval
    SELECT s.work, s.device_name, s.schedule, w.multiple,
           w.multiple / (multiple_0 / speedup_0 + (w.multiple - multiple_0) / (s.multiple - multiple_0) *
                                                      (s.multiple / speedup - multiple_0 / speedup_0)) AS speedup,
           max(speedup_0 * ci_0, speedup * speedup_ci) AS half
    FROM step AS s JOIN wanted AS w ON w.multiple > s.multiple_0 AND w.multiple <= s.multiple
    UNION ALL
    SELECT work, device_name, schedule, 1.0, speedup, speedup * speedup_ci FROM step WHERE dummy_flops = 0 AND speedup IS NOT NULL
),
growth AS (                         -- of each point over the one before it, and over the first
    SELECT *, speedup - lag(speedup) OVER points AS step, sqrt(half * half + pow(lag(half) OVER points, 2)) AS step_half,
           speedup - first_value(speedup) OVER points AS rise, sqrt(half * half + pow(first_value(half) OVER points, 2)) AS rise_half
    FROM point
    WINDOW points AS (PARTITION BY work, device_name, schedule ORDER BY multiple)
),
summary AS (
    SELECT work, device_name, schedule, max(iif(multiple = 2, speedup, NULL)) AS twice, max(iif(multiple = 2, half, NULL)) AS twice_half,
           max(iif(multiple = 2, rise, NULL)) AS rise, max(iif(multiple = 2, rise_half, NULL)) AS rise_half,
           min(step) AS step, min(step) - min(step - step_half) AS step_half, max(speedup) AS highest, max(speedup + half) - max(speedup) AS highest_half
    FROM growth
    GROUP BY work, device_name, schedule
)
SELECT a.place, s.twice, s.twice_half, s.rise, s.rise_half, s.step, s.step_half,
       (SELECT max(c.saved) FROM saved AS c WHERE c.work = a.work) - s.highest AS short_of, s.highest_half AS short_of_half,
       group_concat(a.speedup_words, '|') AS flags, group_concat(a.both_trials, ', ') AS trials
FROM amount AS a
LEFT JOIN summary AS s ON s.work = a.work AND s.device_name = a.device_name AND s.schedule = a.schedule
GROUP BY a.work, a.device_name, a.schedule
HAVING count(*) > 1
ORDER BY a.label, a.width
