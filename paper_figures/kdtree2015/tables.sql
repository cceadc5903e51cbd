-- SPDX-License-Identifier: MIT
-- Chapter on a kd-tree: the query of each table, under its id. kd_cell, kd_time and the other views are those of common.sql.

-- [node_layouts]
-- 4.1: layouts of one tree. A panel per scene, image size and triangle test; a row is a layout.
SELECT l.layout, l.published, l.bytes, l.bytes / 4.0 AS words, l.loads, c.tree_bytes / 1024.0 AS tree,
       1.0 * c.visit_sectors / c.nodes AS sectors, 32.0 * c.visit_sectors / c.rays AS fetched,
       1.0 * c.node_lines / c.inner_steps AS lines, 1.0 * c.node_sectors / c.inner_steps AS warp_sectors,
       1.0 * c.list_lines / c.leaf_visits AS list_lines, 1.0 * c.leaf_lines / c.leaf_visits AS leaf_lines, c.trial AS counted_trial,
       c.work AS frame, c.scene, c.camera, c.device, c.device_name, c.width, c.height, c.max_bounces,
       'naive, triangle test ' || replace(c.triangle_test, '_', ' ') AS work, group_concat(c.trial, ', ') OVER rays AS trials
FROM kd_cell AS c
JOIN kd_layout AS l ON l.tree = c.tree
WHERE c.plain
WINDOW rays AS (PARTITION BY c.work, c.device_name)
ORDER BY c.scene, c.triangle_test DESC, c.width, c.work, l.place

-- [node_bits]
-- 4.1: bits of the first word of a node, as kernels/trees/kd16.h has them (tests/test_kd_layouts.c reads them byte by byte).
SELECT 1 AS panel, column1 AS field, column1 AS published, column2 AS bits
FROM (VALUES ('axis', 2), ('triangle_count', 5), ('is_leaf', 1), ('left_child', 24))

-- [triangle_test]
-- 4.3: operations of a triangle test, counted in the text of the kernels; no trial. No ratio where the printed number is corrected by this very count.
SELECT 1 AS panel, column2 AS test, column3 AS published, o.mul, o.addsub, o.div, column4 AS bytes,
       iif(column3 = 'standard', NULL, 1.0 * o.mul / q.mul) AS mul_ratio, iif(column3 = 'woop', NULL, 1.0 * o.addsub / q.addsub) AS addsub_ratio
FROM (VALUES ('moeller_trumbore', 'Möller and Trumbore', 'standard', 36), ('affine', 'affine', 'woop', 48), ('watertight', 'watertight', NULL, 36))
JOIN operations AS o ON o.test = column1
LEFT JOIN published_triangle_test AS q ON q.test = column3

-- [stacks]
-- 4.2: what the stack holds. A panel per scene and image size; a row is a kind of stack.
SELECT column2 AS stack, column4 AS bytes, 1.0 * c.nodes / c.rays AS nodes, 1.0 * c.node_loads / c.rays AS loads,
       1.0 * c.never_visited / c.rays AS never, c.trial AS counted_trial, c.work AS frame, c.scene, c.camera, c.device, c.device_name,
       c.width, c.height, c.max_bounces, 'naive' AS work, group_concat(c.trial, ', ') OVER (PARTITION BY c.work, c.device_name) AS trials
FROM kd_cell AS c
JOIN (VALUES ('index', 'index', 1, 8), ('address', 'address', 2, 16), ('record', 'the node itself', 3, 32)) ON column1 = c.kd_stack
WHERE c.tree = 'kd16' AND c.kd_order = 'depth' AND c.kd_step = 'xor' AND c.pixel_order = 'tile' AND c.affine_order = 'all'
ORDER BY c.scene, c.width, c.work, column3

-- [layout_times]
-- 4.1, on a GPU: frame time with each layout, and what the first-level cache misses. A panel per scene, image size and triangle test; a row
-- is a layout.
SELECT l.layout, c.seconds, c.relative_ci, c.flags, c.trials, c.seconds / first_value(c.seconds) OVER (rays ORDER BY l.place) AS ratio,
       iif(rank() OVER (rays ORDER BY l.place) = 1, '', first_value(c.trials || ', ') OVER (rays ORDER BY l.place)) || c.trials AS ratio_trials,
       first_value(c.flags) OVER (rays ORDER BY l.place) || '|' || c.flags AS ratio_flags,
       1.0 * h.sectors / h.visits AS sectors, 1.0 * h.misses / h.visits AS misses, h.trial AS hardware, iif(h.trial, '', NULL) AS counters,
       c.work AS frame, c.scene, c.camera, c.device, c.device_name, c.width, c.height, c.max_bounces, c.schedule,
       'naive, triangle test ' || replace(c.triangle_test, '_', ' ') AS work
FROM kd_time AS c
JOIN kd_layout AS l ON l.tree = c.tree
LEFT JOIN kd_hardware AS h ON h.place = c.place AND h.tree = c.tree AND h.kd_step = c.kd_step AND h.triangle_test = c.triangle_test
WHERE c.device_kind <> 'model' AND c.kd_step = 'xor' AND c.triangle_test <> 'moeller_trumbore'
WINDOW rays AS (PARTITION BY c.work, c.device_name, c.schedule)
ORDER BY c.scene, c.triangle_test DESC, c.width, c.work, l.place

-- [steps]
-- 4.2, on a GPU: the forms of the step. A panel per scene and image size; a row is a form.
WITH form (kd_step, step, place) AS (VALUES
    ('branchy', 'a branch for each case', 1), ('hoist', 'common statements hoisted', 2), ('swap', 'swap in place', 3),
    ('mask', 'mask and add', 4), ('all', 'hoisted, mask and add', 5), ('xor', 'exclusive or (default)', 6))
SELECT f.step, c.seconds, c.relative_ci, c.flags, c.trials, c.seconds / first_value(c.seconds) OVER (rays ORDER BY f.place) AS ratio,
       iif(rank() OVER (rays ORDER BY f.place) = 1, '', first_value(c.trials || ', ') OVER (rays ORDER BY f.place)) || c.trials AS ratio_trials,
       first_value(c.flags) OVER (rays ORDER BY f.place) || '|' || c.flags AS ratio_flags,
       100.0 * h.divergent / h.visits AS divergent, 1.0 * h.instructions / h.steps AS instructions, h.trial AS hardware,
       iif(h.trial, '', NULL) AS counters, c.work AS frame, c.scene, c.camera, c.device, c.device_name, c.width, c.height,
       c.max_bounces, c.schedule, 'naive, tree kd16' AS work
FROM kd_time AS c
JOIN form AS f ON f.kd_step = c.kd_step
LEFT JOIN kd_hardware AS h ON h.place = c.place AND h.tree = c.tree AND h.kd_step = c.kd_step AND h.triangle_test = c.triangle_test
WHERE c.device_kind <> 'model' AND c.tree = 'kd16' AND c.triangle_test = 'watertight'
WINDOW rays AS (PARTITION BY c.work, c.device_name, c.schedule)
ORDER BY c.scene, c.width, c.work, f.place

-- [triangle_rates]
-- 4.3, on a GPU: the triangle tests in the same tree. A panel per scene and image size; a row is a test.
SELECT column2 AS test, c.seconds, c.relative_ci, c.flags, c.trials, 1.0 * c.tests / c.rays AS tests, 1e-6 * c.tests / c.seconds AS rate,
       c.counted, iif(c.counted, '', NULL) AS counted_flags, c.place AS frame, c.scene, c.camera, c.device, c.device_name, c.width,
       c.height, c.max_bounces, c.schedule, 'naive, tree kd16' AS work
FROM kd_time AS c
JOIN (VALUES ('moeller_trumbore', 'Möller and Trumbore', 1), ('affine', 'affine', 2), ('watertight', 'watertight', 3))
ON column1 = c.triangle_test
WHERE c.device_kind <> 'model' AND c.tree = 'kd16' AND c.kd_step = 'xor'
ORDER BY c.scene, c.width, column3

-- [bounces]
-- Opening paragraph: what rays and warps read, by bounce, and how often lanes part, beside the same rays dealt to lanes at random. A panel
-- per scene and image size.
SELECT x.bounce, x.rays AS paths, 1.0 * x.node_loads / x.rays AS loads, (16.0 * x.node_loads + 40.0 * x.triangles) / x.rays AS read,
       32.0 * x.node_sectors / x.rays AS fetched, 32.0 * y.node_sectors / y.rays AS random_fetched,
       100.0 * x.parted_order / x.inner_steps AS parted, 100.0 * y.parted_order / y.inner_steps AS random_parted,
       1.0 * x.inner_live / x.inner_steps AS lanes, 1.0 * x.node_lines / x.inner_steps AS lines,
       1.0 * x.node_lines / x.inner_live AS share, 1.0 * y.node_lines / y.inner_live AS random_share,
       (1.0 * x.node_lines / x.inner_live) / (1.0 * y.node_lines / y.inner_live) AS relative, a.trial || ', ' || b.trial AS trials,
       a.scene, a.camera, a.device, a.device_name, a.width, a.height, a.max_bounces, 'naive, tree kd16' AS work
FROM kd_cell AS a
JOIN kd_cell AS b ON b.work = a.work AND b.device_name = a.device_name AND b.tree = a.tree AND b.kd_order = a.kd_order AND
                     b.kd_step = a.kd_step AND b.kd_stack = a.kd_stack AND b.pixel_order = 'random'
JOIN kd_bounce AS x ON x.trial = a.trial
JOIN kd_bounce AS y ON y.trial = b.trial AND y.bounce = x.bounce
WHERE a.plain AND a.tree = 'kd16' AND x.inner_live > 0 AND y.inner_live > 0
ORDER BY a.scene, a.work, x.bounce

-- [bounce_counters]
-- Opening paragraph, on a GPU: divergent branches and cache misses by bounce, beside the same rays dealt to lanes at random. A panel per
-- scene and image size.
WITH launched AS (
    SELECT t.id AS trial, a.attempt, t.work, t.scene, t.camera, t.device, t.device_name, t.width, t.height, t.max_bounces, t.pixel_order,
           row_number() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM trial_record AS t
    JOIN result AS a ON a.trial = t.id AND a.collection = 'counters'
    WHERE t.variant = 'whole_frame_off' AND t.tree = 'kd16' AND t.kd_order = 'depth' AND t.kd_step = 'xor' AND t.kd_stack = 'index' AND
          t.id IN requested
),
bounce AS (
    SELECT l.trial, b.bounce, sum(b.visits) AS visits, sum(c.divergent) AS divergent, sum(c.misses) AS misses
    FROM launched AS l
    JOIN (SELECT k.attempt, k.number, k.bounce, s.thread_instructions AS visits FROM launch AS k
          JOIN site_count AS s ON s.attempt = k.attempt AND s.launch = k.number AND s.site = 1
          WHERE k.repetition = 0 AND NOT k.auxiliary AND k.bounce >= 0) AS b ON b.attempt = l.attempt
    JOIN kd_metrics AS c ON c.attempt = l.attempt AND c.launch = b.number
    WHERE l.nth = 1
    GROUP BY l.trial, b.bounce
)
SELECT x.bounce, 1e-6 * x.visits AS visits, 100.0 * x.divergent / x.visits AS divergent, 100.0 * y.divergent / y.visits AS random_divergent,
       (1.0 * x.divergent / x.visits) / (1.0 * y.divergent / y.visits) AS relative, 1.0 * x.misses / x.visits AS misses,
       1.0 * y.misses / y.visits AS random_misses, (1.0 * x.misses / x.visits) / (1.0 * y.misses / y.visits) AS relative_misses,
       a.trial || ', ' || b.trial AS trials, a.scene, a.camera, a.device, a.device_name, a.width, a.height, a.max_bounces,
       'whole_frame_off, tree kd16' AS work
FROM launched AS a
JOIN launched AS b ON b.work = a.work AND b.device_name = a.device_name AND b.pixel_order = 'random' AND b.nth = 1
JOIN bounce AS x ON x.trial = a.trial
JOIN bounce AS y ON y.trial = b.trial AND y.bounce = x.bounce
WHERE a.nth = 1 AND a.pixel_order = 'tile' AND x.visits > 0 AND y.visits > 0
ORDER BY a.scene, a.work, x.bounce

-- [trees]
-- 4.1: size of a node, and what it makes of the memory that a ray reads. A panel per scene, device, image size, bounce limit, variant and
-- schedule; a row is a tree.
WITH cell AS (
    SELECT c.*, column2 AS layout, column3 AS bytes, column4 AS published, 1.0 * column3 * c.nodes / c.rays AS read
    FROM measured AS c
    JOIN (VALUES ('', 'binary tree of boxes', 64, NULL), ('tree kd16', 'packed', 16, 'packed')) ON column1 = c.axes
    WHERE c.variant IN ('naive', 'whole_frame') AND c.own = ''
)
SELECT c.layout, c.published, c.bytes, c.bytes / 4 AS words, 1.0 * c.nodes / c.rays AS nodes, 1.0 * c.triangles / c.rays AS triangles, c.read,
       c.counted_flags, c.counted, c.seconds, c.relative_ci, c.flags, c.trials, iif(c.layout = 'packed', c.read / b.read, NULL) AS of_read,
       iif(c.layout = 'packed', c.seconds / b.seconds, NULL) AS longer, iif(c.layout = 'packed', c.flags || '|' || b.flags, 'binary_itself') AS both_flags,
       c.trials || ', ' || b.trials AS both_trials,
       c.work AS frame, c.variant, c.newest, c.scene, c.camera, c.device, c.device_name, c.width, c.height, c.max_bounces,
       c.variant || ', ' || c.family AS work, c.schedule
FROM cell AS c
LEFT JOIN cell AS b ON b.work = c.work AND b.variant = c.variant AND b.device_name = c.device_name AND b.schedule = c.schedule AND b.layout <> 'packed'
ORDER BY c.scene, c.camera, c.device_name, c.variant, c.layout
