-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015: the query of each claim, under its id; of several parts where its cases are of several kinds. A row is a case;
-- what names it is said in claims.yaml. The views are those of common.sql and roulette.sql.

-- [C01]
-- Point 4: launches that the order by depth saves from the second pass on, of all launches of these passes. The first pass knows no depths: f,
-- a frame of one sample, is that pass alone, since a pass begins when the one before it has ended. The paper's roulette is by block, and ends
-- whole tiles; without it nearly every tile of a closed scene holds a path that reaches the limit.
SELECT a.of_test, a.test AS vote, a.pool / 256 AS tiles, a.max_bounces, a.spp,
       iif(a.pool >= a.width * a.height, 'whole_image', iif(a.roulette <> 'block', 'not_by_block', '')) AS excluded,
       a.counted || ', ' || b.counted AS trials, 1.0 * (b.launches - a.launches) / (b.launches - f.launches) AS saved
FROM test_setting AS a
JOIN test_setting AS b USING (variant, work, schedule, pool, tile_slots, regenerate_every, regenerate_above, regenerate_of, trace_compaction)
LEFT JOIN test_setting AS f
ON f.spp = 1 AND f.variant = a.variant AND f.tile_order = 'rows' AND f.scene = a.scene AND f.roulette = a.roulette AND f.width = a.width AND
   f.height = a.height AND f.seed = a.seed AND f.max_bounces = a.max_bounces AND f.materials = a.materials AND f.schedule = a.schedule AND
   f.device_name = a.device_name AND f.pool = a.pool AND f.tile_slots = a.tile_slots AND f.regenerate_every = a.regenerate_every AND
   f.regenerate_above = a.regenerate_above AND f.regenerate_of = a.regenerate_of AND f.trace_compaction = a.trace_compaction
WHERE a.variant = 'tile_regenerate' AND a.as_printed AND b.tile_order = 'rows' AND a.spp > 1 AND a.test <> 'T2' AND a.launches > 0 AND
      b.launches > 0
GROUP BY a.work, a.schedule, a.pool, a.trace_compaction
ORDER BY a.test, a.max_bounces, a.pool

-- [C02]
-- Point 6: time of the two stages that trace rays without and with compaction in their blocks, as a mean over the four tests.
SELECT 'mean' AS vote, roulette = 'block' AS literal, roulette_by, pool, max_bounces, device_name, group_concat(flags, '|') AS flags,
       group_concat(trials, ', ') AS trials, avg(gain) AS mean_gain, avg(gain * noise) AS mean_gain_half
FROM compaction_pair
WHERE max_bounces > 0
GROUP BY device_name, roulette, pool, max_bounces
HAVING count(DISTINCT test) = 4
-- [C02]
-- the same of the stage trace where all lanes live, at a depth of 0
SELECT place AS live_place, flags, trials, cost, cost_noise AS cost_half FROM compaction_pair WHERE max_bounces = 0
-- [C02]
-- warps with dead lanes in that stage, with over without; and those of 1 to 7 live lanes. Each test counts once.
SELECT a.place, a.test AS vote, a.roulette = 'block' AS literal, a.counted || ', ' || b.counted AS trials, 1.0 * a.partial_warps / b.partial_warps AS partial,
       1.0 * a.sparse_warps / b.sparse_warps AS sparse
FROM test_counts AS a
JOIN test_counts AS b USING (variant, work, schedule, pool)
WHERE a.variant = 'tile_regenerate' AND a.as_printed AND a.trace_compaction = 'yes' AND b.as_printed AND b.trace_compaction = 'no' AND
      a.max_bounces > 0 AND b.partial_warps > 0 AND b.sparse_warps > 0
GROUP BY a.work, a.schedule, a.pool

-- [C03]
-- Premise: speed with a share of the pool's tiles dead in one gap, over that of the same tiles without it.
SELECT a.of_test, a.test AS vote, a.roulette = 'block' AS literal, a.dead_share, a.pool * 100 / (100 - a.dead_share) AS slots, a.max_bounces,
       a.device_name, a.flags || '|' || b.flags AS flags, a.trials || ', ' || b.trials AS trials,
       iif(a.dead_share = 25, b.seconds / a.seconds, NULL) AS at_quarter,
       b.seconds / a.seconds * quadrature(a.relative_ci, b.relative_ci) AS at_quarter_half,
       iif(a.dead_share = 50, b.seconds / a.seconds, NULL) AS at_half,
       b.seconds / a.seconds * quadrature(a.relative_ci, b.relative_ci) AS at_half_half
FROM test_setting AS a
JOIN test_setting AS b USING (variant, trace_compaction, work, schedule, device_name, pool)
WHERE a.variant = 'tile_regenerate' AND b.as_printed AND a.dead_share IN (25, 50) AND a.dead_places = 'together' AND a.tile_slots = '256' AND
      a.tile_order = 'depth' AND a.regenerate_every = 2 AND a.regenerate_above = 50 AND a.regenerate_of = 'live' AND a.seconds > 0 AND
      b.seconds > 0

-- [C04]
-- Points 1 and 2: slots of the pool for each of the elements that a check of it looks at, by tiles and, beside, by slots; over all settings of
-- all pools of a test.
SELECT s.test, s.test AS vote, s.variant, iif(s.pool > s.width * s.height, 'pool_larger', '') AS excluded, group_concat(DISTINCT s.counted) AS trials,
       iif(s.variant = 'tile_regenerate', 1.0 * sum(s.pool * r.launches) / sum(r.live_lanes), NULL) AS fewer,
       iif(s.variant = 'tile_regenerate', NULL, 1.0 * sum(s.pool * r.launches) / sum(r.live_lanes)) AS fewer_by_slots
FROM test_setting AS s
JOIN pipeline_round AS r ON r.trial = s.counted AND r.stage IN ('check', 'flag')
WHERE (s.variant = 'tile_regenerate' AND s.tile_slots = '256' OR s.variant = 'stream_compact' AND s.storage = 'indices') AND s.pool IS NOT NULL
GROUP BY s.variant, s.test, s.pool > s.width * s.height
HAVING sum(r.live_lanes) > 0
ORDER BY s.variant DESC, s.test
-- [C04]
-- time of checks and regeneration by tiles, without the selection of dead tiles and with it, over that of flags, selection and regeneration by
-- streaming, where both regenerate as often
SELECT place, test AS vote, roulette = 'block' AS literal, flags, excluded, tile_times, stream_times, trials, spent, spent_noise AS spent_half,
       spent_selecting, selecting_noise AS spent_selecting_half
FROM alike_launches

-- [C05]
-- Comparison: what regeneration gains in the stages that process paths, in place and by streaming at the interval whose number of
-- regenerations is nearest; how far the two are apart.
SELECT place, test AS vote, roulette = 'block' AS literal, flags, excluded, tile_times, stream_times, trials,
       abs(tile_gain - stream_gain) AS apart, noise AS apart_half
FROM alike_launches
WHERE test IN ('T3', 'T4') AND tile_gain IS NOT NULL

-- [C06]
-- Comparison: share of the frame that regeneration in place costs more than streaming at the interval whose number of regenerations is nearest.
SELECT place, test AS vote, roulette = 'block' AS literal, flags, excluded, tile_times, stream_times, trials,
       tile_cost - stream_cost AS higher, cost_noise AS higher_half
FROM alike_launches
WHERE test <> 'T2'
-- [C06]
-- how many of tiles, order by depth and threshold cost more, beyond the noise, on most of the tests where they are left out
WITH without AS (
    SELECT o.device_name, o.roulette, o.roulette_by, o.pool, o.max_bounces, o.test,
           iif(o.tile_slots = '1', 'tiles', iif(o.tile_order = 'rows', 'order', 'threshold')) AS part,
           o.cost - b.cost - o.cost_noise - b.cost_noise AS rise, o.stage_flags || '|' || b.stage_flags AS flags,
           o.timed || ', ' || b.timed AS trials
    FROM test_stages AS o
    JOIN test_stages AS b USING (variant, trace_compaction, work, schedule, device_name, pool)
    WHERE o.variant = 'tile_regenerate' AND b.as_printed AND o.test <> 'T2' AND o.dead_share = 0 AND o.trace_compaction = 'no' AND
          o.regenerate_every = 2 AND o.regenerate_of = 'live' AND
          (o.tile_slots = '1') + (o.tile_order = 'rows') + (o.regenerate_above = 0) = 1 AND
          o.tile_slots IN ('1', '256') AND o.regenerate_above IN (0, 50)
),
part AS (
    SELECT device_name, roulette, roulette_by, pool, max_bounces, part, 2 * sum(rise > 0) > count(*) AS costs_more,
           count(DISTINCT test) AS tests, group_concat(flags, '|') AS flags, group_concat(trials, ', ') AS trials
    FROM without
    GROUP BY device_name, roulette, pool, max_bounces, part
)
SELECT pool, max_bounces, roulette_by, device_name, group_concat(iif(costs_more, part, NULL), ', ') AS reasons_found,
       group_concat(flags, '|') AS flags, group_concat(trials, ', ') AS trials, sum(costs_more) AS reasons
FROM part
GROUP BY device_name, roulette, pool, max_bounces
HAVING count(*) = 3 AND min(tests) = 3

-- [C07]
-- Conclusion: paths per second of regeneration over those without, at each depth, of one setting each. Regeneration in place as printed and under
-- the paper's roulette decides, each test once a depth; other settings stand beside it.
SELECT how || ', ' || place AS place, test || ', ' || max_bounces AS vote, nearness AS literal, flags, trials,
       iif(max_bounces <= 20, gain, NULL) AS short_gain, half AS short_gain_half, iif(max_bounces = 8, gain, NULL) AS gain_at_8,
       half AS gain_at_8_half
FROM own_gain
-- [C07]
-- the largest such gain above a depth of 20, where more than one such depth was measured
SELECT how || ', ' || place AS largest_place, test AS vote, nearness AS literal, flags, trials, max(gain) AS best_gain, half AS best_gain_half
FROM own_gain
WHERE max_bounces > 20
GROUP BY how, of_test, device_name, pool, block, spp
HAVING count(*) > 1

-- [C08]
-- Conclusion: what regeneration gains at Wald's depth of 8, in place and by streaming: through indices every 4 or 8 rounds, as in the paper; its
-- other settings stand beside. Each test counts once.
SELECT iif(variant = 'tile_regenerate', 'in place, ', 'streaming every ' || compact_every || iif(storage = 'move', ', paths moved', '') || ', ') || place
           AS place, test AS vote, by_block + 2 * (variant = 'stream_compact' AND compact_every IN (4, 8) AND storage = 'indices') AS literal,
       flags, trials, iif(variant = 'tile_regenerate', gain, NULL) AS in_place, half AS in_place_half,
       iif(variant = 'tile_regenerate', NULL, gain) AS streaming, half AS streaming_half
FROM test_gain
WHERE variant <> 'thread_regenerate' AND over = 'pool_refill' AND trace_compaction = 'no' AND max_bounces = 8
ORDER BY test, variant DESC

-- [C09]
-- Conclusion: a pool without regeneration under roulette by warp or by block against streaming, in its best setting, under roulette by thread:
-- utilisation over all bounces.
SELECT of_scene, roulette, max_bounces, extensions, over_extensions, device_name,
       test || ', ' || roulette AS vote, iif(abs(extensions / over_extensions - 1) > 0.1, 'unequal_paths|', '') ||
           iif((SELECT count(DISTINCT test) FROM coarse_roulette WHERE spp > 1 AND abs(extensions / over_extensions - 1) <= 0.1) < 4, 'few_tests', '')
           AS excluded, counted || ', ' || over_counted AS trials,
       iif(roulette = 'warp', min(util), NULL) AS by_warp, iif(roulette = 'block', min(util), NULL) AS by_block
FROM coarse_roulette
WHERE spp > 1
GROUP BY roulette, of_scene, max_bounces, width, height, schedule, pool, seed, device_name
-- [C09]
-- paths per second over the variance of a path, of the better of both
SELECT 'speed' AS of_what, of_scene, max_bounces, device_name, flags, trials, max(worth) AS worth, worth * relative_ci AS worth_half
FROM (SELECT *, min(worth) AS worth FROM coarse_roulette
      GROUP BY roulette, of_scene, max_bounces, width, height, spp, schedule, pool, seed, device_name)
WHERE worth IS NOT NULL
GROUP BY of_scene, max_bounces, width, height, spp, schedule, pool, seed, device_name
-- [C09]
SELECT place, trials, sigmas FROM roulette_bias WHERE roulette IN ('warp', 'block') AND test IS NOT NULL

-- [C10]
-- Relations: in closed, diffuse scenes the share of active warps with fewer than a quarter of their lanes, under roulette by thread less without
-- any, bounce by bounce.
WITH share AS (
    SELECT a.trial, c.bounce, 1.0 * sum(c.sparse_warps) / sum(c.active_warps) AS sparse
    FROM result AS a
    CROSS JOIN bounce_counts AS c ON c.attempt = a.attempt
    WHERE a.collection = 'counts' AND a.trial IN (SELECT counted FROM roulette_setting) AND c.bounce >= 3
    GROUP BY a.trial, c.bounce
    HAVING sum(c.active_warps) > 0
)
SELECT p.of_scene, p.scene AS vote, a.bounce, p.device_name, p.counted || ', ' || p.over_counted AS trials,
       a.sparse - b.sparse AS more_sparse
FROM roulette_pair AS p
JOIN share AS a ON a.trial = p.counted
JOIN share AS b ON b.trial = p.over_counted AND b.bounce = a.bounce
WHERE p.variant = 'pool_refill' AND p.over_variant = 'pool_refill' AND p.roulette = 'thread' AND p.over = 'none' AND
      p.scene IN ('cornell', 'closed_box', 'closed_varied') AND p.spp > 1
-- [C10]
-- warps of which roulette by warp ended some paths and left others, of those in which it ended any, in all scenes, and beside the same by thread
SELECT roulette, of_scene, variant, width, height, seed, device_name, counted AS trials,
       iif(roulette = 'warp', 1.0 * split_warps / roulette_warps, NULL) AS split,
       iif(roulette = 'thread', 1.0 * split_warps / roulette_warps, NULL) AS split_by_thread
FROM roulette_setting
WHERE variant = 'pool_refill' AND roulette IN ('warp', 'thread') AND roulette_warps > 0 AND spp > 1
-- [C10]
SELECT place, trials, sigmas FROM roulette_bias WHERE roulette = 'warp' AND scene IN ('cornell', 'closed_box', 'closed_varied')

-- [C11]
-- Related work: streaming that compacts every round. What lists, moves and, of lists, the access through indices take, over the time of the
-- stages that trace rays.
SELECT place || ', indices' AS place, test AS vote, roulette = 'block' AS literal, stage_flags AS flags, timed AS trials,
       (compaction + max(0, path - moved_path)) / rays_seconds AS self_cost
FROM stream_each_round
-- [C11]
-- what the stages that process paths gain where paths are moved, so that indices cost them nothing; and what share of that the frame keeps
SELECT place, test AS vote, roulette = 'block' AS literal, flags, trials, gross, noise AS gross_half, iif(gross > noise, net / gross, NULL) AS kept
FROM (SELECT a.place, a.test, a.roulette, a.stage_flags || '|' || n.stage_flags AS flags, a.timed || ', ' || n.timed AS trials,
             n.path / a.moved_path - 1 AS gross, n.total / a.total - 1 AS net, a.path_noise + n.path_noise AS noise
      FROM stream_each_round AS a
      CROSS JOIN test_stages AS n USING (work, schedule, device_name, pool)
      WHERE n.variant = 'pool_refill' AND n.dead_share = 0 AND a.test <> 'T2' AND a.max_bounces > 20)
WHERE gross IS NOT NULL

-- [C12]
-- Comparison: streaming that regenerates at every bounce against no regeneration, at its worse within the noise.
SELECT place || iif(storage = 'move', ', paths moved', '') AS place, test AS vote, at_default AS literal, flags, trials, gain - noise AS at_worst
FROM test_gain
WHERE variant = 'stream_compact' AND over = 'pool_refill' AND compact_every = 1
ORDER BY test, max_bounces

-- [C13]
-- Related work: regeneration by thread. Steps for which a camera ray keeps its warp busy, in mixed warps over warps of camera rays.
SELECT place, test AS vote, 2 * (roulette = 'block') + (max_bounces = 32 AND spp = 2) AS literal, next_path, counted AS trials,
       iif(test <> 'T1', 1.0 * steps_mixed / camera_mixed * camera_alone / steps_alone, NULL) AS steps
FROM test_counts
WHERE variant = 'thread_regenerate' AND camera_mixed > 0 AND steps_alone > 0
GROUP BY work, schedule, pool, next_path
-- [C13]
-- speed over no regeneration, at its worse within the noise; each test counts once a depth
SELECT place, test || ', ' || max_bounces AS vote, by_block AS literal, flags, trials, max(gain - noise) AS at_worst
FROM test_gain
WHERE variant = 'thread_regenerate' AND over = 'pool_refill' AND test <> 'T2' AND max_bounces >= 8
GROUP BY place
-- [C13]
-- share of the frame that is not spent on paths, beyond that of no regeneration
SELECT a.place, a.test AS vote, a.roulette = 'block' AS literal, a.next_path, a.stage_flags || '|' || n.stage_flags AS flags,
       a.timed || ', ' || n.timed AS trials, a.cost - n.cost AS cost, a.cost_noise + n.cost_noise AS cost_half
FROM test_stages AS a
JOIN test_stages AS n USING (work, schedule, device_name, pool)
WHERE a.variant = 'thread_regenerate' AND n.variant = 'pool_refill' AND n.dead_share = 0

-- [C14]
-- Point 5: checks every second round and a threshold of half, against checks every round without one. What regeneration costs of the frame.
SELECT r.place, r.test AS vote, r.roulette = 'block' AS literal, r.stage_flags || '|' || b.stage_flags AS flags, r.timed || ', ' || b.timed AS trials,
       b.cost - r.cost AS lower, b.cost_noise + r.cost_noise AS lower_half
FROM test_stages AS r
CROSS JOIN test_stages AS b USING (variant, work, schedule, device_name, pool)
WHERE r.variant = 'tile_regenerate' AND r.as_printed AND r.trace_compaction = 'no' AND b.every_round
-- [C14]
-- the threshold alone: with it less without it, both with checks every second round
SELECT r.place, r.test AS vote, r.roulette = 'block' AS literal, r.stage_flags || '|' || b.stage_flags AS flags, r.timed || ', ' || b.timed AS trials,
       r.cost - b.cost AS alone, b.cost_noise + r.cost_noise AS alone_half
FROM test_stages AS r
CROSS JOIN test_stages AS b USING (variant, trace_compaction, work, schedule, device_name, pool, tile_slots, tile_order, regenerate_every, regenerate_of)
WHERE r.variant = 'tile_regenerate' AND r.as_printed AND r.trace_compaction = 'no' AND b.regenerate_above = 0 AND b.dead_share = 0
-- [C14]
-- lanes that a regeneration fills; live lanes of those that stages are launched over
SELECT r.place, r.test AS vote, r.roulette = 'block' AS literal, r.counted || ', ' || b.counted AS trials,
       (1.0 * r.begun / r.regenerations) / (1.0 * b.begun / b.regenerations) AS fuller,
       (1.0 * r.stage_lanes / r.stage_launches) / (1.0 * b.stage_lanes / b.stage_launches) AS live
FROM test_counts AS r
JOIN test_counts AS b USING (variant, work, schedule, pool)
WHERE r.variant = 'tile_regenerate' AND r.as_printed AND r.trace_compaction = 'no' AND r.regenerations > 0 AND b.every_round AND
      b.regenerations > 0
GROUP BY r.work, r.schedule, r.pool
-- [C14]
-- how much of the pool each regeneration fills but for the last of a pass, round by round
SELECT s.of_test, s.pool, s.spp, group_concat(DISTINCT s.counted) AS trials, 1.0 * min(p.begun) / s.pool AS least
FROM test_setting AS s
JOIN pipeline_round AS p ON p.trial = s.counted AND p.stage = 'regenerate' AND p.round < s.exact_rounds
WHERE s.variant = 'tile_regenerate' AND s.as_printed AND s.spp = 1 AND p.begun > 0 AND p.queued > p.begun
GROUP BY s.work, s.schedule, s.pool, s.trace_compaction

-- [C15]
-- Test setup: each way to regenerate against none on Test 2, at its worse within the noise.
SELECT variant || ', ' || place AS place, test || ', ' || variant AS vote, at_default AS literal, flags, trials, max(gain - noise) AS at_worst
FROM test_gain
WHERE over = 'pool_refill' AND test = 'T2'
GROUP BY variant, place
-- [C15]
-- streaming every 4 or 8 bounces on Tests 2 and 3
SELECT place AS streaming_place, test AS vote, at_default AS literal, flags, trials, max(gain) AS streaming, noise AS streaming_half
FROM test_gain
WHERE variant = 'stream_compact' AND over = 'pool_refill' AND test IN ('T2', 'T3') AND compact_every IN (4, 8) AND storage = 'indices'
GROUP BY place

-- [C16]
-- Introduction: registers of one kernel less those of the kernel that traces rays.
WITH uncapped AS (
    SELECT s.device_name, s.test, s.variant, min(s.trial) AS trial, min(k.registers) AS least, max(k.registers) AS most
    FROM test_setting AS s
    JOIN kernels AS k
    ON k.trial = s.trial AND k.collection IN ('frame', 'launches') AND (k.kernel LIKE '%\_trace' ESCAPE '\' OR k.kernel = 'naive')
    WHERE s.registers IS NULL AND s.device NOT GLOB 'opencl*' AND s.variant IN ('naive', 'pool_refill', 'tile_regenerate', 'stream_compact') AND k.registers > 0
    GROUP BY s.device_name, s.test, s.variant
)
SELECT n.test || ', ' || p.variant || ', ' || n.device_name AS place, n.test AS vote, n.trial || ', ' || p.trial AS trials, n.least - p.most AS fewer
FROM uncapped AS n
JOIN uncapped AS p ON p.device_name = n.device_name AND p.test = n.test AND p.variant <> 'naive'
WHERE n.variant = 'naive'
-- [C16]
-- The time that one kernel spends in the traversal, by sampled instructions, over the time of the stages that trace rays. Lines of vector
-- arithmetic, which the traversal shares with others, count half, and make the interval.
WITH sampled AS (
    SELECT spec, trial, (tracing + 0.5 * either) / samples AS traversal, 0.5 * either / samples AS half
    FROM (SELECT o.spec, k.trial, sum(iif(k.file LIKE '%trees/%' OR k.file LIKE '%surface/trace.h', k.samples, 0)) AS tracing,
                 sum(iif(k.file IN ('lib/vec.h', 'lib/platform_cuda.h'), k.samples, 0)) AS either, 1.0 * sum(k.samples) AS samples,
                 row_number() OVER (PARTITION BY o.spec ORDER BY o.last_run DESC, o.id DESC) AS nth
          FROM stall_lines AS k JOIN trial_record AS o ON o.id = k.trial
          GROUP BY k.trial)
    WHERE nth = 1
)
SELECT p.place, p.test AS vote, p.stage_flags || '|' || n.flags AS flags, n.trials || ', ' || t.trial || ', ' || p.timed AS trials,
       t.traversal * n.seconds * n.spp / p.rays_seconds AS faster, t.half * n.seconds * n.spp / p.rays_seconds AS faster_half,
       (t.traversal - t.half) * n.seconds * n.spp / p.rays_seconds AS at_least
FROM test_setting AS n
JOIN sampled AS t ON t.spec = n.spec
JOIN test_stages AS p USING (work, schedule, device_name)
WHERE n.variant = 'naive' AND n.seconds > 0 AND p.variant = 'pool_refill' AND p.dead_share = 0

-- [C17]
-- Related work: sectors of 32 bytes from which a warp of the stage trace reads a word of its slots, through indices that are made anew every 4
-- rounds over slots that stay where they are. Not of the first round, in which all slots begin in their order: 4 sectors for each warp of 32.
SELECT a.place, a.test AS vote, a.roulette = 'block' AS literal, a.counted || ', ' || b.counted AS trials,
       (a.slot_sectors - a.pool / 8.0) / (a.trace_warps - a.pool / 32.0) /
           ((b.slot_sectors - b.pool / 8.0) / (b.trace_warps - b.pool / 32.0)) AS sectors
FROM test_counts AS a
JOIN test_counts AS b USING (work, schedule, pool)
WHERE a.variant = 'stream_compact' AND a.storage = 'indices' AND a.compact_every = 4 AND a.max_bounces > 4 AND a.warp_width = 32 AND
      a.pool <= a.spp * a.width * a.height AND a.trace_warps > a.pool / 32 AND b.variant = 'tile_regenerate' AND b.as_printed AND
      b.trace_compaction = 'no' AND b.slot_sectors > b.pool / 8
GROUP BY a.work, a.schedule, a.pool

-- [C18]
-- Comparison: bytes of path state that regeneration in place moves, in its checks and where tiles begin; over all settings of all pools of a test.
-- No other of its stages writes to a slot that is not its path's own.
SELECT s.test, s.test AS vote, group_concat(DISTINCT s.counted) AS trials, sum(r.moved_bytes) AS moved
FROM test_setting AS s
JOIN pipeline_round AS r ON r.trial = s.counted AND r.stage IN ('check', 'regenerate')
WHERE s.variant = 'tile_regenerate' AND s.pool IS NOT NULL
GROUP BY s.test

-- [C19]
-- Conclusion: gain in place where, without regeneration, the active warps of a round are as many as the device holds of the kernel that traces
-- rays, and where they are fewer. share: of the rounds of a fill, each of one bounce, those that have so many. Of these depth 8 decides: under
-- roulette by block it is the largest of the depths run at which they are 95 % on each test.
WITH filled AS (
    SELECT h.*, (SELECT avg(warps >= h.resident_warps)
                 FROM (SELECT 1.0 * sum(b.active_warps) / h.fills AS warps
                       FROM result AS a CROSS JOIN bounce_counts AS b ON b.attempt = a.attempt AND b.bounce >= 0
                       WHERE a.trial = h.counted AND a.collection = 'counts' GROUP BY b.bounce)) AS share
    FROM held AS h
)
SELECT g.place, g.test AS vote, g.by_block + (g.by_block AND f.share >= 0.95 AND g.max_bounces = 8) AS literal, f.share,
       replace(g.flags, 'underfilled', '') AS flags, g.trials,
       iif(f.share >= 0.95, g.gain, NULL) AS above, g.half AS above_half, iif(f.share = 0, g.gain, NULL) AS below, g.half AS below_half
FROM filled AS f
JOIN test_gain AS g USING (of_test, device_name, pool, max_bounces, spp)
WHERE g.variant = 'tile_regenerate' AND g.over = 'pool_refill' AND g.trace_compaction = 'no'
-- [C19]
-- rays a second over the best of pools with twice as many, of which a plateau has two sizes at least
WITH knee AS (
    SELECT h.place, h.stage_flags AS flags, h.timed AS trials, h.device_name, h.work, h.pool, h.rays / h.trace AS rate,
           1.0 * c.trace_warps / c.traces / f.resident_warps AS load
    FROM held AS f CROSS JOIN test_stages AS h ON h.setting = f.setting CROSS JOIN test_counts AS c ON c.setting = h.setting
),
best AS (SELECT device_name, work, max(rate) AS rate FROM knee WHERE load >= 2 GROUP BY device_name, work HAVING count(DISTINCT pool) > 1)
SELECT k.place, k.load, replace(k.flags, 'underfilled', '') AS flags, k.trials, iif(k.load >= 2, k.rate / b.rate, NULL) AS plateau,
       iif(k.load BETWEEN 0.4 AND 0.6, k.rate / b.rate, NULL) AS at_half
FROM knee AS k
JOIN best AS b ON b.device_name = k.device_name AND b.work = k.work

-- [C20]
-- Opening: time of the stages that process paths, with nine slots of ten dead behind the living ones over that without them, at its least within
-- the noise.
SELECT t.place, replace(t.stage_flags, 'underfilled', '') AS flags, t.timed || ', ' || n.timed AS trials,
       t.path / n.path - 1 - t.path_noise - n.path_noise AS reading
FROM test_stages AS t
JOIN test_stages AS n USING (variant, work, schedule, device_name, pool)
WHERE t.variant = 'pool_refill' AND n.dead_share = 0 AND t.dead_share = 90 AND t.dead_places = 'together'
-- [C20]
-- with the living ones spread over all blocks, a warp each, over that
SELECT a.place, replace(a.stage_flags, 'underfilled', '') AS flags, a.timed || ', ' || t.timed AS trials,
       a.path / t.path - 1 - a.path_noise - t.path_noise AS holding
FROM test_stages AS a
JOIN test_stages AS t USING (variant, work, schedule, device_name, pool, dead_share, block)
WHERE a.variant = 'pool_refill' AND a.dead_share = 90 AND t.dead_places = 'together' AND a.dead_places = 'apart' AND
      a.block = 10 * (SELECT max(x.warp_width) FROM result AS x WHERE x.trial = a.trial)

-- [C21]
-- Implementation details: seven kernels over a pool against one kernel of the same work, with trees of materials. Each scene counts once, through
-- OpenCL where it was run so: that is what the sentence names.
SELECT p.label, p.label AS vote, p.device GLOB 'opencl*' AS literal, p.max_bounces, p.device_name,
       p.flags || '|' || k.flags AS flags, p.trials || ', ' || k.trials AS trials,
       k.seconds / p.seconds AS faster, k.seconds / p.seconds * quadrature(p.relative_ci, k.relative_ci) AS faster_half,
       iif(p.device GLOB 'opencl*', k.seconds / p.seconds, NULL) AS by_opencl,
       k.seconds / p.seconds * quadrature(p.relative_ci, k.relative_ci) AS by_opencl_half
FROM measured AS p
JOIN measured AS k USING (work, schedule, device_name)
WHERE p.variant = 'pool_refill' AND p.materials = 'tree' AND p.first_camera AND k.variant = 'naive' AND k.own = ''

-- [C21]
-- how often that kernel, through OpenCL, failed to build or to run; that it did not with one driver tells nothing of others
SELECT i.title AS label, t.max_bounces, t.device_name, group_concat(DISTINCT t.id) AS trials, sum(a.status <> 'done') AS faults,
       iif(sum(a.status <> 'done'), '', 'other_drivers') AS excluded
FROM trial_record AS t
JOIN attempt AS a ON a.trial = t.id
JOIN stand_in AS i ON i.scene = t.scene
WHERE t.device GLOB 'opencl*' AND t.variant = 'naive' AND t.materials = 'tree' AND a.status IN ('done', 'failed', 'killed', 'timeout')
GROUP BY t.scene, t.max_bounces, t.device_name

-- [C22]
-- Introduction: what twice the bytes of path state cost, stored as the pools here do, one array a word; structs stand beside.
SELECT place, test AS vote, path_layout = 'soa' AS literal, flags, trials, cost AS twice, half AS twice_half FROM twice_state WHERE test IN ('T3', 'T4')
-- [C22]
-- by how much that is more on Test 2 than on Tests 3 and 4
SELECT d.place AS other_place, d.test AS vote, d.path_layout = 'soa' AS literal, s.flags || '|' || d.flags AS flags,
       s.trials || ', ' || d.trials AS trials, s.cost - d.cost AS more, sqrt(s.half * s.half + d.half * d.half) AS more_half
FROM twice_state AS s
JOIN twice_state AS d USING (device_name, roulette, max_bounces, path_layout)
WHERE s.test = 'T2' AND d.test IN ('T3', 'T4')
-- [C22]
-- the state of paths that the stages of a pool read and write, at the rate at which the same device moves that state from slot to
-- slot, over the time of the stages.
SELECT place, test AS vote, roulette = 'block' AS literal, flags, trials, share AS state FROM state_share WHERE test IN ('T3', 'T4')
-- [C22]
-- that share on Test 2 over those on Tests 3 and 4
SELECT d.place AS other_place, d.test AS vote, d.roulette = 'block' AS literal, s.flags || '|' || d.flags AS flags,
       s.trials || ', ' || d.trials AS trials, s.share / d.share AS simple
FROM state_share AS s
JOIN state_share AS d USING (device_name, pool, max_bounces)
WHERE s.test = 'T2' AND d.test IN ('T3', 'T4') AND d.roulette IS s.roulette

-- [C23]
-- Related work: how much more whole_frame gains over naive with the scene's own materials than with Lambertian 0.7, at a limit of 8 bounces; and,
-- Lambertian, at 32 bounces than at 8. Of scenes where under 1 % of the paths live past bounce 8, longer ones tell nothing; where under 1 % end
-- before the limit, compaction has nothing to gain. A view is a scene in its materials, under each roulette; both sides have the same.
WITH gain AS (
    SELECT n.scene, n.label, nullif(t.roulette, 'none') AS roulette_by, n.width, n.height, n.family, n.schedule, n.lighting, n.device_name,
           n.materials, n.max_bounces, n.counted, n.trials || ', ' || w.trials AS trials, n.flags || '|' || w.flags AS flags, n.seconds / w.seconds AS gain,
           n.seconds / w.seconds * max(quadrature(n.relative_ci, w.relative_ci), coalesce(n.noise_floor, 0), coalesce(w.noise_floor, 0)) AS noise
    FROM measured AS n
    JOIN measured AS w USING (work, schedule, device_name)
    JOIN trial_record AS t ON t.id = n.trial
    WHERE n.variant = 'naive' AND n.own = '' AND n.first_camera AND w.variant = 'whole_frame' AND w.own = '' AND coalesce(t.dummy_flops, 0) = 0
),
lived AS (                          -- share of the paths that live past bounce 8, and of those that end before the limit
    SELECT r.trial, 1.0 * sum(iif(b.bounce = 9, b.active_paths, 0)) / sum(iif(b.bounce = 0, b.active_paths, 0)) AS share,
           1 - 1.0 * min(b.active_paths) / max(b.active_paths) AS ended
    FROM result AS r JOIN bounce_counts AS b ON b.attempt = r.attempt
    WHERE r.collection = 'counts' AND b.bounce >= 0 AND r.trial IN (SELECT counted FROM gain)
    GROUP BY r.trial
),
kinds AS (                          -- how many of the five BRDFs are evaluated; 0: not counted
    SELECT r.trial, max(b.shaded_lambert > 0) + max(b.shaded_blinn > 0) + max(b.shaded_glass > 0) + max(b.shaded_chrome > 0) +
           max(b.shaded_carpaint > 0) AS brdfs
    FROM result AS r JOIN bounce_counts AS b ON b.attempt = r.attempt
    WHERE r.collection = 'counts' AND r.trial IN (SELECT counted FROM gain)
    GROUP BY r.trial
),
rise AS (
    SELECT a.label, a.roulette_by, a.width, a.height, a.device_name, iif(a.max_bounces = 8, a.materials, NULL) AS materials, a.max_bounces,
           a.flags || '|' || b.flags AS flags, a.trials || ', ' || b.trials AS trials,
           a.gain - b.gain AS rise, sqrt(a.noise * a.noise + b.noise * b.noise) AS noise, l.share, iif(a.max_bounces = 32, l.ended, m.ended) AS ended,
           a.materials = 'tree' OR coalesce(k.brdfs, 0) IN (0, 5) AS named
    FROM gain AS a
    JOIN gain AS b USING (scene, width, height, family, schedule, lighting, device_name)
    LEFT JOIN lived AS l ON l.trial = a.counted
    LEFT JOIN lived AS m ON m.trial = b.counted
    LEFT JOIN kinds AS k ON k.trial = a.counted
    WHERE b.materials = 'lambert07' AND b.max_bounces = 8 AND
          (a.max_bounces = 8 AND a.materials <> 'lambert07' OR a.max_bounces = 32 AND a.materials = 'lambert07')
),
named AS (                          -- views with such materials; usable in one of their settings
    SELECT device_name, count(*) AS views, sum(usable) AS usable
    FROM (SELECT device_name, max(coalesce(ended, 1) >= 0.01 AND flags NOT LIKE '%underfilled%') AS usable
          FROM rise WHERE max_bounces = 8 AND named GROUP BY device_name, label, materials)
    GROUP BY device_name
)
SELECT label, label || coalesce(', ' || materials, '') AS vote, max_bounces = 32 OR roulette_by IS 'thread' AS literal, roulette_by, width, height, device_name,
       materials, flags, trials,
       CASE WHEN max_bounces = 32 AND share IS NULL THEN 'paths_uncounted' WHEN max_bounces = 32 AND share < 0.01 THEN 'short_paths'
            WHEN ended < 0.01 THEN 'no_ends' WHEN max_bounces = 8 AND NOT named THEN 'few_brdfs'
            WHEN max_bounces = 8 AND 2 * usable <= views THEN 'few_named' END AS excluded,
       iif(max_bounces = 8, rise, NULL) AS richer, iif(max_bounces = 8, noise, NULL) AS richer_half,
       iif(max_bounces = 8, rise - noise, NULL) AS richer_beyond, iif(max_bounces = 32, rise, NULL) AS longer,
       iif(max_bounces = 32, noise, NULL) AS longer_half, iif(max_bounces = 32, rise - noise, NULL) AS longer_beyond
FROM rise LEFT JOIN named USING (device_name)

-- [C24]
-- Regeneration overhead, with the paper's roulette by block where it was measured: on how many scenes streaming in its faster interval beats no
-- regeneration, beyond the noise and by 5 % more than it, and on how many of those whose rays take more steps than those of half of the scenes.
WITH each AS (
    SELECT n.device_name, n.scene, p.roulette, n.max_bounces, n.width, n.height, n.spp, p.pool, max(n.seconds / s.seconds) AS gain,
           1.0 * (n.nodes + n.triangles) / n.rays AS steps,
           max(quadrature(s.relative_ci, n.relative_ci), coalesce(s.noise_floor, 0), coalesce(n.noise_floor, 0)) AS noise,
           n.trials || ', ' || s.trials AS trials, n.flags || '|' || s.flags AS flags
    FROM measured AS n
    JOIN measured AS s USING (work, schedule, device_name)
    JOIN trial_record AS p ON p.id = n.trial
    JOIN trial_record AS q ON q.id = s.trial AND q.pool IS p.pool AND q.storage = 'indices' AND q.compact_every IN (4, 8)
    WHERE n.variant = 'pool_refill' AND s.variant = 'stream_compact' AND coalesce(p.dead_share, 0) = 0 AND n.first_camera AND n.seconds > 0 AND
          s.seconds > 0 AND n.rays > 0 AND n.max_bounces > 20
    GROUP BY n.device_name, n.work, n.schedule, p.pool
),
placed AS (
    SELECT *, percent_rank() OVER (PARTITION BY device_name, roulette, max_bounces, pool, width, height, spp ORDER BY steps) > 0.5 AS heavy
    FROM each
    WHERE flags NOT LIKE '%underfilled%' AND noise NOTNULL
)
SELECT count(*) AS scenes, 'scenes' AS vote, roulette = 'block' AS literal,
       iif(roulette IN ('thread', 'warp', 'block'), roulette, NULL) AS roulette_by, pool, max_bounces, device_name,
       iif(count(*) < 10, 'few_scenes', '') AS excluded, group_concat(flags, '|') AS flags, group_concat(trials, ', ') AS trials,
       sum(heavy AND gain > 1 + gain * noise) AS heavy, avg(gain > 1 + gain * noise) AS faster, avg(gain - gain * noise > 1.05) AS clearly
FROM placed
GROUP BY device_name, roulette, max_bounces, pool, width, height, spp

-- [C25]
-- Motivation: regeneration in place, with compaction in the tracing blocks, against none, at its best within the noise.
SELECT 'none, ' || place AS place, test || ', ' || max_bounces AS vote, by_block AS literal, flags, trials, gain + noise AS at_best
FROM test_gain
WHERE variant = 'tile_regenerate' AND trace_compaction = 'yes' AND over = 'pool_refill'
-- [C25]
-- and against streaming in its fastest setting
SELECT 'streaming, ' || place AS place, test AS vote, at_default AS literal, flags, trials, min(gain) AS over_stream, noise AS over_stream_half
FROM test_gain
WHERE variant = 'tile_regenerate' AND trace_compaction = 'yes' AND over = 'stream_compact' AND test <> 'T2'
GROUP BY place

-- [C26]
-- Implementation details: by how much regeneration in place lowers the time of a kernel for each path that lives in it, of the kernels that trace
-- no ray the one that gains most; on Tests 3 and 4 with trees of materials.
WITH wanted AS (
    SELECT c.setting, c.spec, c.scene, c.work, c.schedule, c.device_name, c.variant, c.max_bounces, t.id AS trial, t.pool
    FROM configured AS c JOIN trial_record AS t ON t.setting = c.setting
    WHERE c.materials = 'tree' AND c.first_camera AND c.scene IN ('arch_tree', 'glass_tree') AND coalesce(t.dead_share, 0) = 0 AND
          (c.variant = 'pool_refill' OR
           c.variant = 'tile_regenerate' AND t.tile_slots = '256' AND t.tile_order = 'depth' AND t.regenerate_every = 2 AND
           t.regenerate_above = 50 AND t.regenerate_of = 'live' AND t.trace_compaction = 'no')
),
stage AS (
    SELECT w.setting, w.trial, r.stage, sum(r.seconds) AS seconds, sum(r.live_lanes) AS lives
    FROM wanted AS w JOIN pipeline_round AS r ON r.trial = w.trial
    WHERE r.stage IN ('surface', 'light', 'shade', 'next')
    GROUP BY w.trial, r.stage
),
mean AS (
    SELECT setting, stage, count(seconds) AS n, avg(seconds) AS seconds, max(lives) AS lives, group_concat(trial, ', ') AS trials,
           sqrt(max(sum(seconds * seconds) - count(seconds) * avg(seconds) * avg(seconds), 0) / nullif(count(seconds) - 1, 0)) AS deviation
    FROM stage
    GROUP BY setting, stage
),
cost AS (
    SELECT DISTINCT w.setting, w.scene, w.work, w.schedule, w.device_name, w.variant, w.pool, w.max_bounces, m.stage, m.n, m.trials,
           m.seconds / m.lives AS cost,
           (SELECT s.t FROM student_t AS s WHERE s.degrees < m.n ORDER BY s.degrees DESC LIMIT 1) * m.deviation / sqrt(m.n) / m.seconds AS relative
    FROM mean AS m JOIN wanted AS w ON w.setting = m.setting
    WHERE m.seconds > 0 AND m.lives > 0
),
fall AS (
    SELECT a.*, b.setting AS other_setting, b.n AS other_n, b.trials AS other_trials, 1 - a.cost / b.cost AS fall,
           a.cost / b.cost * quadrature(a.relative, b.relative) AS half,
           row_number() OVER (PARTITION BY a.work, a.device_name, a.pool ORDER BY a.cost / b.cost) AS nth
    FROM cost AS a
    JOIN cost AS b ON b.work = a.work AND b.schedule = a.schedule AND b.device_name = a.device_name AND b.pool IS a.pool AND b.stage = a.stage
    WHERE a.variant = 'tile_regenerate' AND b.variant = 'pool_refill'
)
SELECT iif(scene = 'arch_tree', 'T3', 'T4') AS test, scene AS vote, max_bounces = 32 AS literal, stage, max_bounces, pool, device_name,
       iif(n < 5 OR other_n < 5, 'few_replicates', '') ||
           coalesce((SELECT iif(max(w.underfilled), '|underfilled', '') FROM frame_waves AS w
                     WHERE w.setting IN (fall.setting, fall.other_setting)), '') AS flags,
       trials || ', ' || other_trials AS trials, fall, half AS fall_half
FROM fall
WHERE nth = 1
