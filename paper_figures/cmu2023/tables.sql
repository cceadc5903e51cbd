-- SPDX-License-Identifier: MIT
-- CMU report: the query of each table, under its id. A panel is a slice of common.sql: a device, an image size, a number of samples, a bounce
-- limit and a schedule. Rows in long form: of a series each.

-- [table1]
-- Table 1: time of a sample per pixel of one kernel, by the report's rules. A row is a scene, a series the device or what traverses.
SELECT p.*, m.label, b.role, b.seconds, b.relative_ci, b.flags, b.trials AS of_trials,
       (SELECT q.scene FROM published_table1 AS q LEFT JOIN full_name AS n ON n.scene = q.scene
        WHERE lower(coalesce(n.name, q.scene)) = lower(m.stands_for)) AS paper_scene
FROM slice AS p
JOIN cell AS m ON m.slice = p.slice AND m.variant = 'naive' AND m.own = ''
JOIN (SELECT of_setting, role, seconds, relative_ci, flags, trials FROM beside
      UNION ALL
      SELECT of_setting, 'optix', seconds, relative_ci,
             trim(flags || iif(hardware, '', '|no_rt'), '|'), trials FROM over_optix) AS b ON b.of_setting = m.setting
ORDER BY p.device_name, p.width * p.height, m.label

-- [table2]
-- Table 2, and what counts tell: one kernel, wavefronts of two and of three stages, and of two whose slots keep their pixels. A row is a scene and
-- a kind of tickets, at the largest of several batches; a series is a variant.
SELECT p.*, w.label, iif(w.tickets = 'atomic', w.tickets, NULL) AS atomic, iif(w.batch < w.spp, w.batch, NULL) AS part, q.scene AS paper_scene, b.role,
       b.seconds, b.relative_ci, b.flags, b.trials AS of_trials, b.lanes, b.rounds, b.launches, 1.0 * b.rays / b.paths AS extensions,
       b.counted_flags, b.counted,
       min(iif(b.role = 'naive', b.lanes, NULL)) OVER panel AS kernel_least, max(iif(b.role = 'naive', b.lanes, NULL)) OVER panel AS kernel_most,
       min(iif(b.role = 'two_stage', b.lanes, NULL)) OVER panel AS least, max(iif(b.role = 'two_stage', b.lanes, NULL)) OVER panel AS most,
       (SELECT min(mega / wave2) FROM published_table2) AS told_least, (SELECT max(mega / wave2) FROM published_table2) AS told_most
FROM slice AS p
JOIN cell AS w ON w.slice = p.slice AND w.variant = 'two_stage'
JOIN beside AS b ON b.of_setting = w.setting
LEFT JOIN published_table2 AS q ON lower(q.scene) = lower(w.stands_for)
WINDOW panel AS (PARTITION BY p.slice)
ORDER BY p.device_name, p.width * p.height,
         w.label || iif(w.tickets = 'atomic', ', tickets atomic', '') || iif(w.batch < w.spp, ', batch ' || w.batch, '')

-- [table3]
-- Table 3: time of a sample per pixel of one kernel and of two stages, over the binary tree and over the wide one. A row is a scene, a series a
-- variant and a tree.
SELECT p.*, c.label, q.scene AS paper_scene, c.variant || iif(c.form = '', '', ' wide') AS series, c.seconds, c.relative_ci, c.flags,
       c.trials AS of_trials, min(r.nodes) OVER panel AS least, max(r.nodes) OVER panel AS most, min(r.time) OVER panel AS time_least,
       max(r.time) OVER panel AS time_most, t.*
FROM slice AS p
JOIN in_tree AS c ON c.slice = p.slice AND c.form IN ('', 'wide')
LEFT JOIN tree_pair AS r ON r.setting = c.setting
LEFT JOIN published_table3 AS q ON lower(q.scene) = lower(c.stands_for)
CROSS JOIN (SELECT min(mega_wbvh / mega_bvh) AS told_least, max(mega_wbvh / mega_bvh) AS told_most, min(wave_wbvh / wave_bvh) AS told_wave_least,
                   max(wave_wbvh / wave_bvh) AS told_wave_most
            FROM published_table3) AS t
WHERE EXISTS (SELECT 1 FROM in_tree AS w WHERE w.slice = c.slice AND w.work = c.work AND w.form = 'wide')
WINDOW panel AS (PARTITION BY p.slice)
ORDER BY p.device_name, p.width * p.height, c.label

-- [table4]
-- Table 4: time of a sample per pixel of two stages. A row is a scene under one kind of tickets and one order of the samples, a series the size
-- of a batch. In one batch of all samples no pixel is known to be dear: that in sequence stands in the rows of dearest first, too.
WITH ordered AS (
    SELECT *, pool_order AS order_of FROM cell WHERE variant = 'two_stage' AND choice IN ('', 'pool_order ')
    UNION ALL
    SELECT c.*, o.pool_order
    FROM cell AS c
    JOIN (SELECT DISTINCT slice, work, tickets, pool_order FROM cell WHERE variant = 'two_stage' AND choice = 'pool_order ' AND pool_order = 'cost') AS o
        ON o.slice = c.slice AND o.work = c.work AND o.tickets = c.tickets
    WHERE c.variant = 'two_stage' AND c.choice = '' AND c.batch = c.spp
)
SELECT * FROM (
    SELECT p.*, c.label, iif(c.tickets = 'atomic', c.tickets, NULL) AS atomic, nullif(c.order_of, 'sequential') AS other_order,
           q.scene AS paper_scene, c.batch, c.seconds, c.relative_ci, c.flags, c.trials AS of_trials,
           1.0 * c.rounds / max(iif(c.batch = 256, c.rounds, NULL)) OVER line AS rounds,
           c.counted_flags || '|' || coalesce(max(iif(c.batch = 256, c.counted_flags, NULL)) OVER line, 'not_asked') AS rounds_flags,
           count(*) OVER line AS sizes
    FROM slice AS p
    JOIN ordered AS c ON c.slice = p.slice
    LEFT JOIN published_table4 AS q ON lower(q.scene) = lower(c.stands_for)
    WHERE p.batches > 1 AND c.batch IN (4, 32, 128, 256)
    WINDOW line AS (PARTITION BY p.slice, c.work, c.tickets, c.order_of)
)
WHERE sizes > 1
ORDER BY device_name, width * height, label || coalesce(', tickets ' || atomic, '') || coalesce(', ' || other_order, '')

-- [choices]
-- What each choice of a wavefront does to its time, against the same wavefront without it. A row is a scene, a wavefront and its choices.
SELECT p.*, c.label, c.variant, c.chosen, c.seconds, c.relative_ci, c.flags, c.trials AS of_trials, b.seconds / c.seconds AS speedup,
       b.flags || '|' || c.flags AS speedup_flags, c.trials || ', ' || b.trials AS speedup_trials, c.lanes, c.rounds, c.launches, c.mixed_warps,
       c.atomics, 1.0 * c.moved_bytes / c.paths AS moved, c.counted_flags, c.counted
FROM slice AS p
JOIN cell AS c ON c.slice = p.slice
JOIN cell AS b ON b.slice = c.slice AND b.work = c.work AND b.variant = c.variant AND b.tickets = c.tickets AND b.batch = c.batch AND b.choice = ''
WHERE c.choice <> ''
ORDER BY p.device_name, p.width * p.height, c.label || ', ' || c.variant || ': ' || c.chosen

-- [tree_choices]
-- What each choice of the wide tree does, against the binary tree. OptiX does not tell what it visits. A row is a scene, a pipeline and a tree.
SELECT p.*, c.label, c.variant, coalesce(nullif(c.form, ''), 'binary') AS tree, c.seconds, c.relative_ci, c.flags, c.trials AS of_trials,
       r.time AS ratio, coalesce(r.flags, 'binary_itself') AS ratio_flags, coalesce(r.trials, c.trials) AS ratio_trials,
       1.0 * nullif(c.nodes, 0) / c.rays AS nodes, iif(c.nodes > 0, 1.0 * c.triangles / c.rays, NULL) AS triangles,
       iif(c.nodes > 0, x.tree_depth, NULL) AS depth, 1.0 * nullif(x.tree_children, 0) / x.tree_nodes AS children,
       1.0 * x.node_lines / nullif(m.inner_steps, 0) AS lines, e.lanes,
       iif(c.form = 'tree optix', 'untold', c.counted_flags) AS visit_flags, c.counted_flags, c.counted
FROM slice AS p
JOIN in_tree AS c ON c.slice = p.slice
LEFT JOIN tree_pair AS r ON r.setting = c.setting
LEFT JOIN work_done AS x ON x.trial = c.counted
LEFT JOIN modelled AS m ON m.trial = c.counted
LEFT JOIN traversing AS e ON e.trial = c.counted AND e.source = 'model'
WHERE p.forms > 0
ORDER BY p.device_name, p.width * p.height, c.label, c.variant, c.form

-- [entry_lanes]
-- Lanes at work inside the traversal by live lanes at its entry (lockstep model). A row is a scene and a number of lanes, a series a pipeline and a
-- tree.
WITH shown AS (
    SELECT c.slice, c.label, e.bin, c.variant || iif(c.form = '', '', ' ' || c.form) AS series, e.live / e.steps AS lanes,
           100.0 * e.warps / sum(e.warps) OVER (PARTITION BY c.setting) AS share, c.counted
    FROM in_tree AS c
    JOIN entered AS e ON e.trial = c.counted
    WHERE c.form IN ('', 'wide', 'wide of 4', 'wide of 2') AND e.steps > 0 AND
          c.slice IN (SELECT slice FROM in_tree AS t WHERE t.form <> '' AND t.counted IN (SELECT trial FROM entered))
)
SELECT p.*, l.label, 4 * l.bin - 3 AS first, 4 * l.bin AS last, n.series, s.share, s.lanes, s.counted
FROM slice AS p
JOIN (SELECT DISTINCT slice, label, bin FROM shown) AS l ON l.slice = p.slice
CROSS JOIN (SELECT DISTINCT series FROM shown) AS n
LEFT JOIN shown AS s ON s.slice = l.slice AND s.label = l.label AND s.bin = l.bin AND s.series = n.series
ORDER BY p.device_name, p.width * p.height, l.label, l.bin

-- [instances]
-- Scenes of instances: what each pair of trees does, against binary ones on both levels. A row is a scene, a pipeline and a pair of trees.
WITH counted AS (
    SELECT n.trial, sum(b.top_nodes) AS top_nodes, sum(b.instances_entered) AS entered
    FROM result AS n JOIN bounce_counts AS b ON b.attempt = n.attempt
    WHERE n.collection = 'counts' AND n.trial IN (SELECT counted FROM treed WHERE levels)
    GROUP BY n.trial
),
printed AS (                        -- the report's row of such a scene
    SELECT scene, 'naive' AS variant, '' AS form, mega_bvh AS seconds, mega_bvh_half AS half, NULL AS ratio FROM published_table3
    UNION ALL SELECT scene, 'naive', 'wide', mega_wbvh, mega_wbvh_half, mega_wbvh / mega_bvh FROM published_table3
    UNION ALL SELECT scene, 'two_stage', '', wave_bvh, wave_bvh_half, NULL FROM published_table3
    UNION ALL SELECT scene, 'two_stage', 'wide', wave_wbvh, wave_wbvh_half, wave_wbvh / wave_bvh FROM published_table3
)
SELECT p.*, c.label, c.variant,
       CASE c.form WHEN '' THEN 'binary over binary' WHEN 'wide' THEN 'wide over wide' WHEN 'wide, binary top' THEN 'binary over wide'
                   WHEN 'top tree wide' THEN 'wide over binary' ELSE c.form END AS trees,
       c.seconds, c.relative_ci, c.flags, c.trials AS of_trials, c.seconds / b.seconds AS ratio,
       iif(c.form = '', 'binary_itself', coalesce(c.flags || '|' || b.flags, 'not_asked')) AS ratio_flags,
       c.trials || coalesce(', ' || b.trials, '') AS ratio_trials, 1.0 * nullif(c.nodes, 0) / c.rays AS nodes,
       iif(c.nodes > 0, 1.0 * n.top_nodes / c.rays, NULL) AS top_nodes, iif(c.nodes > 0, 1.0 * n.entered / c.rays, NULL) AS entered,
       iif(c.nodes > 0, 1.0 * c.triangles / c.rays, NULL) AS triangles, iif(c.nodes > 0, x.tree_depth, NULL) AS depth,
       iif(c.form = 'tree optix', 'untold', c.counted_flags) AS visit_flags, c.counted_flags, c.counted,
       q.seconds AS printed_seconds, q.half AS printed_half, q.ratio AS printed_ratio
FROM slice AS p
JOIN treed AS c ON c.slice = p.slice AND c.levels AND c.largest AND c.variant <> 'two_stage_pixel'
LEFT JOIN treed AS b ON b.slice = c.slice AND b.work = c.work AND b.variant = c.variant AND b.form = '' AND b.levels AND b.largest
LEFT JOIN counted AS n ON n.trial = c.counted
LEFT JOIN work_done AS x ON x.trial = c.counted
LEFT JOIN printed AS q ON lower(q.scene) = lower(c.stands_for) AND q.variant = c.variant AND q.form = c.form
ORDER BY p.device_name, p.width * p.height, c.label, c.variant, c.form
