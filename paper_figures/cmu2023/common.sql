-- SPDX-License-Identifier: MIT
-- After ../common.sql: what the tables of the CMU report share.

-- its wavefronts, for ../parts.sql
CREATE TEMP VIEW document_variant AS
SELECT column1 AS variant FROM (VALUES ('two_stage'), ('two_stage_pixel'), ('three_stage'));

-- Settings under the report's rules: no shadow rays but half of the next directions drawn from the lights, roulette by the largest weight.
-- plain: in all but tickets and batch as the report's final program. slice: what a panel is of. A batch of all samples is in it once: of settings that differ in
-- how many rounds are stored one by one, or in when to stop, the one with most replicates.
-- form: the tree, '' for the binary one. subject: equal where the same paths are traced, but for how many of each pixel.
CREATE TEMP VIEW treed AS
SELECT * FROM (
    SELECT m.*, iif(t.tree IN ('wide', 'wide_compressed'), replace(t.tree, '_', ' ') || iif(t.tree = 'wide' AND t.tree_width <> '8', ' of ' || t.tree_width, '') ||
                        iif(t.child_order = 'octant', '', ', order ' || t.child_order) || iif(t.node_align = '16', '', ', aligned') ||
                        iif(t.tree_stack = 'children', '', ', ' || t.tree_stack) || iif(t.instances = 'two_level' AND t.top_tree = 'binary', ', binary top', ''),
                    m.axes) AS form, t.instances = 'two_level' AS levels,
           coalesce(t.batch, t.spp) AS batch, coalesce(t.tickets, '') AS tickets, t.pool, t.pool_order, t.accumulate, t.extend_over, t.ray_sort, t.queues,
           coalesce(t.pool, '') || coalesce(t.pool_order, 'sequential') || coalesce(t.accumulate, 'atomic') || coalesce(t.extend_over, 'slots') ||
               coalesce(t.ray_sort, 'none') || coalesce(t.queues, 'material') = 'sequentialatomicslotsnonematerial' AS plain,
           m.device_name || '|' || m.width || '|' || m.height || '|' || m.max_bounces || '|' || m.family || '|' || m.schedule AS slice,
           m.label || '|' || t.scene_content || '|' || m.width || '|' || m.height || '|' || m.max_bounces || '|' || coalesce(m.materials, '') || '|' || m.schedule ||
               substr(m.family, instr(m.family, ',')) AS subject,
           row_number() OVER (PARTITION BY m.work, m.device_name, m.schedule, m.axes, m.variant, coalesce(t.batch, t.spp), t.tickets, t.pool, t.pool_order, t.accumulate,
                                           t.extend_over, t.ray_sort, t.queues 
                              ORDER BY t.batch IS NULL, m.seconds IS NULL, (SELECT count(*) FROM trial_record AS o WHERE o.setting = m.setting) DESC, m.newest DESC) AS nth_alike
    FROM measured AS m
    JOIN trial_record AS t ON t.id = m.trial
    WHERE m.variant IN ('naive', 'two_stage', 'two_stage_pixel', 'three_stage') AND m.lighting = 'mix' AND m.first_camera AND m.family LIKE '%roulette yocto')
WHERE nth_alike = 1;

-- the same on the binary tree
CREATE TEMP VIEW cell AS
SELECT * FROM treed WHERE axes = '';

-- On any tree one kernel, and two stages with the report's tickets and, of several batches, the largest.
CREATE TEMP VIEW in_tree AS
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY slice, work, variant, form ORDER BY batch DESC) AS nth FROM treed
               WHERE variant = 'naive' AND own = '' OR variant = 'two_stage' AND plain AND tickets = 'atomic')
WHERE nth = 1;

CREATE TEMP VIEW slice AS
SELECT slice, device_name, width, height, max_bounces, family, schedule, min(device) AS device, group_concat(trials, ', ') AS trials, max(newest) AS newest,
       count(*) AS settings, count(DISTINCT variant) AS variants, count(DISTINCT iif(variant = 'two_stage', batch, NULL)) AS batches, sum(NOT plain) AS choices
FROM cell
GROUP BY slice
HAVING max(variant = 'two_stage');

-- One kernel on the device cpu: the newest of each subject. It takes one sample after the other, so that the time of one hardly depends on how many
-- there are, and few decide.
CREATE TEMP VIEW on_cpu AS
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY subject ORDER BY newest DESC) AS nth FROM cell WHERE variant = 'naive' AND own = '' AND device_kind = 'processor')
WHERE nth = 1;

-- What claims compare: two stages with the report's tickets and, of several batches, the largest, beside one kernel (m), three stages (d), slots
-- that keep their pixels (t) and one kernel on the device cpu (c). live: share of slots with a ray to trace over all rounds; of one kernel,
-- of its lanes over all segments that a path may have. few: why claims about a whole frame leave it out; the end of a frame, in which the queue
-- is empty, weighs less the more samples it has.
CREATE TEMP VIEW compared AS
SELECT w.label || ', ' || w.device_name || ', ' || w.width || 'x' || w.height || ', ' || w.spp || ' samples' AS place, w.label, w.slice, w.work, w.stands_for, w.spp, w.setting AS wave2_setting, m.setting AS mega_setting,
       w.seconds AS wave2, w.relative_ci AS wave2_ci,
       w.flags AS wave2_flags, w.trials AS wave2_trials, w.lanes AS wave2_lanes, w.counted AS wave2_counted,
       1.0 * w.rays / (1.0 * w.rounds * w.width * w.height) AS wave2_live,
       m.seconds AS mega, m.relative_ci AS mega_ci, coalesce(m.flags, 'not_asked') AS mega_flags, m.trials AS mega_trials, m.lanes AS mega_lanes,
       1.0 * m.rays / (m.paths * (m.max_bounces + 1)) AS mega_live, m.counted AS mega_counted,
       d.seconds AS wave3, d.relative_ci AS wave3_ci, coalesce(d.flags, 'not_asked') AS wave3_flags, d.trials AS wave3_trials, d.counted AS wave3_counted,
       1.0 * d.rays / (1.0 * d.rounds * d.width * d.height) AS wave3_live,
       t.seconds AS tied, t.relative_ci AS tied_ci, coalesce(t.flags, 'not_asked') AS tied_flags, t.trials AS tied_trials, t.counted AS tied_counted,
       1.0 * t.rays / (1.0 * t.rounds * t.width * t.height) AS tied_live,
       iif(w.spp < max(iif(m.seconds > 0, w.spp, 0)) OVER (PARTITION BY w.label), 'the scene was measured with more samples, too; the report has 256', '') AS few,
       c.seconds AS cpu, c.relative_ci AS cpu_ci, coalesce(c.flags, 'not_asked') AS cpu_flags, c.trials AS cpu_trials
FROM (SELECT *, row_number() OVER (PARTITION BY slice, work ORDER BY batch DESC) AS nth FROM cell WHERE variant = 'two_stage' AND plain AND tickets = 'atomic') AS w
LEFT JOIN cell AS m ON m.slice = w.slice AND m.work = w.work AND m.variant = 'naive' AND m.own = ''
LEFT JOIN cell AS t ON t.slice = w.slice AND t.work = w.work AND t.variant = 'two_stage_pixel' AND t.chosen = ''
LEFT JOIN cell AS d ON d.slice = w.slice AND d.work = w.work AND d.variant = 'three_stage' AND d.plain AND d.tickets = w.tickets AND d.batch = w.batch
LEFT JOIN on_cpu AS c ON c.subject = w.subject
WHERE w.nth = 1;

-- What counts tell beside ../common.sql, of the trials that `cell` names. Lanes that evaluate each kind of material, and the warps that do,
-- once for each kind; memory for results; size of the scene; steps and lines of the lockstep model's closest hits, and those of full warps.
-- 0, or no row of the model: not counted, as by other devices than the emulator.
CREATE TEMP VIEW work_done AS
SELECT n.trial, max(n.warp_width) AS warp_width, sum(b.shaded_lambert) AS lambert,
       sum(b.shaded_lambert + b.shaded_blinn + b.shaded_glass + b.shaded_chrome + b.shaded_carpaint + b.shaded_glossy + b.shaded_reflective +
           b.shaded_transparent + b.shaded_blend) AS shaded,
       json_array(sum(b.shaded_blinn), sum(b.shaded_glass), sum(b.shaded_chrome), sum(b.shaded_carpaint), sum(b.shaded_glossy), sum(b.shaded_reflective),
                  sum(b.shaded_transparent), sum(b.shaded_blend)) AS others,
       sum(b.shading_warps) AS shading_warps, sum(b.result_bytes) AS result_bytes, sum(b.scene_triangles) AS scene_triangles, sum(b.tree_depth) AS tree_depth,
       sum(b.tree_nodes) AS tree_nodes, sum(b.tree_children) AS tree_children, sum(b.tree_assigned) AS tree_assigned,
       sum(b.node_lines) AS node_lines, sum(b.full_inner_steps) AS full_inner_steps, sum(b.full_inner_live) AS full_inner_live,
       sum(b.full_triangle_steps) AS full_triangle_steps, sum(b.full_triangle_live) AS full_triangle_live
FROM result AS n
JOIN bounce_counts AS b ON b.attempt = n.attempt
WHERE n.collection = 'counts' AND n.trial IN (SELECT counted FROM treed)
GROUP BY n.trial;

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

-- Seconds of a frame in each stage of a pipeline, in its lists and in gaps, with half of the 95 % interval over replicates.
CREATE TEMP VIEW stage_time AS
SELECT l.setting, stage, trials, seconds, (SELECT t FROM student_t WHERE degrees < n ORDER BY degrees DESC LIMIT 1) * sqrt(max(0, squares - seconds * seconds) / (n - 1)) AS half
FROM (SELECT setting, stage, group_concat(trial, ', ') AS trials, avg(seconds) AS seconds, avg(seconds * seconds) AS squares, count(*) AS n
      FROM (SELECT setting, trial, iif(auxiliary, 'lists', stage) AS stage, sum(seconds) / count(DISTINCT repetition) AS seconds
            FROM clean_launch
            WHERE times AND setting IN (SELECT launched FROM launched_as)
            GROUP BY setting, trial, iif(auxiliary, 'lists', stage)
            UNION ALL
            SELECT c.setting, c.trial, 'gaps', avg(r.gap_seconds)
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

-- A tree (w) against the binary one (b) of the same work and schedule. Per ray: nodes and lines; lanes: share that executes inside the traversal, by
-- the model; stage: seconds of the stage trace, of wavefronts alone.
CREATE TEMP VIEW tree_pair AS
SELECT w.label || ', ' || w.variant || ', ' || iif(w.device_kind = 'model', w.device, w.device_name) || ', ' || w.width || 'x' || w.height || ', ' || w.spp || ' samples' AS place, w.label, w.slice, w.work, w.variant, w.form,
       w.flags || '|' || b.flags AS flags, w.trials || ', ' || b.trials AS trials, w.counted || ', ' || b.counted AS counted,
       w.seconds / b.seconds AS time, w.seconds / b.seconds * sqrt(w.relative_ci * w.relative_ci + b.relative_ci * b.relative_ci) AS half,
       1.0 * w.nodes / w.rays AS nodes, 1.0 * b.nodes / b.rays AS binary_nodes, x.tree_depth AS depth, y.tree_depth AS binary_depth,
       e.lanes, f.lanes AS binary_lanes, s.seconds / r.seconds AS stage,
       s.seconds / r.seconds * sqrt(s.half * s.half / (s.seconds * s.seconds) + r.half * r.half / (r.seconds * r.seconds)) AS stage_half,
       s.trials || ', ' || r.trials AS stage_trials, z.triangles, iif(w.flags || b.flags LIKE '%underfilled%', 'underfilled', '') AS stage_flags,
       x.tree_nodes, x.tree_assigned, 1.0 * h.misses / g.misses AS misses, h.trial || ', ' || g.trial AS missed_trials, w.levels
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
