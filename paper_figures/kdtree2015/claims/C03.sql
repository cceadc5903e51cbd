-- SPDX-License-Identifier: MIT
-- From pointers to arrays: lines of 128 bytes that a step of a warp over nodes reads, and bytes of nodes (in sectors of 32) and lists that a ray reads, of
-- nodes in an array relative to pointers; the share of useful bytes among those that warps fetch for nodes, of pointers relative to one array; lines that a
-- step over nodes or triangles reads, of one list and one array of triangles relative to lists and triangles apart.
SELECT p.place, '' AS flags, p.trials,
       min((1.0 * b.node_lines / b.inner_steps) / (1.0 * a.node_lines / a.inner_steps),
           (32.0 * b.visit_sectors + 4 * b.triangles) / (32.0 * a.visit_sectors + 4 * a.triangles)) AS better,
       max((1.0 * b.node_lines / b.inner_steps) / (1.0 * a.node_lines / a.inner_steps),
           (32.0 * b.visit_sectors + 4 * b.triangles) / (32.0 * a.visit_sectors + 4 * a.triangles)) AS worse,
       NULL AS useful, NULL AS lines, NULL AS time, NULL AS time_half
FROM kd_pair AS p JOIN kd_cell AS a ON a.trial = p.was_trial JOIN kd_cell AS b ON b.trial = p.now_trial
WHERE p.was = 'kd_ptr25' AND p.is_now = 'kd_aos'
UNION ALL
SELECT p.place, '', p.trials, NULL, NULL, 1.0 * b.node_sectors / a.node_sectors, NULL, NULL, NULL
FROM kd_pair AS p JOIN kd_cell AS a ON a.trial = p.was_trial JOIN kd_cell AS b ON b.trial = p.now_trial
WHERE p.was = 'kd_ptr25' AND p.is_now = 'kd_cat_lt' AND a.node_sectors > 0
UNION ALL
SELECT p.place, '', p.trials, NULL, NULL, NULL,
       (1.0 * (b.node_lines + b.triangle_lines) / (b.inner_steps + b.triangle_steps)) / (1.0 * (a.node_lines + a.triangle_lines) / (a.inner_steps + a.triangle_steps)), NULL, NULL
FROM kd_pair AS p JOIN kd_cell AS a ON a.trial = p.was_trial JOIN kd_cell AS b ON b.trial = p.now_trial
WHERE p.was = 'kd_aos' AND p.is_now = 'kd_cat_lt'
UNION ALL
SELECT place, flags, trials, NULL, NULL, NULL, NULL, time, time_half FROM kd_times WHERE was_step = 'xor' AND step = 'xor' AND was_test = 'watertight' AND test = was_test AND
      ((was = 'kd_ptr25' AND is_now = 'kd_aos') OR (was = 'kd_aos' AND is_now = 'kd_cat_lt'))
