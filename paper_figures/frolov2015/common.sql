-- SPDX-License-Identifier: MIT
-- What the tables and claims of Frolov and Galaktionov share.

-- what its pipelines are, for ../parts.sql
CREATE TEMP VIEW document_variant AS
SELECT column1 AS variant FROM (VALUES ('pool_refill'), ('tile_regenerate'), ('stream_compact'), ('thread_regenerate'), ('majority_state'));

-- Settings of the pipelines on the paper's tests, in their own materials and without roulette or with one that the paper knows; with what they
-- differ in. as_printed: regeneration in place as the paper has it; every_round: with a check each round and no threshold.
CREATE TEMP VIEW test_setting AS
SELECT m.*, q.test, t.storage, q.test || ', ' || m.scene || iif(t.roulette = 'none', '', ', roulette by ' || t.roulette) AS of_test, t.roulette,
       nullif(t.roulette, 'none') AS roulette_by, t.pool, t.block, t.compact_every, t.tile_slots, t.tile_order, t.regenerate_every,
       t.regenerate_above, t.regenerate_of, t.trace_compaction, coalesce(t.dead_share, 0) AS dead_share, t.dead_places, t.next_path,
       t.registers, t.exact_rounds, t.path_bytes, t.path_layout,
       t.tile_slots = '256' AND t.tile_order = 'depth' AND t.regenerate_every = 2 AND t.regenerate_above = 50 AND t.regenerate_of = 'live' AND
       coalesce(t.dead_share, 0) = 0 AS as_printed,
       t.tile_slots = '256' AND t.tile_order = 'depth' AND t.regenerate_every = 1 AND t.regenerate_above = 0 AND t.trace_compaction = 'no' AND
       coalesce(t.dead_share, 0) = 0 AS every_round
FROM measured AS m
JOIN trial_record AS t ON t.id = m.trial
JOIN stand_in AS i ON i.scene = m.scene
JOIN published_tests AS q ON q.scene IN (i.stands_for, i.scene || ' box')
WHERE m.first_camera AND m.materials = 'scene' AND t.roulette IN ('none', 'thread', 'warp', 'block');

-- Regeneration in place, by streaming and by thread against another pipeline with an equal pool: how many times as fast, half of the interval of
-- that, and the least difference that is no noise; not through OpenCL, which the table `opencl` sets beside CUDA. by_block: under the paper's
-- own roulette, which all its pipelines have. at_default: at the depth and samples that its experiments have where they sweep neither, and of
-- these first under that roulette.
CREATE TEMP VIEW test_gain AS
SELECT a.variant, b.variant AS over, a.roulette, a.roulette = 'block' AS by_block,
       2 * (a.roulette = 'block') + (a.max_bounces = 32 AND a.spp = 2) AS at_default, a.spp, a.block,
       coalesce(a.trace_compaction, 'no') AS trace_compaction, a.compact_every,
       a.storage, a.of_test, a.test, a.device_name, a.pool, a.max_bounces, a.trials || ', ' || b.trials AS trials,
       a.flags || '|' || b.flags AS flags, b.seconds / a.seconds AS gain,
       b.seconds / a.seconds * quadrature(a.relative_ci, b.relative_ci) AS half,
       b.seconds / a.seconds * max(quadrature(a.relative_ci, b.relative_ci), coalesce(a.noise_floor, 0), coalesce(b.noise_floor, 0)) AS noise,
       printf('%s, pool of %s slots, depth %d, %d samples, %s', a.of_test, coalesce(a.pool, 'auto'), a.max_bounces, a.spp, a.device_name) AS place
FROM test_setting AS a
JOIN test_setting AS b ON b.work = a.work AND b.schedule = a.schedule AND b.device_name = a.device_name AND b.pool IS a.pool
WHERE a.seconds > 0 AND b.seconds > 0 AND a.dead_share = 0 AND b.dead_share = 0 AND a.device NOT GLOB 'opencl*' AND
      (a.variant IN ('stream_compact', 'thread_regenerate') OR a.variant = 'tile_regenerate' AND a.as_printed) AND
      (b.variant = 'pool_refill' OR b.variant = 'stream_compact' AND a.variant = 'tile_regenerate');

-- What regeneration gains over none, each setting by itself over all depths: in place, with compaction in the tracing blocks or without, and by
-- streaming. nearness: in place as the paper has it decides, under its roulette where that was run.
CREATE TEMP VIEW own_gain AS
SELECT *, 2 * (variant = 'tile_regenerate' AND trace_compaction = 'no') + by_block AS nearness,
       CASE WHEN variant = 'tile_regenerate' THEN iif(trace_compaction = 'yes', 'in place with compaction', 'in place')
            ELSE 'streaming every ' || compact_every || iif(storage = 'move', ', paths moved', '') END AS how
FROM test_gain
WHERE variant IN ('tile_regenerate', 'stream_compact') AND over = 'pool_refill' AND roulette IN ('none', 'block') AND test <> 'T2';

-- ---- times of stages

-- Of each trial whose launches were timed, seconds of a frame: all of it, the six stages that process paths, the two that trace rays, what lists,
-- moves and inspects slots, and what finds dead slots and fills them: renewal, without the selection of those found.
CREATE TEMP VIEW trial_stages AS
WITH stage AS (
    SELECT trial, sum(seconds) AS launched, sum(iif(stage IN ('trace', 'surface', 'light', 'shadow', 'shade', 'next'), seconds, 0)) AS path,
           sum(iif(stage IN ('trace', 'shadow'), seconds, 0)) AS rays, sum(iif(stage = 'trace', seconds, 0)) AS trace,
           sum(iif(stage IN ('flag', 'select', 'move'), seconds, 0)) AS compaction, sum(iif(stage = 'move', seconds, 0)) AS moving,
           sum(iif(stage IN ('check', 'flag', 'regenerate'), seconds, 0)) AS renewal, sum(iif(stage = 'select', seconds, 0)) AS selection
    FROM pipeline_round
    WHERE seconds IS NOT NULL
    GROUP BY trial
),
gap AS (
    SELECT x.trial, median(r.gap_seconds) AS gap
    FROM clean_result AS x JOIN repetition AS r ON r.attempt = x.attempt
    WHERE x.collection = 'launches' AND x.times AND r.gap_seconds IS NOT NULL
    GROUP BY x.trial
)
SELECT t.setting, s.*, s.launched + g.gap AS total, 1 - s.path / (s.launched + g.gap) AS cost
FROM stage AS s JOIN gap AS g USING (trial) JOIN trial_record AS t ON t.id = s.trial;

-- The same of settings on the tests, means of their replicates, beside what a frame was counted to do. cost: share of the frame that is not spent
-- on stages that process paths; *_noise: the most by which two replicates differ; NULL of one.
CREATE TEMP VIEW test_stages AS
SELECT s.*, z.path, z.rays_seconds, z.trace, z.compaction, z.moving,
       z.renewal, z.renewal_noise, z.selected, z.selected_noise, z.total, z.cost, z.cost_noise, z.path_noise, z.rays_noise, z.trace_noise,
       z.timed,
       iif(z.replicates < 5, 'few_replicates', '') || iif(w.underfilled, '|underfilled' || q.idle_words, '') AS stage_flags,
       printf('%s, pool of %s slots, depth %d, %s', s.of_test, coalesce(s.pool, 'auto'), s.max_bounces, s.device_name) AS place
FROM (SELECT setting, count(*) AS replicates, group_concat(trial, ', ') AS timed, avg(path) AS path, avg(rays) AS rays_seconds, avg(trace) AS trace,
             avg(compaction) AS compaction, avg(moving) AS moving, avg(total) AS total, avg(cost) AS cost,
             avg(renewal) AS renewal, avg(renewal + selection) AS selected, iif(count(*) > 1, max(renewal) / min(renewal) - 1, NULL) AS renewal_noise,
             iif(count(*) > 1, max(renewal + selection) / min(renewal + selection) - 1, NULL) AS selected_noise,
             iif(count(*) > 1, max(cost) - min(cost), NULL) AS cost_noise, iif(count(*) > 1, max(path) / min(path) - 1, NULL) AS path_noise,
             iif(count(*) > 1, max(rays) / min(rays) - 1, NULL) AS rays_noise, iif(count(*) > 1, max(trace) / min(trace) - 1, NULL) AS trace_noise
      FROM trial_stages GROUP BY setting) AS z
JOIN test_setting AS s ON s.setting = z.setting
LEFT JOIN frame_waves AS w ON w.setting = z.setting
LEFT JOIN frame_quality AS q ON q.setting = z.setting;

-- What settings were counted to do over a frame: launches of each kind, what they found, and words of the traversal.
CREATE TEMP VIEW test_counts AS
SELECT s.*, b.partial_warps, p.regenerations, p.begun, p.traces, p.trace_warps, p.moved_by_move, p.moved_by_paths, p.stage_launches, p.stage_lanes,
       b.sparse_warps, b.slot_sectors, b.camera_alone, b.camera_mixed, b.steps_alone, b.steps_mixed,
       printf('%s, pool of %s slots, depth %d', s.of_test, coalesce(s.pool, 'auto'), s.max_bounces) AS place
FROM test_setting AS s
CROSS JOIN (SELECT trial, sum(iif(stage = 'regenerate', launches, 0)) AS regenerations, sum(begun) AS begun, sum(iif(stage = 'trace', launches, 0)) AS traces,
                   sum(iif(stage = 'trace', live_warps, 0)) AS trace_warps, sum(iif(stage = 'move', moved_bytes, 0)) AS moved_by_move,
                   sum(iif(path, moved_bytes, 0)) AS moved_by_paths, sum(iif(path, launches, 0)) AS stage_launches, sum(iif(path, live_lanes, 0)) AS stage_lanes
            FROM (SELECT *, stage IN ('trace', 'surface', 'light', 'shadow', 'shade', 'next') AS path FROM pipeline_round)
            GROUP BY trial) AS p ON p.trial = s.counted
CROSS JOIN (SELECT a.trial, sum(b.sparse_warps) AS sparse_warps, sum(b.partial_warps) AS partial_warps,
                   sum(b.slot_sectors) AS slot_sectors, sum(b.camera_rays_alone) AS camera_alone,
                   sum(b.camera_rays_mixed) AS camera_mixed, sum(b.camera_steps_alone) AS steps_alone, sum(b.camera_steps_mixed) AS steps_mixed
            FROM result AS a CROSS JOIN bounce_counts AS b ON b.attempt = a.attempt AND b.bounce < 0
            WHERE a.collection = 'counts'
            GROUP BY a.trial) AS b ON b.trial = s.counted;

-- two of them: compaction in the tracing blocks against none, in the stages that trace rays
CREATE TEMP VIEW compaction_pair AS
SELECT a.test, a.roulette, a.roulette_by, a.place, a.max_bounces, a.device_name, a.pool, a.stage_flags || '|' || b.stage_flags AS flags,
       a.timed || ', ' || b.timed AS trials, b.rays_seconds / a.rays_seconds AS gain, a.rays_noise + b.rays_noise AS noise,
       a.trace / b.trace - 1 AS cost, a.trace_noise + b.trace_noise AS cost_noise
FROM test_stages AS a
JOIN test_stages AS b USING (variant, work, schedule, device_name, pool)
WHERE a.variant = 'tile_regenerate' AND a.as_printed AND a.trace_compaction = 'yes' AND b.as_printed AND b.trace_compaction = 'no';

-- streaming by indices that compacts every round, beside the same with paths moved
CREATE TEMP VIEW stream_each_round AS
SELECT a.*, m.path AS moved_path
FROM test_stages AS a
LEFT JOIN test_stages AS m ON m.storage = 'move' AND m.variant = a.variant AND m.compact_every = a.compact_every AND m.work = a.work AND
                              m.schedule = a.schedule AND m.device_name = a.device_name AND m.pool = a.pool
WHERE a.variant = 'stream_compact' AND a.compact_every = 1 AND a.storage = 'indices';

-- no regeneration, on a device of which it is known how many warps of the kernel that traces rays it holds; how often its pool is filled
CREATE TEMP VIEW held AS
SELECT s.*, r.resident_warps, (s.spp * s.width * s.height + s.pool - 1) / s.pool AS fills
FROM test_setting AS s
JOIN (SELECT trial, max(resident_warps) AS resident_warps FROM kernels
      WHERE kernel = 'refill_trace' AND collection IN ('frame', 'launches') GROUP BY trial) AS r ON r.trial = s.trial
WHERE s.variant = 'pool_refill' AND s.dead_share = 0 AND s.test <> 'T2' AND r.resident_warps > 0 AND s.counted IS NOT NULL;

-- A launch per bounce, which loads and stores the state of every path: what 128 bytes of it cost over 64, of the frame.
CREATE TEMP VIEW twice_state AS
SELECT printf('%s, 128 bytes over 64, %s, depth %d, %s', a.of_test, iif(a.path_layout = 'soa', 'one array a word', 'one struct a path'),
              a.max_bounces, a.device_name) AS place,
       a.test, a.device_name, a.roulette, a.max_bounces, a.path_layout, a.work, a.flags || '|' || b.flags AS flags,
       a.trials || ', ' || b.trials AS trials, a.seconds / b.seconds - 1 AS cost,
       a.seconds / b.seconds * quadrature(a.relative_ci, b.relative_ci) AS half
FROM test_setting AS a
JOIN test_setting AS b USING (variant, work, schedule, device_name, path_layout)
WHERE a.variant = 'whole_frame_off' AND a.path_bytes = '128' AND b.path_bytes = '64' AND a.seconds > 0 AND b.seconds > 0;

-- time in which the device would move the state of paths that the stages of a pool read and write, over that of the stages
CREATE TEMP VIEW state_share AS
WITH rate AS (
    SELECT s.device_name, s.of_test, s.max_bounces, max(c.moved_by_move / s.moving) AS bytes
    FROM test_stages AS s JOIN test_counts AS c ON c.setting = s.setting
    WHERE s.variant = 'stream_compact' AND s.storage = 'move' AND s.moving > 0
    GROUP BY s.device_name, s.of_test, s.max_bounces
)
SELECT s.place, s.test, s.roulette, s.device_name, s.pool, s.max_bounces, s.stage_flags AS flags, s.timed AS trials,
       c.moved_by_paths / r.bytes / s.path AS share
FROM test_stages AS s
JOIN test_counts AS c ON c.setting = s.setting
JOIN rate AS r ON r.device_name = s.device_name AND r.of_test = s.of_test AND r.max_bounces = s.max_bounces
WHERE s.variant = 'pool_refill' AND s.dead_share = 0;

-- Regeneration in place beside streaming at that of its intervals whose number of regenerations is nearest: what both gain in the stages that
-- process paths, what share of the frame they cost, and the time of
-- finding and filling dead slots in place, without their selection and with it, over all that by streaming.
CREATE TEMP VIEW alike_launches AS
WITH paired AS (
    SELECT t.place, t.test, t.roulette, t.stage_flags || '|' || s.stage_flags AS flags, t.timed || ', ' || s.timed || coalesce(', ' || n.timed, '') AS trials,
           n.path / t.path AS tile_gain, n.path / s.path AS stream_gain, t.path_noise + s.path_noise AS noise, t.cost AS tile_cost, s.cost AS stream_cost,
           t.renewal / s.selected AS spent, t.renewal / s.selected * (t.renewal_noise + s.selected_noise) AS spent_noise,
           t.selected / s.selected AS spent_selecting, t.selected / s.selected * (t.selected_noise + s.selected_noise) AS selecting_noise,
           t.cost_noise + s.cost_noise AS cost_noise, c.regenerations AS tile_times, d.regenerations AS stream_times,
           row_number() OVER (PARTITION BY t.setting ORDER BY abs(c.regenerations - d.regenerations), s.compact_every) AS nearest
    FROM test_stages AS t
    JOIN test_counts AS c ON c.setting = t.setting
    JOIN test_stages AS s ON s.variant = 'stream_compact' AND s.storage = 'indices' AND s.work = t.work AND s.schedule = t.schedule AND
                             s.device_name = t.device_name AND s.pool = t.pool
    JOIN test_counts AS d ON d.setting = s.setting
    LEFT JOIN test_stages AS n ON n.variant = 'pool_refill' AND n.dead_share = 0 AND n.work = t.work AND n.schedule = t.schedule AND
                                  n.device_name = t.device_name AND n.pool = t.pool
    WHERE t.variant = 'tile_regenerate' AND t.as_printed AND t.trace_compaction = 'no' AND t.max_bounces > 0
)
SELECT *, iif(max(tile_times, stream_times) <= 1.25 * min(tile_times, stream_times), '', 'unequal_launches') AS excluded
FROM paired
WHERE nearest = 1;
