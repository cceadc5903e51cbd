-- SPDX-License-Identifier: MIT
-- What tables and claims of this chapter read, after ../common.sql: trials with counts, over all bounces and by bounce, with what is counted of
-- the tree itself.

-- the newest counted trial of each setting; parameters that the chapter says nothing of are at their defaults, but for the scene and the size
CREATE TEMP VIEW kd_trial AS
SELECT *, scene || ', ' || width || 'x' || height || iif(device_kind = 'model', '', ', ' || device_name) ||
          iif(roulette = 'none', ', no roulette', '') AS place
FROM (SELECT t.*, d.kind AS device_kind, a.attempt,
             row_number() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
      FROM result AS a
      JOIN trial_record AS t ON t.id = a.trial
      JOIN trial_device AS d ON d.trial = t.id
      WHERE a.collection = 'counts' AND t.replicate = 0 AND t.variant = 'naive' AND t.traversal = 'while_while' AND t.id IN requested)
WHERE nth = 1;

CREATE TEMP VIEW kd_bounce AS
SELECT k.id AS trial, b.*, l.inner_steps, l.inner_live, l.triangle_steps, l.triangle_live
FROM kd_trial AS k
JOIN (SELECT attempt, bounce, sum(active_paths) AS rays, sum(nodes) AS nodes, sum(triangles) AS triangles, sum(node_loads) AS node_loads,
             sum(never_visited) AS never_visited, sum(visit_sectors) AS visit_sectors, sum(leaf_visits) AS leaf_visits,
             sum(leaf_lines) AS leaf_lines, sum(list_lines) AS list_lines, sum(node_lines) AS node_lines,
             sum(node_sectors) AS node_sectors, sum(triangle_lines) AS triangle_lines, sum(node_hops) AS node_hops,
             sum(hop_octaves) AS hop_octaves, sum(triangles + shadow_triangles) AS tests, sum(parted_steps_order) AS parted_order
      FROM bounce_counts WHERE bounce >= 0 GROUP BY attempt, bounce) AS b ON b.attempt = k.attempt
LEFT JOIN (SELECT attempt, bounce, sum(inner_steps) AS inner_steps, sum(inner_live) AS inner_live, sum(triangle_steps) AS triangle_steps,
                  sum(triangle_live) AS triangle_live
           FROM lockstep WHERE kind = 0 GROUP BY attempt, bounce) AS l ON l.attempt = k.attempt AND l.bounce = b.bounce;

-- plain: the simplest setting but for the tree; usual: with roulette, as by default
CREATE TEMP VIEW kd_cell AS
SELECT k.id AS trial, k.work, k.place, k.device, k.scene, k.camera, k.width, k.height, k.max_bounces, k.device_name, k.tree, k.kd_order,
       k.kd_step, k.kd_stack, k.triangle_test, k.affine_order, k.pixel_order, k.roulette <> 'none' AS usual,
       k.kd_order = 'depth' AND k.kd_step = 'xor' AND k.kd_stack = 'index' AND k.pixel_order = 'tile' AND k.affine_order = 'all' AS plain,
       f.tree_nodes, f.tree_bytes, f.tree_leaves, f.tree_crowded, f.tree_packed, f.node_distance, f.triangle_gap, f.scene_triangles,
       sum(b.rays) AS rays, sum(b.nodes) AS nodes, sum(b.triangles) AS triangles, sum(b.node_loads) AS node_loads,
       sum(b.never_visited) AS never_visited, sum(b.visit_sectors) AS visit_sectors, sum(b.leaf_visits) AS leaf_visits,
       sum(b.leaf_lines) AS leaf_lines, sum(b.list_lines) AS list_lines, sum(b.node_lines) AS node_lines,
       sum(b.node_sectors) AS node_sectors, sum(b.triangle_lines) AS triangle_lines, sum(b.node_hops) AS node_hops,
       sum(b.hop_octaves) AS hop_octaves, sum(b.tests) AS tests, sum(b.parted_order) AS parted_order, sum(b.inner_steps) AS inner_steps,
       sum(b.inner_live) AS inner_live, sum(b.triangle_steps) AS triangle_steps, sum(b.triangle_live) AS triangle_live
FROM kd_trial AS k
JOIN kd_bounce AS b ON b.trial = k.id
JOIN (SELECT attempt, sum(tree_nodes) AS tree_nodes, sum(tree_bytes) AS tree_bytes, sum(tree_leaves) AS tree_leaves,
             sum(tree_crowded) AS tree_crowded, sum(tree_packed) AS tree_packed, sum(node_distance) AS node_distance,
             sum(triangle_gap) AS triangle_gap, sum(scene_triangles) AS scene_triangles
      FROM bounce_counts WHERE bounce < 0 GROUP BY attempt) AS f ON f.attempt = k.attempt
GROUP BY k.id;

-- layouts, each with the bytes of a node (tests/test_kd_layouts.c reads them byte by byte), words loaded and the row of the paper's table
CREATE TEMP VIEW kd_layout AS
SELECT column1 AS tree, column2 AS bytes, column3 AS loads, column4 AS layout, column5 AS published, column6 AS place FROM (VALUES
    ('kd_ptr25', 25, 25, 'pointers, packed', 'pointer tree', 1), ('kd_ptr28', 28, 7, 'pointers, aligned', NULL, 2),
    ('kd_aos', 25, 25, 'nodes in an array', NULL, 3), ('kd_cat_l', 25, 25, 'and lists', NULL, 4), ('kd_cat_lt', 25, 25, 'and triangles', NULL, 5),
    ('kd_cat28', 28, 7, 'the same, aligned', NULL, 6), ('kd16', 16, 1, 'packed', 'packed', 7), ('kd16_soa', 16, 1, 'packed, triangles split', NULL, 8));

-- two layouts of one tree under the same rays, with the counts of both
CREATE TEMP VIEW kd_pair AS
SELECT b.place, b.scene, a.tree AS was, b.tree AS is_now, a.triangle_test, a.trial || ', ' || b.trial AS trials,
       a.tree_bytes AS was_tree_bytes, b.tree_bytes AS is_tree_bytes, a.tree_nodes AS was_tree_nodes, a.triangles AS was_triangles,
       b.triangles AS is_triangles, a.visit_sectors AS was_visit_sectors, b.visit_sectors AS is_visit_sectors,
       a.leaf_visits AS was_leaf_visits, b.leaf_visits AS is_leaf_visits, a.leaf_lines AS was_leaf_lines, b.leaf_lines AS is_leaf_lines,
       a.list_lines AS was_list_lines, b.list_lines AS is_list_lines, a.node_lines AS was_node_lines, b.node_lines AS is_node_lines,
       a.node_sectors AS was_node_sectors, b.node_sectors AS is_node_sectors, a.triangle_lines AS was_triangle_lines,
       b.triangle_lines AS is_triangle_lines, a.inner_steps AS was_inner_steps, b.inner_steps AS is_inner_steps,
       a.triangle_steps AS was_triangle_steps, b.triangle_steps AS is_triangle_steps
FROM kd_cell AS a
JOIN kd_cell AS b ON b.work = a.work AND b.device_name = a.device_name AND b.place = a.place
WHERE a.plain AND b.plain AND a.tree <> b.tree;

-- frame times, of the simplest setting but for the tree, the form of the step and the triangle test. tests: of triangles, in a frame, where
-- the same device counted them.
CREATE TEMP VIEW kd_time AS
SELECT m.setting, m.seconds, m.relative_ci, m.flags, m.trials, t.scene, t.camera, t.device, m.device_kind, t.width, t.height,
       t.spp, t.max_bounces, m.device_name, m.work, m.schedule, m.family, t.tree, t.kd_step, t.triangle_test, c.tests, c.rays, c.trial AS counted,
       t.scene || ', ' || t.width || 'x' || t.height || ', ' || m.device_name || iif(t.roulette = 'none', ', no roulette', '') AS place
FROM measured AS m
JOIN trial_record AS t ON t.id = m.newest
LEFT JOIN kd_cell AS c ON c.trial = m.counted
WHERE m.variant = 'naive' AND m.device_kind <> 'processor' AND t.kd_order = 'depth' AND t.kd_stack = 'index' AND
      t.tree_loads = 'read_only' AND t.affine_order = 'all' AND t.pixel_order = 'tile' AND t.tree LIKE 'kd%';

-- two such settings of one scene: the second's time relative to the first's, and its rate of triangle tests
CREATE TEMP VIEW kd_times AS
SELECT a.place, a.flags || '|' || b.flags AS flags, a.trials || ', ' || b.trials AS trials, a.tree AS was, b.tree AS is_now,
       a.kd_step AS was_step, b.kd_step AS step, a.triangle_test AS was_test, b.triangle_test AS test, b.seconds / a.seconds AS time,
       b.seconds / a.seconds * quadrature(a.relative_ci, b.relative_ci) AS time_half,
       (b.tests / b.seconds) / (a.tests / a.seconds) AS rate,
       (b.tests / b.seconds) / (a.tests / a.seconds) * quadrature(a.relative_ci, b.relative_ci) AS rate_half
FROM kd_time AS a
JOIN kd_time AS b ON b.place = a.place AND b.camera = a.camera AND b.family = a.family AND b.schedule = a.schedule AND
                     b.max_bounces = a.max_bounces AND b.setting <> a.setting
WHERE a.seconds NOTNULL AND b.seconds NOTNULL;

-- what the hardware counts, of a launch, or of the whole frame (-1)
CREATE TEMP VIEW kd_metrics AS
SELECT v.attempt, v.launch, max(iif(n.name = 'divergent_branches', v.value, NULL)) AS divergent,
       max(iif(n.name = 'instructions', v.value, NULL)) AS instructions, max(iif(n.name = 'load_sectors', v.value, NULL)) AS sectors,
       max(iif(n.name = 'load_misses', v.value, NULL)) AS misses
FROM metric_value AS v
JOIN metric_name AS n ON n.id = v.metric
GROUP BY v.attempt, v.launch;

-- What the hardware counts in a frame of one kernel, of all instructions, shading included, and over all rays; visits: of lanes to nodes, as instructions at
-- the load of a node. The newest of each setting.
CREATE TEMP VIEW kd_hardware AS
SELECT *, scene || ', ' || width || 'x' || height || ', ' || device_name || iif(roulette = 'none', ', no roulette', '') AS place
FROM (SELECT t.id AS trial, t.work, t.device_name, t.scene, t.width, t.height, t.roulette, t.tree, t.kd_step, t.triangle_test, s.instructions AS steps,
             s.thread_instructions AS visits, c.divergent, c.instructions, c.sectors, c.misses,
             row_number() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
      FROM trial_record AS t
      JOIN result AS a ON a.trial = t.id AND a.collection = 'counters'
      JOIN kd_metrics AS c ON c.attempt = a.attempt AND c.launch = -1
      LEFT JOIN site_count AS s ON s.attempt = a.attempt AND s.launch = -1 AND s.site = 1
      WHERE t.variant = 'naive' AND t.kd_order = 'depth' AND t.kd_stack = 'index' AND t.tree_loads = 'read_only' AND
            t.affine_order = 'all' AND t.pixel_order = 'tile' AND t.tree LIKE 'kd%' AND t.id IN requested)
WHERE nth = 1;

-- Two such settings of one scene: counts of the second relative to those of the first. The rays are the same, and so are their visits to nodes.
CREATE TEMP VIEW kd_counters AS
SELECT a.place, a.scene, a.trial || ', ' || b.trial AS trials, a.tree AS was, b.tree AS is_now, a.kd_step AS was_step, b.kd_step AS step, a.triangle_test,
       1.0 * b.divergent / a.divergent AS divergent, 1.0 * b.instructions / a.instructions AS instructions, 1.0 * b.misses / a.misses AS misses,
       iif(b.divergent = a.divergent AND b.instructions = a.instructions, ' (all counts equal, as of the same machine code)', '') AS same
FROM kd_hardware AS a
JOIN kd_hardware AS b ON b.work = a.work AND b.device_name = a.device_name AND b.trial <> a.trial AND b.triangle_test = a.triangle_test
WHERE a.divergent > 0 OR a.misses > 0;
