-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, conclusion: paths per second of regeneration in place over those without regeneration, at each depth; and the
-- largest such gain above a depth of 20.
WITH gain AS (
    SELECT a.of_test, a.test, a.device_name, a.pool, a.max_bounces, a.trials || ', ' || b.trials AS trials, a.flags || '|' || b.flags AS flags,
           b.seconds / a.seconds AS gain, b.seconds / a.seconds * sqrt(pow(a.relative_ci, 2) + pow(b.relative_ci, 2)) AS half
    FROM test_setting AS a
    JOIN test_setting AS b ON b.variant = 'pool_refill' AND b.work = a.work AND b.schedule = a.schedule AND b.device_name = a.device_name AND b.pool IS a.pool
    WHERE a.variant = 'tile_regenerate' AND a.as_printed AND a.trace_compaction = 'no' AND a.test <> 'T2' AND a.seconds > 0 AND b.seconds > 0
)
SELECT printf('%s, pool of %d slots, depth %d, %s', of_test, pool, max_bounces, device_name) AS place, flags, trials,
       iif(max_bounces <= 20, gain, NULL) AS short_gain, half AS short_gain_half, iif(max_bounces = 8, gain, NULL) AS gain_at_8,
       half AS gain_at_8_half, NULL AS best_gain, NULL AS best_gain_half
FROM gain
UNION ALL
SELECT printf('%s, pool of %d slots, best above depth 20, %s', of_test, pool, device_name), flags, trials, NULL, NULL, NULL, NULL, max(gain), half
FROM gain
WHERE max_bounces > 20
GROUP BY of_test, device_name, pool
