-- SPDX-License-Identifier: MIT
-- Wald 2011, Table 3: how the time per warp rises with the bounce, compaction on: rank correlation, bounce 8 over bounce 1, and the
-- largest over the smallest from bounce 2 on.
WITH ranked AS (
    SELECT *, rank() OVER (PARTITION BY work, device_name ORDER BY time) - 1 AS rank FROM bounce_case WHERE compaction = 'on' AND time IS NOT NULL
),
whole AS (
    SELECT work, device_name, count(*) AS bounces, 1 - 6.0 * sum(pow(rank - bounce, 2)) / (count(*) * (count(*) * count(*) - 1)) AS correlation,
           max(iif(bounce >= 2, time, NULL)) / min(iif(bounce >= 2, time, NULL)) AS range, max(underfilled) AS underfilled,
           max(iif(bounce = 8, time, NULL)) / max(iif(bounce = 1, time, NULL)) AS rise,
           sqrt(sum(iif(bounce IN (1, 8), ci * ci, NULL))) AS ci
    FROM ranked GROUP BY work, device_name HAVING count(*) = 9
)
SELECT c.place, trim(iif(c.fitted, 'fitted', '') || iif(w.underfilled, '|bounce_idle', ''), '|') AS excluded, c.weak AS flags, c.trials,
       w.correlation, w.rise, w.rise * (1 - w.ci) AS rise_low, w.rise * (1 + w.ci) AS rise_high, w.range
FROM bounce_case AS c
LEFT JOIN whole AS w ON w.work = c.work AND w.device_name = c.device_name
WHERE c.compaction = 'on' AND c.bounce = 8
ORDER BY c.width * c.height, c.place
