-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.4 and Table 3, compaction off: rank correlation of the time of a warp with the paths that live in it, bounces 1 to 8;
-- and its time at bounce 8 over that at bounce 1.
WITH ranked AS (
    SELECT *, rank() OVER (PARTITION BY work, device_name ORDER BY time) - rank() OVER (PARTITION BY work, device_name ORDER BY paths_per_warp) AS distance
    FROM bounce_case WHERE compaction = 'off' AND bounce BETWEEN 1 AND 8 AND time IS NOT NULL
)
SELECT r.place, r.both_words AS flags, r.trials, r.ratio, r.half AS ratio_half,
       (SELECT 1 - 6.0 * sum(pow(distance, 2)) / (8 * 63) FROM ranked AS k WHERE k.work = r.work AND k.device_name = r.device_name) AS correlation
FROM rise AS r
WHERE r.compaction = 'off' AND r.bounce = 8 AND r.base = 1
ORDER BY r.width * r.height, r.place
