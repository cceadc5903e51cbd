-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, point 5: checks every second round and a threshold of half, against checks every round without one. What regeneration
-- costs of the frame; lanes that a regeneration fills; live lanes of those that stages are launched over. And how much of the pool each
-- regeneration fills but for the last of a pass, round by round.
WITH rule AS (SELECT * FROM test_counts WHERE variant = 'tile_regenerate' AND as_printed AND trace_compaction = 'no' AND regenerations > 0),
bare AS (
    SELECT * FROM test_counts
    WHERE variant = 'tile_regenerate' AND tile_slots = '256' AND tile_order = 'depth' AND dead_share = 0 AND trace_compaction = 'no' AND regenerate_every = 1 AND
          regenerate_above = 0 AND regenerations > 0
)
SELECT r.place, r.stage_flags || '|' || b.stage_flags AS flags, r.timed || ', ' || b.timed AS trials, b.cost - r.cost AS lower, b.cost_noise + r.cost_noise AS lower_half,
       NULL AS fuller, NULL AS live, NULL AS least
FROM test_stages AS r
JOIN test_stages AS b ON b.work = r.work AND b.schedule = r.schedule AND b.device_name = r.device_name AND b.pool = r.pool AND b.variant = r.variant AND
                         b.tile_slots = '256' AND b.tile_order = 'depth' AND b.dead_share = 0 AND b.trace_compaction = 'no' AND b.regenerate_every = 1 AND
                         b.regenerate_above = 0
WHERE r.variant = 'tile_regenerate' AND r.as_printed AND r.trace_compaction = 'no'
UNION ALL
SELECT r.place, '', r.counted || ', ' || b.counted, NULL, NULL, (1.0 * r.begun / r.regenerations) / (1.0 * b.begun / b.regenerations),
       (1.0 * r.stage_lanes / r.stage_launches) / (1.0 * b.stage_lanes / b.stage_launches), NULL
FROM rule AS r JOIN bare AS b ON b.work = r.work AND b.schedule = r.schedule AND b.pool = r.pool
GROUP BY r.work, r.schedule, r.pool
UNION ALL
SELECT printf('%s, pool of %d slots, %d passes, the least', s.of_test, s.pool, s.spp), '', group_concat(DISTINCT s.counted), NULL, NULL, NULL, NULL, 1.0 * min(p.begun) / s.pool
FROM test_setting AS s
JOIN pipeline_round AS p ON p.trial = s.counted AND p.stage = 'regenerate' AND p.round < s.exact_rounds
WHERE s.variant = 'tile_regenerate' AND s.as_printed AND s.spp = 1 AND p.begun > 0 AND p.queued > p.begun
GROUP BY s.work, s.schedule, s.pool, s.trace_compaction
