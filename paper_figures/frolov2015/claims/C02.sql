-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, point 6: time of the two stages that trace rays without and with compaction in their blocks, as a mean over
-- the four tests; the same of the stage trace where all lanes live, at a depth of 0; warps of 1 to 7 live lanes in that stage, with over without.
WITH pair AS (
    SELECT a.test, a.roulette, a.place, a.max_bounces, a.device_name, a.pool, a.stage_flags || '|' || b.stage_flags AS flags, a.timed || ', ' || b.timed AS trials,
           b.rays_seconds / a.rays_seconds AS gain, a.rays_noise + b.rays_noise AS noise, a.trace / b.trace - 1 AS cost, a.trace_noise + b.trace_noise AS cost_noise
    FROM test_stages AS a
    JOIN test_stages AS b ON b.variant = a.variant AND b.as_printed AND b.trace_compaction = 'no' AND b.work = a.work AND b.schedule = a.schedule AND
                             b.device_name = a.device_name AND b.pool = a.pool
    WHERE a.variant = 'tile_regenerate' AND a.as_printed AND a.trace_compaction = 'yes'
)
SELECT printf('mean of T1 to T4%s, pool of %s slots, depth %d, %s', iif(roulette IN ('thread', 'warp', 'block'), ', roulette by ' || roulette, ''), coalesce(pool, 'auto'), max_bounces, device_name) AS place, group_concat(flags, '|') AS flags,
       group_concat(trials, ', ') AS trials, avg(gain) AS mean_gain, avg(gain * noise) AS mean_gain_half, NULL AS cost, NULL AS cost_half, NULL AS sparse
FROM pair
WHERE max_bounces > 0
GROUP BY device_name, roulette, pool, max_bounces
HAVING count(DISTINCT test) = 4
UNION ALL
SELECT 'all lanes live: ' || place, flags, trials, NULL, NULL, cost, cost_noise, NULL FROM pair WHERE max_bounces = 0
UNION ALL
SELECT a.place, '', a.counted || ', ' || b.counted, NULL, NULL, NULL, NULL, 1.0 * a.sparse_warps / b.sparse_warps
FROM test_counts AS a
JOIN test_counts AS b ON b.variant = a.variant AND b.as_printed AND b.trace_compaction = 'no' AND b.work = a.work AND b.schedule = a.schedule AND b.pool = a.pool
WHERE a.variant = 'tile_regenerate' AND a.as_printed AND a.trace_compaction = 'yes' AND a.max_bounces > 0 AND b.sparse_warps > 0
GROUP BY a.work, a.schedule, a.pool
