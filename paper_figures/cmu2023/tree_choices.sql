-- SPDX-License-Identifier: MIT
-- CMU report: what each choice of the wide tree does, against the binary tree. One panel per device, image size, bounce limit and schedule; a row
-- is a scene, a pipeline and a tree.
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY device_name ORDER BY (SELECT count(*) FROM in_tree AS t WHERE t.slice = slice.slice AND t.form <> '') DESC,
                                 settings DESC, newest DESC) AS place
    FROM slice
    WHERE slice IN (SELECT slice FROM in_tree WHERE form <> '')
)
SELECT p.panel, c.label || ', ' || c.variant || ': ' || iif(c.form = '', 'binary', c.form) AS line,
       c.seconds AS time, c.seconds * (1 - c.relative_ci) AS time_low, c.seconds * (1 + c.relative_ci) AS time_high, c.flags AS time_flags, c.trials AS time_trials,
       r.time AS ratio, coalesce(r.flags, 'binary_itself') AS ratio_flags, coalesce(r.trials, c.trials) AS ratio_trials,
       1.0 * c.nodes / c.rays AS nodes, 1.0 * c.triangles / c.rays AS triangles, x.tree_depth AS depth, iif(x.tree_children > 0, 1.0 * x.tree_children / x.tree_nodes, NULL) AS children,
       1.0 * x.node_lines / nullif(m.inner_steps, 0) AS lines, e.lanes, c.counted_flags AS counted, c.counted AS counted_trial,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM panel AS p
JOIN in_tree AS c ON c.slice = p.slice
LEFT JOIN tree_pair AS r ON r.slice = c.slice AND r.work = c.work AND r.variant = c.variant AND r.form = c.form
LEFT JOIN work_done AS x ON x.trial = c.counted
LEFT JOIN modelled AS m ON m.trial = c.counted
LEFT JOIN traversing AS e ON e.trial = c.counted AND e.source = 'model'
ORDER BY p.panel, c.label, c.variant, c.form
