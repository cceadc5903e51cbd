-- SPDX-License-Identifier: MIT
-- Chapter on a kd-tree: the query of each claim, under its id; of several parts where its cases are of several kinds. A row is a case.

-- [C01]
-- Bytes of a node before and after, and the share of a tree's nodes whose fields come back from 16 bytes: each scene a case.
SELECT c.place || ', packed' AS place, c.scene AS vote, c.trial AS trials, l.bytes AS packed, 1.0 * c.tree_packed / c.tree_nodes AS lossless
FROM kd_cell AS c
JOIN kd_layout AS l ON l.tree = c.tree
WHERE c.plain AND c.usual AND c.tree = 'kd16'
GROUP BY c.place
-- [C01]
SELECT c.place || ', pointers' AS place, c.scene AS vote, c.trial AS trials, l.bytes AS pointers
FROM kd_cell AS c
JOIN kd_layout AS l ON l.tree = c.tree
WHERE c.plain AND c.usual AND c.tree = 'kd_ptr25'
GROUP BY c.place

-- [C02]
-- The most nodes that 24 bits can name; of each scene, how much of that its tree needs, and the share of leaves with more triangles than 31.
SELECT DISTINCT scene || ', ' || scene_triangles || ' triangles' AS place, max(trial) AS trials, 1 << 24 AS nodes_most,
       1.0 * tree_nodes / (1 << 24) AS needed, 1.0 * tree_crowded / tree_leaves AS crowded
FROM kd_cell
WHERE plain AND tree = 'kd16'
GROUP BY scene

-- [C03]
-- From pointers to arrays: lines of 128 bytes that a step of a warp over nodes reads, and bytes of nodes (in sectors of 32) and lists that a
-- ray reads, of nodes in an array relative to pointers.
SELECT place || ', pointers to an array' AS place, trials, min(lines, bytes) AS better, max(lines, bytes) AS worse
FROM (SELECT place, trials, (1.0 * is_node_lines / is_inner_steps) / (1.0 * was_node_lines / was_inner_steps) AS lines,
             (32.0 * is_visit_sectors + 4 * is_triangles) / (32.0 * was_visit_sectors + 4 * was_triangles) AS bytes
      FROM kd_pair
      WHERE was = 'kd_ptr25' AND is_now = 'kd_aos' AND was_node_lines > 0)
-- [C03]
-- the share of useful bytes among those that warps fetch for nodes, of pointers relative to one array
SELECT place || ', pointers against one array' AS place, trials, 1.0 * is_node_sectors / was_node_sectors AS useful
FROM kd_pair
WHERE was = 'kd_ptr25' AND is_now = 'kd_cat_lt' AND was_node_sectors > 0
-- [C03]
-- Of one list and one array of triangles relative to lists and triangles apart: the lines of nodes, lists and triangles to a step over nodes
-- or triangles or, where the hardware counted them and they are fewer, the sectors that the first-level cache misses. Where lines are no
-- fewer, the misses have to be known.
WITH lines AS (
    SELECT scene, max(trials) AS trials,
           (1.0 * (is_node_lines + is_list_lines + is_triangle_lines) / (is_inner_steps + is_triangle_steps)) /
               (1.0 * (was_node_lines + was_list_lines + was_triangle_lines) / (was_inner_steps + was_triangle_steps)) AS ratio
    FROM kd_pair
    WHERE was = 'kd_aos' AND is_now = 'kd_cat_lt' AND was_node_lines > 0
    GROUP BY scene
),
missed AS (
    SELECT scene, max(trials) AS trials, misses FROM kd_counters
    WHERE was = 'kd_aos' AND is_now = 'kd_cat_lt' AND step = was_step AND triangle_test = 'watertight'
    GROUP BY scene
)
SELECT l.scene || ', one list' || iif(m.misses < l.ratio, ', cache misses', ', lines') AS place, l.trials || coalesce(', ' || m.trials, '') AS trials,
       iif(l.ratio < 1 OR m.misses NOTNULL, min(l.ratio, coalesce(m.misses, l.ratio)), NULL) AS lines
FROM lines AS l LEFT JOIN missed AS m ON m.scene = l.scene
-- [C03]
SELECT place || iif(was = 'kd_ptr25', ', pointers to an array', ', lists apart to one') AS place, flags, trials, time, time_half
FROM kd_times
WHERE was_step = 'xor' AND step = 'xor' AND was_test = 'watertight' AND test = was_test AND
      (was = 'kd_ptr25' AND is_now = 'kd_aos' OR was = 'kd_aos' AND is_now = 'kd_cat_lt')

-- [C04]
-- Nodes of 16 bytes: their bytes relative to those of 25, the lists taken off, which are the same; sectors of 32 bytes that a visit to a
-- node touches, relative to those of 25 bytes and of 28; loads that a visit takes, of 16 bytes and of 28.
SELECT place || ', 25 to 16 bytes' AS place, trials, 1.0 * is_visit_sectors / was_visit_sectors AS sectors,
       (is_tree_bytes - (was_tree_bytes - 25.0 * was_tree_nodes)) / (25.0 * was_tree_nodes) AS space
FROM kd_pair
WHERE was = 'kd_cat_lt' AND is_now = 'kd16'
-- [C04]
SELECT p.place || ', 28 to 16 bytes' AS place, p.trials, 1.0 * p.is_visit_sectors / p.was_visit_sectors AS aligned, l.loads,
       o.loads AS loads_before
FROM kd_pair AS p
JOIN kd_layout AS l ON l.tree = p.is_now
JOIN kd_layout AS o ON o.tree = p.was
WHERE p.was = 'kd_cat28' AND p.is_now = 'kd16'
-- [C04]
SELECT place || ', 25 to 16 bytes' AS place, flags, trials, time, time_half
FROM kd_times
WHERE was_step = 'xor' AND step = 'xor' AND was_test = 'watertight' AND test = was_test AND was = 'kd_cat_lt' AND is_now = 'kd16'

-- [C05]
-- Maps of the affine test in an array of their own, relative to records of a map and all else: lines of 128 bytes that a visit to a leaf
-- reads of triangles or, where the hardware counted them and they are fewer, sectors that the first-level cache misses. Where lines are no
-- fewer, the misses have to be known.
WITH lines AS (
    SELECT scene, max(trials) AS trials, (1.0 * is_leaf_lines / is_leaf_visits) / (1.0 * was_leaf_lines / was_leaf_visits) AS ratio
    FROM kd_pair
    WHERE was = 'kd16' AND is_now = 'kd16_soa' AND triangle_test = 'affine'
    GROUP BY scene
),
missed AS (
    SELECT scene, max(trials) AS trials, misses FROM kd_counters
    WHERE was = 'kd16' AND is_now = 'kd16_soa' AND step = 'xor' AND was_step = step AND triangle_test = 'affine'
    GROUP BY scene
)
SELECT l.scene || ', maps apart' || iif(m.misses < l.ratio, ', cache misses', ', lines') AS place, l.trials || coalesce(', ' || m.trials, '') AS trials,
       iif(l.ratio < 1 OR m.misses NOTNULL, min(l.ratio, coalesce(m.misses, l.ratio)), NULL) AS lines
FROM lines AS l LEFT JOIN missed AS m ON m.scene = l.scene
-- [C05]
-- the distance from a triangle of a leaf to the next
SELECT place || ', leaves' AS place, scene AS vote, trial AS trials, triangle_gap AS gap
FROM kd_cell
WHERE plain AND usual AND tree = 'kd16' AND triangle_test = 'watertight'
GROUP BY place
-- [C05]
SELECT place || ', maps apart' AS place, flags, trials, time, time_half
FROM kd_times
WHERE was_step = 'xor' AND step = 'xor' AND was_test = 'affine' AND test = was_test AND was = 'kd16' AND is_now = 'kd16_soa'

-- [C06]
-- A model, no measurement: one thread reads a attributes of 4 bytes of each of n consecutive elements of s bytes, a below n; lines of 128
-- bytes, no cache before. Arrays begin at lines; as structures the attributes stand together. The case is the whole sweep.
WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 64),
size AS (SELECT column1 AS s FROM (VALUES (16), (32), (48), (64), (96), (128), (256))),
point AS (
    SELECT a.i AS a, n.i AS n, s, a.i * ((4 * n.i + 127) / 128) AS arrays,
           iif(s <= 128, ((n.i - 1) * s + 4 * a.i - 1) / 128 + 1, n.i * ((4 * a.i + 127) / 128)) AS structures
    FROM number AS a JOIN number AS n JOIN size
    WHERE a.i < n.i AND 4 * a.i <= s
)
SELECT count(*) AS points, 1.0 * sum(arrays < structures) / count(*) AS fewer FROM point

-- [C07]
-- Distance of nodes at the bottom with a near ancestor, numbered depth first; lines that a step of a warp reads a byte that a lane reads,
-- nodes (16 bytes) relative to triangles (36, the corners that the watertight test reads), where the lockstep model counted lanes.
SELECT place, scene AS vote, trial AS trials, node_distance AS distance,
       (1.0 * node_lines / inner_live / 16) / (1.0 * triangle_lines / triangle_live / 36) AS lines
FROM kd_cell
WHERE plain AND usual AND tree = 'kd16' AND triangle_test = 'watertight'
GROUP BY place
-- [C07]
-- How far apart in number the nodes are that a ray visits one after the other, as geometric mean, numbered depth first relative to breadth
-- first.
SELECT d.place || ', depth against breadth first' AS place, d.trial || ', ' || b.trial AS trials,
       pow(2, (1.0 * d.hop_octaves / d.node_hops - 1.0 * b.hop_octaves / b.node_hops) / 8) AS hops
FROM kd_cell AS d
JOIN kd_cell AS b ON b.work = d.work AND b.place = d.place AND b.tree = d.tree AND b.kd_order = 'breadth' AND b.kd_step = d.kd_step AND
                     b.kd_stack = d.kd_stack AND b.pixel_order = d.pixel_order AND b.affine_order = d.affine_order
WHERE d.plain AND d.tree = 'kd16' AND d.node_hops > 0 AND b.node_hops > 0

-- [C08]
-- With a rewrite of the step alone, relative to none, in a frame of the same rays: warp instructions with common statements hoisted, since
-- lanes that part execute both arms of a branch one after the other, and what stands in front of it once; divergent branches with the swap,
-- and with the mask.
SELECT place || ', ' || step || ' against branchy' || same AS place, trials, iif(step = 'hoist', instructions, NULL) AS shorter,
       iif(step = 'swap', divergent, NULL) AS swapped, iif(step = 'mask', divergent, NULL) AS masked
FROM kd_counters
WHERE was = 'kd16' AND is_now = was AND triangle_test = 'watertight' AND was_step = 'branchy' AND step IN ('hoist', 'swap', 'mask')
-- [C08]
-- frame time with all of them
SELECT place || ', all against branchy' AS place, flags, trials, time, time_half
FROM kd_times
WHERE was = 'kd16' AND is_now = was AND was_test = 'watertight' AND test = was_test AND was_step = 'branchy' AND step = 'all'
-- [C08]
-- how often there is something to gain: steps over nodes at which lanes part about the order of the children (lockstep model)
SELECT place || ', steps' AS place, trial AS trials, 1.0 * parted_order / inner_steps AS parted
FROM kd_cell
WHERE plain AND usual AND tree = 'kd16' AND triangle_test = 'watertight' AND inner_steps > 0
GROUP BY place

-- [C09]
-- Loads of nodes with other stacks, relative to a stack of indices; what a stack of nodes loads more, relative to the children never visited.
SELECT a.place, a.trial || ', ' || b.trial AS trials, iif(b.kd_stack = 'address', 1.0 * b.node_loads / a.node_loads, NULL) AS addresses,
       iif(b.kd_stack = 'record', 1.0 * (b.node_loads - a.node_loads) / a.never_visited, NULL) AS records
FROM kd_cell AS a
JOIN kd_cell AS b ON b.work = a.work AND b.device_name = a.device_name AND b.place = a.place AND b.tree = a.tree AND
                     b.kd_order = a.kd_order AND b.kd_step = a.kd_step AND b.pixel_order = a.pixel_order AND b.affine_order = a.affine_order
WHERE a.plain AND b.kd_stack <> 'index' AND a.never_visited > 0
-- [C09]
-- frame time with a stack of addresses, and of nodes, over that with one of indices
SELECT t.scene || ', ' || t.width || 'x' || t.height || ', ' || a.device_name || ', time, ' || t.kd_stack AS place, t.scene AS vote,
       a.flags || '|' || b.flags AS flags, a.trials || ', ' || b.trials AS trials, iif(t.kd_stack = 'address', a.seconds / b.seconds, NULL) AS better,
       a.seconds / b.seconds * quadrature(a.relative_ci, b.relative_ci) AS better_half,
       iif(t.kd_stack = 'record', a.seconds / b.seconds, NULL) AS than_nodes,
       a.seconds / b.seconds * quadrature(a.relative_ci, b.relative_ci) AS than_nodes_half
FROM measured AS a
JOIN trial_record AS t ON t.id = a.trial AND t.kd_stack IN ('address', 'record')
JOIN measured AS b ON b.work = a.work AND b.device_name = a.device_name AND b.variant = a.variant AND
                      replace(b.schedule, ', kd stack ' || t.kd_stack, '') = replace(a.schedule, ', kd stack ' || t.kd_stack, '')
JOIN trial_record AS o ON o.id = b.trial AND o.kd_stack = 'index' AND o.tree = t.tree AND o.triangle_test = t.triangle_test AND o.kd_step = t.kd_step AND
                          o.tree_loads = t.tree_loads AND o.kd_order = t.kd_order AND o.affine_order = t.affine_order AND o.pixel_order = t.pixel_order
WHERE a.variant = 'naive' AND a.seconds > 0 AND b.seconds > 0

-- [C10]
-- Operations, counted in the text of the kernels (operations.sql): no trial.
SELECT s.mul AS standard_mul, s.addsub AS standard_addsub, a.mul AS affine_mul, a.addsub AS affine_addsub,
       max(1.0 * a.mul / s.mul, 1.0 * a.addsub / s.addsub) AS least_fall
FROM operations AS s
JOIN operations AS a ON a.test = 'affine'
WHERE s.test = 'moeller_trumbore'

-- [C11]
-- The affine triangle test relative to Moeller's and Trumbore's, in the same tree: triangle tests a second of frame time, and frame time.
SELECT place, flags, trials, rate, rate_half, time, time_half
FROM kd_times
WHERE was = 'kd16' AND is_now = was AND was_step = 'xor' AND step = was_step AND was_test = 'moeller_trumbore' AND test = 'affine'
-- [C11]
-- Samples of warps in the triangle tests, of those in the traversal. Lines of vector arithmetic, which the tests share with boxes and with
-- shading, count half of them; all and none are the ends of the interval. Not of cornell: 36 triangles are no mesh.
WITH sampled AS (
    SELECT t.id AS trial, t.scene || ', ' || t.width || 'x' || t.height || ', ' || t.device_name AS place,
           1.0 * sum(iif(k.file GLOB 'trees/triangle*', k.samples, 0)) AS tests,
           1.0 * sum(iif(k.file GLOB 'trees/*', k.samples, 0)) AS tracing, 1.0 * sum(iif(k.file = 'lib/vec.h', k.samples, 0)) AS either,
           row_number() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM stall_lines AS k
    JOIN trial_record AS t ON t.id = k.trial
    WHERE t.variant = 'naive' AND t.scene <> 'cornell' AND t.tree = 'kd16' AND t.triangle_test = 'moeller_trumbore' AND
          t.id IN requested
    GROUP BY t.id
)
SELECT place || ', samples' AS place, trial AS trials, 0.5 * (tests / (tracing + either) + (tests + either) / (tracing + either)) AS share,
       0.5 * ((tests + either) / (tracing + either) - tests / (tracing + either)) AS share_half,
       tests / (tracing + either) AS fewest, (tests + either) / (tracing + either) AS greatest
FROM sampled
WHERE nth = 1 AND tracing > 0

-- [C12]
-- Lines of 128 bytes that a lane at work in a step over nodes accounts for, relative to the same rays dealt to lanes at random: bounce 0, and
-- each later one that at least a thousandth of the paths reach.
SELECT place || ', bounce ' || bounce AS place, trials, iif(bounce = 0, ratio, NULL) AS first, iif(bounce > 0, ratio, NULL) AS later
FROM (SELECT a.place, x.bounce, a.trial || ', ' || b.trial AS trials,
             (1.0 * x.node_lines / x.inner_live) / (1.0 * y.node_lines / y.inner_live) AS ratio
      FROM kd_cell AS a
      JOIN kd_cell AS b ON b.work = a.work AND b.device_name = a.device_name AND b.place = a.place AND b.tree = a.tree AND
                           b.kd_order = a.kd_order AND b.kd_step = a.kd_step AND b.kd_stack = a.kd_stack AND b.pixel_order = 'random'
      JOIN kd_bounce AS x ON x.trial = a.trial
      JOIN kd_bounce AS y ON y.trial = b.trial AND y.bounce = x.bounce
      WHERE a.plain AND a.tree = 'kd16' AND x.inner_live > 0 AND y.inner_live > 0 AND
            x.rays * 1000 >= (SELECT max(z.rays) FROM kd_bounce AS z WHERE z.trial = a.trial))
