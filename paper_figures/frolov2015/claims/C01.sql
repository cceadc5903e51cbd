-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, point 4: launches that the order by depth saves from the second pass on, of all launches of these passes. The
-- first pass knows no depths: f, a frame of one sample, is that pass alone, since a pass begins when the one before it has ended.
-- The paper's roulette is by block, and ends whole tiles; without it nearly every tile of a closed scene holds a path that reaches the limit.
SELECT printf('%s, pool of %d tiles, depth %d, %d passes', a.of_test, a.pool / 256, a.max_bounces, a.spp) AS place,
       CASE WHEN a.pool >= a.width * a.height THEN 'the pool holds the whole image' WHEN a.roulette <> 'block' THEN 'roulette is not by block, as the paper''s is' ELSE '' END AS excluded, a.counted || ', ' || b.counted AS trials,
       1.0 * (b.launches - a.launches) / (b.launches - f.launches) AS saved
FROM test_setting AS a
JOIN test_setting AS b ON b.variant = a.variant AND b.tile_order = 'rows' AND b.work = a.work AND b.schedule = a.schedule AND b.pool = a.pool AND
                          b.tile_slots = a.tile_slots AND b.regenerate_every = a.regenerate_every AND b.regenerate_above = a.regenerate_above AND
                          b.regenerate_of = a.regenerate_of AND b.trace_compaction = a.trace_compaction
LEFT JOIN test_setting AS f ON f.spp = 1 AND f.variant = a.variant AND f.tile_order = 'rows' AND f.scene = a.scene AND f.roulette = a.roulette AND
                               f.width = a.width AND f.height = a.height AND f.seed = a.seed AND f.max_bounces = a.max_bounces AND f.materials = a.materials AND
                               f.schedule = a.schedule AND f.device_name = a.device_name AND f.pool = a.pool AND f.tile_slots = a.tile_slots AND
                               f.regenerate_every = a.regenerate_every AND f.regenerate_above = a.regenerate_above AND
                               f.regenerate_of = a.regenerate_of AND f.trace_compaction = a.trace_compaction
WHERE a.variant = 'tile_regenerate' AND a.as_printed AND a.spp > 1 AND a.test <> 'T2' AND a.launches > 0 AND b.launches > 0
GROUP BY a.work, a.schedule, a.pool, a.trace_compaction
ORDER BY a.test, a.max_bounces, a.pool
