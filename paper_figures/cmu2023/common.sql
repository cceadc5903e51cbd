-- SPDX-License-Identifier: MIT
-- After ../common.sql: what the tables of the CMU report share.

-- its wavefronts, for ../parts.sql
CREATE TEMP VIEW document_variant AS
SELECT column1 AS variant FROM (VALUES ('two_stage'), ('two_stage_pixel'), ('three_stage'));

-- Settings under the report's rules: no shadow rays but half of the next directions drawn from the lights, roulette by the largest weight.
-- choice: in what but tickets and batch a wavefront differs from the report's final program. slice: what a panel is of. A batch of all samples
-- is in it once: of settings that differ in how many rounds are stored one by one, or in when to stop, the one with most replicates.
-- form: the tree, '' for the binary one. subject: equal where the same paths are traced, but for how many of each pixel. usual: one kernel, or
-- a wavefront as the report's; largest: of these the one of the largest batch.
CREATE TEMP VIEW treed AS
WITH chosen AS (
    SELECT m.*, t.instances = 'two_level' AS levels, coalesce(t.batch, t.spp) AS batch, coalesce(t.tickets, '') AS tickets, t.pool,
           t.pool_order, t.accumulate, t.extend_over, t.ray_sort, t.queues, t.batch IS NULL AS whole,
           iif(t.pool NOTNULL, 'pool ', '') || iif(t.pool_order <> 'sequential', 'pool_order ', '') ||
               iif(t.accumulate <> 'atomic', 'accumulate ', '') || iif(t.extend_over <> 'slots', 'extend_over ', '') ||
               iif(t.ray_sort <> 'none', 'ray_sort ', '') || iif(t.queues <> 'material', 'queues ', '') AS choice,
           iif(t.tree NOT IN ('wide', 'wide_compressed'), m.axes,
               replace(t.tree, '_', ' ') || iif(t.tree = 'wide' AND t.tree_width <> '8', ' of ' || t.tree_width, '') ||
                   iif(t.child_order = 'octant', '', ', order ' || t.child_order) || iif(t.node_align = '16', '', ', aligned') ||
                   iif(t.tree_stack = 'children', '', ', ' || t.tree_stack) ||
                   iif(t.instances = 'two_level' AND t.top_tree = 'binary', ', binary top', '')) AS form,
           printf('%s|%d|%d|%d|%s|%s', m.device_name, m.width, m.height, m.max_bounces, m.family, m.schedule) AS slice,
           printf('%s|%s|%d|%d|%d|%s|%s|%s', m.label, t.scene_content, m.width, m.height, m.max_bounces, m.materials, m.schedule,
                  substr(m.family, instr(m.family, ','))) AS subject,
           (SELECT count(*) FROM trial_record AS o WHERE o.setting = m.setting) AS replicates
    FROM measured AS m
    JOIN trial_record AS t ON t.id = m.trial
    WHERE m.variant IN ('naive', 'two_stage', 'two_stage_pixel', 'three_stage') AND m.lighting = 'mix' AND m.first_camera AND
          m.family LIKE '%roulette yocto'
),
alike AS (
    SELECT *, CASE variant WHEN 'naive' THEN own = '' WHEN 'two_stage_pixel' THEN chosen = '' ELSE choice = '' AND tickets = 'atomic' END AS usual,
           row_number() OVER (PARTITION BY work, device_name, schedule, axes, variant, batch, tickets, pool, pool_order, accumulate, extend_over,
                                           ray_sort, queues
                              ORDER BY whole, seconds IS NULL, replicates DESC, newest DESC) AS nth_alike
    FROM chosen
)
SELECT *, usual AND row_number() OVER (PARTITION BY slice, work, variant, form, usual ORDER BY batch DESC) = 1 AS largest
FROM alike
WHERE nth_alike = 1
ORDER BY work, device_name, schedule, axes, variant, batch, tickets, pool, pool_order, accumulate, extend_over, ray_sort, queues;

-- the same on the binary tree
CREATE TEMP VIEW cell AS
SELECT * FROM treed WHERE axes = '';

-- on any tree one kernel, and two stages with the report's tickets and, of several batches, the largest
CREATE TEMP VIEW in_tree AS
SELECT * FROM treed WHERE largest AND variant IN ('naive', 'two_stage') ORDER BY slice, work, variant, form;

-- Of each slice what panels say, and how much there is to show: settings on the binary tree, batches, choices, trees.
CREATE TEMP VIEW slice AS
SELECT slice, min(iif(axes = '', device, NULL)) AS device, device_name, width, height, max_bounces, family AS work, schedule,
       group_concat(iif(axes = '', trials, NULL), ', ') AS trials, max(iif(axes = '', newest, NULL)) AS latest, sum(axes = '') AS settings,
       count(DISTINCT iif(axes = '', variant, NULL)) AS variants,
       count(DISTINCT iif(axes = '' AND variant = 'two_stage', batch, NULL)) AS batches, sum(axes = '' AND choice <> '') AS choices,
       sum(tree AND form <> '') AS forms, sum(tree AND form = 'wide') AS wide, sum(tree AND form LIKE 'wide of%') AS wide_of,
       sum(levels) AS two_levels
FROM (SELECT *, largest AND variant IN ('naive', 'two_stage') AS tree FROM treed)
GROUP BY slice
HAVING max(axes = '' AND variant = 'two_stage');

-- One kernel on the device cpu: the newest of each subject. It takes one sample after the other, so that the time of one hardly depends on how many
-- there are, and few decide.
CREATE TEMP VIEW on_cpu AS
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY subject ORDER BY newest DESC) AS nth FROM cell
               WHERE variant = 'naive' AND own = '' AND device_kind = 'processor')
WHERE nth = 1;

-- One kernel, and two stages whose batch is the largest of their tickets, each with what is measured beside it on the same paths: role is the
-- variant, or cpu.
CREATE TEMP VIEW beside AS
WITH shown AS (
    SELECT *, row_number() OVER (PARTITION BY slice, work, tickets, variant ORDER BY batch DESC) AS nth
    FROM cell
    WHERE variant = 'naive' AND own = '' OR variant = 'two_stage' AND choice = ''
)
SELECT s.setting AS of_setting, c.variant AS role, c.*
FROM shown AS s
JOIN cell AS c ON c.slice = s.slice AND c.work = s.work
WHERE s.nth = 1 AND
      (c.setting = s.setting OR s.variant = 'two_stage' AND
       (c.variant IN ('naive', 'two_stage_pixel') AND c.usual OR
        c.variant = 'three_stage' AND c.choice = '' AND c.tickets = s.tickets AND c.batch = s.batch))
UNION ALL
SELECT s.setting, 'cpu', c.* FROM shown AS s JOIN on_cpu AS o ON o.subject = s.subject JOIN cell AS c ON c.setting = o.setting WHERE s.nth = 1;

-- One kernel over OptiX, beside that over the binary tree on the same paths. hardware: the GPU has RT cores.
CREATE TEMP VIEW over_optix AS
SELECT m.setting AS of_setting, m.seconds AS other_seconds, m.relative_ci AS other_ci, m.flags AS other_flags, m.trials AS other_trials, o.*,
       EXISTS (SELECT 1 FROM result AS r JOIN device_tree AS d ON d.attempt = r.attempt WHERE r.trial = o.trial AND d.rt_cores > 0) AS hardware
FROM cell AS m
JOIN treed AS o ON o.slice = m.slice AND o.work = m.work AND o.variant = 'naive' AND o.form = 'tree optix'
WHERE m.variant = 'naive' AND m.own = '';

-- What claims compare: two stages with the report's tickets and, of several batches, the largest, beside one kernel, three stages, slots that
-- keep their pixels and one kernel on the device cpu, measured or not. gain: how many times as fast two stages are. live: share of slots with a
-- ray to trace over all rounds; of one kernel, of its lanes over all segments that a path may have. few: why claims about a whole frame leave it
-- out; the end of a frame, in which the queue is empty, weighs less the more samples it has.
CREATE TEMP VIEW compared AS
SELECT r.role, w.label, w.device_name, w.width, w.height, w.spp, w.slice, w.work, w.stands_for, w.setting, w.counted, w.live, w.few,
       w.seconds, w.trials AS own_trials, c.setting AS other_setting, c.seconds AS other_seconds,
       c.relative_ci AS other_ci, c.trials AS other_trials, coalesce(c.flags, 'not_asked') AS other_flags, c.counted AS other_counted,
       c.lanes AS other_lanes,
       iif(r.role = 'naive', 1.0 * c.rays / (c.paths * (c.max_bounces + 1)), 1.0 * c.rays / (1.0 * c.rounds * c.width * c.height)) AS other_live,
       coalesce(c.flags, 'not_asked') || '|' || w.flags AS flags, w.trials || coalesce(', ' || c.trials, '') AS trials,
       c.seconds / w.seconds AS gain, c.seconds / w.seconds * quadrature(c.relative_ci, w.relative_ci) AS half
FROM (SELECT w.*, 1.0 * w.rays / (1.0 * w.rounds * w.width * w.height) AS live,
             iif(w.spp < max(iif(m.seconds > 0, w.spp, 0)) OVER (PARTITION BY w.label), 'few_samples', '') AS few
      FROM cell AS w
      LEFT JOIN beside AS m ON m.of_setting = w.setting AND m.role = 'naive'
      WHERE w.variant = 'two_stage' AND w.largest) AS w
CROSS JOIN (SELECT column1 AS role FROM (VALUES ('naive'), ('three_stage'), ('two_stage_pixel'), ('cpu'))) AS r
LEFT JOIN beside AS c ON c.of_setting = w.setting AND c.role = r.role
ORDER BY w.label, w.slice, w.work, r.role;

-- What counts tell beside ../common.sql, of the trials that `cell` names. Lanes that evaluate each kind of material, and the warps that do,
-- once for each kind; together: share of active lanes if each warp evaluates one kind after the other; memory for results; size of the scene;
-- steps and lines of the lockstep model's closest hits, and those of full warps. 0, or no row of the model: not counted, as by other devices than the emulator.
CREATE TEMP VIEW work_done AS
SELECT *, 1.0 * shaded / (warp_width * shading_warps) AS together
FROM (SELECT n.trial, max(n.warp_width) AS warp_width, sum(b.shaded_lambert) AS lambert,
             sum(b.shaded_lambert + b.shaded_blinn + b.shaded_glass + b.shaded_chrome + b.shaded_carpaint + b.shaded_glossy + b.shaded_reflective +
                 b.shaded_transparent + b.shaded_blend) AS shaded,
             json_array(sum(b.shaded_blinn), sum(b.shaded_glass), sum(b.shaded_chrome), sum(b.shaded_carpaint), sum(b.shaded_glossy),
                        sum(b.shaded_reflective), sum(b.shaded_transparent), sum(b.shaded_blend)) AS others,
             sum(b.shading_warps) AS shading_warps, sum(b.result_bytes) AS result_bytes, sum(b.scene_triangles) AS scene_triangles,
             sum(b.tree_depth) AS tree_depth, sum(b.tree_nodes) AS tree_nodes, sum(b.tree_children) AS tree_children, sum(b.tree_assigned) AS tree_assigned,
             sum(b.node_lines) AS node_lines, sum(b.full_inner_steps) AS full_inner_steps, sum(b.full_inner_live) AS full_inner_live,
             sum(b.full_triangle_steps) AS full_triangle_steps, sum(b.full_triangle_live) AS full_triangle_live
      FROM result AS n
      JOIN bounce_counts AS b ON b.attempt = n.attempt
      WHERE n.collection = 'counts' AND n.trial IN (SELECT counted FROM treed)
      GROUP BY n.trial);

CREATE TEMP VIEW modelled AS
SELECT n.trial, sum(l.inner_steps) AS inner_steps, sum(l.inner_live) AS inner_live, sum(l.triangle_steps) AS triangle_steps,
       sum(l.triangle_live) AS triangle_live
FROM result AS n
JOIN lockstep AS l ON l.attempt = n.attempt AND l.kind = 0
WHERE n.collection = 'counts' AND n.trial IN (SELECT counted FROM treed)
GROUP BY n.trial;

-- Share of lanes that execute inside the traversal, by setting: as the hardware counted it at the marked places, in the newest trial alike but for
-- how often it was repeated, else by the model.
CREATE TEMP VIEW traversing AS
SELECT c.setting, c.counted AS trial, 'model' AS source, 1 AS rank,
       (i.weight * m.inner_live + t.weight * m.triangle_live) /
           (n.warp_width * (i.weight * m.inner_steps + t.weight * m.triangle_steps)) AS lanes
FROM treed AS c
JOIN modelled AS m ON m.trial = c.counted
JOIN work_done AS n ON n.trial = c.counted
JOIN step_weight AS i ON i.step = 'inner'
JOIN step_weight AS t ON t.step = 'triangle'
UNION ALL
SELECT setting, trial, 'hardware', 0, lanes
FROM (SELECT c.setting, a.trial, sum(w.weight * s.thread_instructions) / (max(a.warp_width) * sum(w.weight * s.instructions)) AS lanes,
             row_number() OVER (PARTITION BY c.setting ORDER BY o.last_run DESC, o.id DESC) AS nth
      FROM treed AS c
      JOIN trial_record AS o ON o.spec = c.spec
      JOIN result AS a ON a.trial = o.id AND a.collection = 'counters'
      JOIN site_count AS s ON s.attempt = a.attempt AND s.launch >= 0 AND s.site IN (1, 2)
      JOIN step_weight AS w ON w.step = iif(s.site = 1, 'inner', 'triangle')
      GROUP BY c.setting, a.trial)
WHERE nth = 1;

-- Instructions of warps and of their lanes in each stage, by the hardware, of the newest trial alike but for how often it was repeated; stage '':
-- of a single kernel.
CREATE TEMP VIEW executed AS
SELECT * FROM (SELECT c.setting, a.trial, l.stage, max(a.warp_width) * sum(s.instructions) AS lanes, sum(s.thread_instructions) AS executing,
                      rank() OVER (PARTITION BY c.setting ORDER BY o.last_run DESC, o.id DESC) AS nth
               FROM treed AS c
               JOIN trial_record AS o ON o.spec = c.spec
               JOIN result AS a ON a.trial = o.id AND a.collection = 'counters'
               JOIN launch AS l ON l.attempt = a.attempt AND l.repetition = 0 AND NOT l.auxiliary
               JOIN site_count AS s ON s.attempt = a.attempt AND s.launch = l.number AND s.site = 3
               GROUP BY c.setting, a.trial, l.stage)
WHERE nth = 1;

-- Rounds of the pipelines, and rows that stand for several; exact: the row is of one round alone.
CREATE TEMP VIEW round_use AS
SELECT r.trial, r.stage, r.round, r.launches, r.live_lanes, r.begun, r.round < t.exact_rounds AS exact
FROM pipeline_round AS r
JOIN trial_record AS t ON t.id = r.trial
WHERE r.trial IN (SELECT counted FROM cell) AND r.live_lanes NOTNULL;

-- the last round, or row of rounds, in which a path begins
CREATE TEMP VIEW last_refill AS
SELECT trial, max(round) AS round FROM round_use WHERE begun > 0 GROUP BY trial;

-- Of each setting the newest one alike but for how often it was repeated whose launches were timed.
CREATE TEMP VIEW launched_as AS
SELECT setting, launched
FROM (SELECT c.setting, o.setting AS launched, row_number() OVER (PARTITION BY c.setting ORDER BY o.newest DESC) AS nth
      FROM treed AS c JOIN configured AS o ON o.spec = c.spec
      WHERE o.setting IN (SELECT setting FROM clean_result WHERE collection = 'launches' AND times))
WHERE nth = 1;

-- Seconds of a frame in each stage of a pipeline, in its lists and in gaps, with half of the 95 % interval over replicates, and what makes
-- them weak.
CREATE TEMP VIEW stage_time AS
SELECT l.setting, stage, trials, seconds, iif(n < 5, 'few_replicates|', '') || iif(repetitions < 10, 'few_repetitions', '') AS words,
       (SELECT t FROM student_t WHERE degrees < n ORDER BY degrees DESC LIMIT 1) * sqrt(max(0, squares - seconds * seconds) / (n - 1)) AS half
FROM (SELECT setting, stage, group_concat(trial, ', ') AS trials, avg(seconds) AS seconds, avg(seconds * seconds) AS squares, count(*) AS n,
             min(repetitions) AS repetitions
      FROM (SELECT setting, trial, iif(auxiliary, 'lists', stage) AS stage, sum(seconds) / count(DISTINCT repetition) AS seconds,
                   count(DISTINCT repetition) AS repetitions
            FROM clean_launch
            WHERE times AND setting IN (SELECT launched FROM launched_as)
            GROUP BY setting, trial, iif(auxiliary, 'lists', stage)
            UNION ALL
            SELECT c.setting, c.trial, 'gaps', avg(r.gap_seconds), count(*)
            FROM clean_result AS c JOIN repetition AS r ON r.attempt = c.attempt
            WHERE c.collection = 'launches' AND c.times AND c.setting IN (SELECT launched FROM launched_as)
            GROUP BY c.setting, c.trial)
      GROUP BY setting, stage) AS s
JOIN launched_as AS l ON l.launched = s.setting;

-- Steps inside the traversal by how many lanes of a warp begin it together (lockstep model): bins of four lanes, of the trials that `treed` names.
CREATE TEMP VIEW entered AS
SELECT n.trial, (e.lanes + 3) / 4 AS bin, sum(e.warps) AS warps, sum(i.weight * e.inner_live + t.weight * e.triangle_live) AS live,
       sum(i.weight * e.inner_steps + t.weight * e.triangle_steps) AS steps
FROM result AS n
JOIN entry_lanes AS e ON e.attempt = n.attempt
JOIN step_weight AS i ON i.step = 'inner'
JOIN step_weight AS t ON t.step = 'triangle'
WHERE n.collection = 'counts' AND n.warp_width = 32 AND n.trial IN (SELECT counted FROM treed)
GROUP BY n.trial, (e.lanes + 3) / 4;

-- Sectors of 32 bytes that the first-level cache misses in a frame of one kernel, by the hardware's count; the newest of each setting.
CREATE TEMP VIEW missed AS
SELECT * FROM (SELECT t.setting, a.trial, v.value AS misses, row_number() OVER (PARTITION BY t.setting ORDER BY o.last_run DESC, o.id DESC) AS nth
               FROM result AS a
               JOIN trial_record AS o ON o.id = a.trial
               JOIN trial_record AS t ON t.spec = o.spec -- trees.yaml and trees_counters.yaml ask for other repetitions
               JOIN metric_value AS v ON v.attempt = a.attempt AND v.launch = -1
               JOIN metric_name AS n ON n.id = v.metric AND n.name = 'load_misses'
               WHERE a.collection = 'counters')
WHERE nth = 1;

-- triangles of each scene, wherever its frames were counted
CREATE TEMP VIEW scene_size AS
SELECT t.scene, max(w.scene_triangles) AS triangles FROM work_done AS w JOIN trial_record AS t ON t.id = w.trial WHERE w.scene_triangles > 0 GROUP BY t.scene;

-- A tree against the binary one of the same work and schedule. lanes: share that executes inside the traversal, by the model; stage: seconds of
-- the stage trace, of wavefronts alone.
CREATE TEMP VIEW tree_pair AS
SELECT w.label, iif(w.device_kind = 'model', w.device, w.device_name) AS machine, w.width || 'x' || w.height AS size, w.spp, w.slice, w.work,
       w.variant, w.form, w.setting, w.levels, w.flags || '|' || b.flags AS flags, w.trials || ', ' || b.trials AS trials,
       w.counted || ', ' || b.counted AS counted, w.seconds / b.seconds AS time,
       w.seconds / b.seconds * quadrature(w.relative_ci, b.relative_ci) AS half, (1.0 * w.nodes / w.rays) / (1.0 * b.nodes / b.rays) AS nodes,
       x.tree_depth AS depth, 1.0 * x.tree_depth / y.tree_depth AS height, e.lanes - f.lanes AS lanes, s.seconds / r.seconds AS stage,
       s.seconds / r.seconds * quadrature(s.half / s.seconds, r.half / r.seconds) AS stage_half, s.trials || ', ' || r.trials AS stage_trials,
       iif(w.flags || b.flags LIKE '%underfilled%', 'underfilled|', '') || s.words || '|' || r.words AS stage_flags, z.triangles, x.tree_nodes, x.tree_assigned,
       1.0 * h.misses / g.misses AS misses, h.trial || ', ' || g.trial AS missed_trials
FROM in_tree AS w
JOIN in_tree AS b ON b.slice = w.slice AND b.work = w.work AND b.variant = w.variant AND b.form = ''
LEFT JOIN work_done AS x ON x.trial = w.counted AND x.tree_depth > 0
LEFT JOIN work_done AS y ON y.trial = b.counted AND y.tree_depth > 0
LEFT JOIN traversing AS e ON e.trial = w.counted AND e.source = 'model'
LEFT JOIN traversing AS f ON f.trial = b.counted AND f.source = 'model'
LEFT JOIN scene_size AS z ON z.scene = w.scene
LEFT JOIN missed AS h ON h.setting = w.setting
LEFT JOIN missed AS g ON g.setting = b.setting
LEFT JOIN stage_time AS s ON s.setting = w.setting AND s.stage = 'trace'
LEFT JOIN stage_time AS r ON r.setting = b.setting AND r.stage = 'trace'
WHERE w.form <> '';

-- ---- what single claims compare

-- How scenes count for a claim: all that stand for one of the report's count once, and of these the nearest, its own before those that miss
-- a mesh.
CREATE TEMP VIEW scene_vote AS
SELECT DISTINCT c.label, coalesce(nullif(c.stands_for, ''), c.label) AS vote, 2 * p.original + (c.scene LIKE '%\_partial' ESCAPE '\') AS literal,
       c.stands_for <> '' AS in_document
FROM configured AS c JOIN place AS p ON p.scene = c.scene;

-- Slots that keep their pixels: by how much the iterations that pixels need vary, and why a claim leaves it out.
CREATE TEMP VIEW tied AS
WITH row AS (
    SELECT u.trial, u.round, u.launches, u.live_lanes, 1.0 * t.width * t.height AS pixels
    FROM round_use AS u JOIN trial_record AS t ON t.id = u.trial
    WHERE u.stage = 'trace' AND u.trial IN (SELECT other_counted FROM compared WHERE role = 'two_stage_pixel')
),
spread AS (
    SELECT trial, sum(live_lanes) / pixels AS mean, sum((2 * round + max(1, live_lanes / pixels)) * live_lanes) / pixels AS least,
           sum((2 * round + launches) * live_lanes) / pixels AS most
    FROM row
    GROUP BY trial
)
SELECT *, iif(few <> '', few, iif(least IS NULL, 'uncounted_pixels', iif(most < 0.5, 'even_pixels', iif(least < 0.5, 'unknown_pixels', '')))) AS excluded
FROM (SELECT c.*, sqrt(max(0, s.least - s.mean * s.mean)) / s.mean AS least, sqrt(max(0, s.most - s.mean * s.mean)) / s.mean AS most
      FROM compared AS c LEFT JOIN spread AS s ON s.trial = c.other_counted
      WHERE c.role = 'two_stage_pixel');

-- From each size of a batch to the next smaller one, and from 256 to 4, in one order. ordered: samples come in the report's random order.
CREATE TEMP VIEW batch_step AS
WITH wave AS (
    SELECT *, pool_order = 'shuffled' AS ordered, 1 - 1.0 * rays / (1.0 * rounds * width * height) AS idle
    FROM cell
    WHERE variant = 'two_stage' AND tickets = 'atomic' AND batch IN (4, 32, 128, 256) AND choice IN ('', 'pool_order ') AND pool_order <> 'cost'
)
SELECT s.slice, s.label, s.device_name, s.batch, l.batch AS larger, s.ordered, s.flags || '|' || l.flags AS flags,
       s.trials || ', ' || l.trials AS trials, s.seconds / l.seconds AS slower,
       s.seconds / l.seconds * quadrature(s.relative_ci, l.relative_ci) AS half, s.idle - l.idle AS drained,
       s.counted || ', ' || l.counted AS counted, l.batch = min(l.batch) OVER (PARTITION BY s.setting) AS next
FROM wave AS s
JOIN wave AS l ON l.slice = s.slice AND l.work = s.work AND l.batch > s.batch AND l.ordered = s.ordered;

-- The report's scenes of a slice, each of them or its nearest stand-in, with one kernel's gain over a CPU, two stages' over one kernel, the spread of
-- its path lengths and its executing lanes, beside the medians of all. third: of the most complex third. named: by the words of the claim.
CREATE TEMP VIEW complex AS
WITH length AS (                    -- paths that reach bounce b have more than b segments
    SELECT n.trial, 1.0 * sum(b.active_paths) / sum(iif(b.bounce = 0, b.active_paths, 0)) AS mean,
           1.0 * sum((2 * b.bounce + 1) * b.active_paths) / sum(iif(b.bounce = 0, b.active_paths, 0)) AS squares
    FROM result AS n JOIN bounce_counts AS b ON b.attempt = n.attempt
    WHERE n.collection = 'counts' AND b.bounce >= 0 AND n.trial IN (SELECT other_counted FROM compared WHERE role = 'naive')
    GROUP BY n.trial
),
scene AS (
    SELECT m.*, c.other_flags AS cpu_flags, c.other_trials AS cpu_trials, c.other_ci AS cpu_ci, c.other_seconds / m.other_seconds AS over_cpu,
           sqrt(max(0, l.squares - l.mean * l.mean)) / l.mean AS spread, w.scene_triangles AS triangles,
           (SELECT lanes FROM traversing WHERE setting = m.other_setting ORDER BY rank LIMIT 1) AS lanes,
           (SELECT -sum(ln(1.0 * h.value / w.shaded) * h.value / w.shaded)
            FROM json_each(json_insert(w.others, '$[#]', w.lambert)) AS h WHERE h.value > 0) AS entropy,
           row_number() OVER (PARTITION BY m.slice, v.vote ORDER BY v.literal DESC, m.spp DESC) AS nearest
    FROM compared AS m
    JOIN scene_vote AS v ON v.label = m.label AND v.in_document
    JOIN compared AS c ON c.setting = m.setting AND c.role = 'cpu'
    JOIN work_done AS w ON w.trial = m.other_counted AND w.shaded > 0
    JOIN length AS l ON l.trial = m.other_counted
    WHERE m.role = 'naive'
),
ranked AS (
    SELECT *, rank() OVER (PARTITION BY slice ORDER BY triangles) + rank() OVER (PARTITION BY slice ORDER BY entropy) AS rank FROM scene
    WHERE nearest = 1
)
SELECT r.*, m.*, r.nth <= m.scenes / 3 AS third, r.stands_for IN ('Landscape', 'Spaceship') AS named
FROM (SELECT *, row_number() OVER (PARTITION BY slice ORDER BY rank DESC, triangles DESC) AS nth FROM ranked) AS r
JOIN (SELECT slice AS of_slice, count(*) AS scenes, median(over_cpu) AS usual_cpu, median(gain) AS usual_gain, median(lanes) AS usual_lanes,
             median(spread) AS usual_spread
      FROM scene WHERE nearest = 1 GROUP BY slice) AS m ON m.of_slice = r.slice
WHERE m.scenes >= 3;

-- two stages and three of the same batch
CREATE TEMP VIEW queue_pair AS
SELECT a.label, a.device_name, a.width, a.height, a.spp, iif(a.batch < a.spp, a.batch, NULL) AS part, a.setting, b.setting AS queue_setting, a.counted,
       b.counted AS queued
FROM cell AS a
JOIN cell AS b ON b.slice = a.slice AND b.work = a.work AND b.variant = 'three_stage' AND b.choice = '' AND b.tickets = a.tickets AND b.batch = a.batch
WHERE a.variant = 'two_stage' AND a.usual;

-- how much less three stages take for shading and for what it needs, in shares of the frame of two
CREATE TEMP VIEW queue_balance AS
WITH frame AS (
    SELECT setting, sum(seconds) AS seconds, sum(iif(stage IN ('logic', 'material', 'lists', 'gaps'), seconds, 0)) AS shading,
           sum(iif(stage IN ('logic', 'material', 'lists', 'gaps'), half * half, 0)) AS variance, max(trials) AS trials
    FROM stage_time
    GROUP BY setting
    HAVING max(stage = 'logic')
)
SELECT p.*, coalesce((SELECT iif(max(f.underfilled), 'underfilled', '') FROM frame_waves AS f WHERE f.setting IN (p.setting, p.queue_setting)), '') AS flags,
       a.trials || ', ' || b.trials AS trials, b.seconds > a.seconds AS slower, (a.shading - b.shading) / a.seconds AS net,
       sqrt(a.variance + b.variance) / a.seconds AS half
FROM queue_pair AS p
JOIN frame AS a ON a.setting = p.setting
JOIN frame AS b ON b.setting = p.queue_setting;

-- the wide tree with children in slots by octant, against children as collapsed
CREATE TEMP VIEW slotted AS
SELECT o.label, o.variant, o.machine, o.size, o.spp, o.slice, o.counted || ', ' || n.counted AS counted, o.stage_trials || ', ' || n.stage_trials AS trials,
       o.nodes / n.nodes AS visits, o.stage_flags || '|' || n.stage_flags AS flags, n.stage / o.stage AS gain,
       n.stage / o.stage * quadrature(n.stage_half / n.stage, o.stage_half / o.stage) AS half
FROM tree_pair AS o
JOIN tree_pair AS n ON n.slice = o.slice AND n.work = o.work AND n.variant = o.variant AND n.form = 'wide, order none'
WHERE o.form = 'wide';

-- One kernel, and the share of its warps' samples that lie in the traversal. Lines that it shares with others, arithmetic on vectors, count half,
-- and make the interval.
CREATE TEMP VIEW sampled_kernel AS
WITH sampled AS (
    SELECT o.spec, k.trial, sum(iif(k.file GLOB 'trees/*', k.samples, 0)) AS tracing,
           sum(iif(k.file IN ('lib/vec.h', 'lib/platform_cuda.h'), k.samples, 0)) AS either, 1.0 * sum(k.samples) AS samples,
           row_number() OVER (PARTITION BY o.spec ORDER BY o.last_run DESC, o.id DESC) AS nth
    FROM stall_lines AS k JOIN trial_record AS o ON o.id = k.trial
    WHERE (SELECT run FROM report_option) = '' OR o.id IN (SELECT trial FROM asked)
    GROUP BY k.trial
)
SELECT c.*, k.trial AS sampled, (k.tracing + 0.5 * k.either) / k.samples AS share, 0.5 * k.either / k.samples AS half, w.scene_triangles
FROM cell AS c
JOIN sampled AS k ON k.spec = c.spec AND k.nth = 1
LEFT JOIN work_done AS w ON w.trial = c.counted
WHERE c.variant = 'naive' AND c.own = '' AND c.device_kind <> 'processor';

-- wavefronts as the report's, of any batch
CREATE TEMP VIEW wavefront AS
SELECT label, device_name, width, height, spp, iif(variant = 'three_stage', 3, 2) AS stages, iif(batch < spp, batch, NULL) AS part, setting,
       coalesce((SELECT iif(f.underfilled, 'underfilled', '') FROM frame_waves AS f WHERE f.setting = cell.setting), '') AS timed_flags,
       0.5 * (variant = 'two_stage') + 0.0001 * min(spp, 4096) AS nearness
FROM cell
WHERE variant IN ('two_stage', 'three_stage') AND usual;

-- memory in which results wait
CREATE TEMP VIEW kept AS
SELECT c.*, w.result_bytes AS bytes FROM cell AS c JOIN work_done AS w ON w.trial = c.counted WHERE c.variant IN ('two_stage', 'three_stage');

-- two stages with rays sorted between them, against rays that are not
CREATE TEMP VIEW sorted_rays AS
SELECT s.label, s.device_name, s.width, s.height, iif(s.batch < s.spp, s.batch, NULL) AS part, s.ray_sort, b.setting AS unsorted,
       s.counted || ', ' || b.counted AS counted, s.trials || ', ' || b.trials AS trials, s.flags || '|' || b.flags AS flags,
       s.seconds / b.seconds AS time, s.seconds / b.seconds * quadrature(s.relative_ci, b.relative_ci) AS half,
       (1.0 * x.node_lines / m.inner_steps) / (1.0 * y.node_lines / n.inner_steps) AS lines,
       (1.0 * x.node_lines / m.inner_live) / (1.0 * y.node_lines / n.inner_live) AS in_all, e.lanes - f.lanes AS lanes
FROM cell AS s
JOIN cell AS b ON b.slice = s.slice AND b.work = s.work AND b.variant = s.variant AND b.tickets = s.tickets AND b.batch = s.batch AND b.choice = ''
LEFT JOIN work_done AS x ON x.trial = s.counted AND x.node_lines > 0
LEFT JOIN work_done AS y ON y.trial = b.counted AND y.node_lines > 0
LEFT JOIN modelled AS m ON m.trial = s.counted
LEFT JOIN modelled AS n ON n.trial = b.counted
LEFT JOIN traversing AS e ON e.trial = s.counted AND e.source = 'model'
LEFT JOIN traversing AS f ON f.trial = b.counted AND f.source = 'model'
WHERE s.variant = 'two_stage' AND s.choice = 'ray_sort ';
