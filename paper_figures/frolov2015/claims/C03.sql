-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, premise: speed with a share of the pool's tiles dead in one gap, over that of the same tiles without it.
SELECT printf('%s, %d %% of %d slots dead, depth %d, %s', a.of_test, a.dead_share, a.pool * 100 / (100 - a.dead_share), a.max_bounces, a.device_name) AS place,
       a.flags || '|' || b.flags AS flags, a.trials || ', ' || b.trials AS trials,
       iif(a.dead_share = 25, b.seconds / a.seconds, NULL) AS at_quarter, b.seconds / a.seconds * sqrt(pow(a.relative_ci, 2) + pow(b.relative_ci, 2)) AS at_quarter_half,
       iif(a.dead_share = 50, b.seconds / a.seconds, NULL) AS at_half, b.seconds / a.seconds * sqrt(pow(a.relative_ci, 2) + pow(b.relative_ci, 2)) AS at_half_half
FROM test_setting AS a
JOIN test_setting AS b ON b.variant = a.variant AND b.as_printed AND b.trace_compaction = a.trace_compaction AND b.work = a.work AND b.schedule = a.schedule AND
                          b.device_name = a.device_name AND b.pool = a.pool
WHERE a.variant = 'tile_regenerate' AND a.dead_share IN (25, 50) AND a.dead_places = 'together' AND a.tile_slots = '256' AND a.tile_order = 'depth' AND
      a.regenerate_every = 2 AND a.regenerate_above = 50 AND a.regenerate_of = 'live' AND a.seconds > 0 AND b.seconds > 0
