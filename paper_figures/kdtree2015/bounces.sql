-- SPDX-License-Identifier: MIT
-- Chapter on a kd-tree, opening paragraph: what rays and warps read, by bounce, and how often lanes part, beside the same rays dealt to lanes at random. One
-- panel per scene and image size.
WITH pair AS (
    SELECT a.work, a.device_name, a.scene, a.trial, b.trial AS random_trial
    FROM kd_cell AS a
    JOIN kd_cell AS b ON b.work = a.work AND b.device_name = a.device_name AND b.tree = a.tree AND b.kd_order = a.kd_order AND b.kd_step = a.kd_step AND
         b.kd_stack = a.kd_stack AND b.pixel_order = 'random'
    WHERE a.plain AND a.tree = 'kd16'
),
panel AS (
    SELECT row_number() OVER (ORDER BY p.scene, p.work) AS panel, p.*, t.camera, t.device, t.width, t.height, t.max_bounces, p.trial || ', ' || p.random_trial AS trials
    FROM pair AS p
    JOIN trial_record AS t ON t.id = p.trial
)
SELECT p.panel, x.bounce, x.rays AS paths, 1.0 * x.node_loads / x.rays AS loads, (16.0 * x.node_loads + 40.0 * x.triangles) / x.rays AS read,
       32.0 * x.node_sectors / x.rays AS fetched, 32.0 * y.node_sectors / y.rays AS random_fetched,
       100.0 * x.parted_order / x.inner_steps AS parted, 100.0 * y.parted_order / y.inner_steps AS random_parted, 1.0 * x.inner_live / x.inner_steps AS lanes, 1.0 * x.node_lines / x.inner_steps AS lines,
       1.0 * x.node_lines / x.inner_live AS share, 1.0 * y.node_lines / y.inner_live AS random_share,
       (1.0 * x.node_lines / x.inner_live) / (1.0 * y.node_lines / y.inner_live) AS relative, p.trials AS counted_trial,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, 'naive, tree kd16' AS work, '' AS schedule, p.trials AS trials, 0 AS left_out
FROM panel AS p
JOIN kd_bounce AS x ON x.trial = p.trial
JOIN kd_bounce AS y ON y.trial = p.random_trial AND y.bounce = x.bounce
WHERE x.inner_live > 0 AND y.inner_live > 0
ORDER BY p.panel, x.bounce
