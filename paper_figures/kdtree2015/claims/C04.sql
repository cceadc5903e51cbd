-- SPDX-License-Identifier: MIT
-- Nodes of 16 bytes: their bytes relative to those of 25, the lists taken off, which are the same; sectors of 32 bytes that a visit to a node touches, relative
-- to those of 25 bytes and of 28; loads that a visit takes, of 16 bytes and of 28.
SELECT p.place || ', 25 to 16 bytes' AS place, '' AS flags, p.trials,
       (b.tree_bytes - (a.tree_bytes - 25.0 * a.tree_nodes)) / (25.0 * a.tree_nodes) AS space, 1.0 * b.visit_sectors / a.visit_sectors AS sectors,
       NULL AS aligned, NULL AS loads, NULL AS loads_before, NULL AS time, NULL AS time_half
FROM kd_pair AS p JOIN kd_cell AS a ON a.trial = p.was_trial JOIN kd_cell AS b ON b.trial = p.now_trial
WHERE p.was = 'kd_cat_lt' AND p.is_now = 'kd16'
UNION ALL
SELECT p.place || ', 28 to 16 bytes', '', p.trials, NULL, NULL, 1.0 * b.visit_sectors / a.visit_sectors, l.loads, o.loads, NULL, NULL
FROM kd_pair AS p JOIN kd_cell AS a ON a.trial = p.was_trial JOIN kd_cell AS b ON b.trial = p.now_trial JOIN kd_layout AS l ON l.tree = p.is_now JOIN kd_layout AS o ON o.tree = p.was
WHERE p.was = 'kd_cat28' AND p.is_now = 'kd16'
UNION ALL
SELECT place || ', 25 to 16 bytes', flags, trials, NULL, NULL, NULL, NULL, NULL, time, time_half
FROM kd_times WHERE was_step = 'xor' AND step = 'xor' AND was_test = 'watertight' AND test = was_test AND was = 'kd_cat_lt' AND is_now = 'kd16'
