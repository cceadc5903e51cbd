-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, comparison: share of the frame that regeneration in place costs less than streaming at the interval whose
-- number of regenerations is nearest; and how many of tiles, order by depth and threshold cost more, beyond the noise, on most of the tests where they are left out.
WITH without AS (
    SELECT o.device_name, o.roulette, o.pool, o.max_bounces, o.test, iif(o.tile_slots = '1', 'tiles', iif(o.tile_order = 'rows', 'order', 'threshold')) AS part,
           o.cost - b.cost - o.cost_noise - b.cost_noise AS rise, o.stage_flags || '|' || b.stage_flags AS flags, o.timed || ', ' || b.timed AS trials
    FROM test_stages AS o
    JOIN test_stages AS b ON b.variant = o.variant AND b.as_printed AND b.trace_compaction = o.trace_compaction AND b.work = o.work AND b.schedule = o.schedule AND
                             b.device_name = o.device_name AND b.pool = o.pool
    WHERE o.variant = 'tile_regenerate' AND o.test <> 'T2' AND o.dead_share = 0 AND o.trace_compaction = 'no' AND o.regenerate_every = 2 AND
          o.regenerate_of = 'live' AND (o.tile_slots = '1') + (o.tile_order = 'rows') + (o.regenerate_above = 0) = 1 AND
          o.tile_slots IN ('1', '256') AND o.regenerate_above IN (0, 50)
),
part AS (
    SELECT device_name, roulette, pool, max_bounces, part, 2 * sum(rise > 0) > count(*) AS costs_more, count(DISTINCT test) AS tests, group_concat(flags, '|') AS flags,
           group_concat(trials, ', ') AS trials
    FROM without
    GROUP BY device_name, roulette, pool, max_bounces, part
)
SELECT place, flags, excluded, trials, stream_cost - tile_cost AS lower, cost_noise AS lower_half, NULL AS reasons
FROM alike_launches
WHERE test <> 'T2'
UNION ALL
SELECT printf('pool of %d slots, depth %d%s, %s: %s', pool, max_bounces, iif(roulette IN ('thread', 'warp', 'block'), ', roulette by ' || roulette, ''), device_name, coalesce(group_concat(iif(costs_more, part, NULL), ', '), 'none')),
       group_concat(flags, '|'), '', group_concat(trials, ', '), NULL, NULL, sum(costs_more)
FROM part
GROUP BY device_name, roulette, pool, max_bounces
HAVING count(*) = 3 AND min(tests) = 3
