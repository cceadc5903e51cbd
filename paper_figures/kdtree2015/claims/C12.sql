-- SPDX-License-Identifier: MIT
-- Lines of 128 bytes that a lane at work in a step over nodes accounts for, relative to the same rays dealt to lanes at random: bounce 0, and each later one that
-- at least a thousandth of the paths reach.
SELECT a.place || ', bounce ' || x.bounce AS place, '' AS flags, a.trial || ', ' || b.trial AS trials,
       iif(x.bounce = 0, (1.0 * x.node_lines / x.inner_live) / (1.0 * y.node_lines / y.inner_live), NULL) AS first,
       iif(x.bounce > 0, (1.0 * x.node_lines / x.inner_live) / (1.0 * y.node_lines / y.inner_live), NULL) AS later
FROM kd_cell AS a
JOIN kd_cell AS b ON b.work = a.work AND b.device_name = a.device_name AND b.place = a.place AND b.tree = a.tree AND b.kd_order = a.kd_order AND
     b.kd_step = a.kd_step AND b.kd_stack = a.kd_stack AND b.pixel_order = 'random'
JOIN kd_bounce AS x ON x.trial = a.trial
JOIN kd_bounce AS y ON y.trial = b.trial AND y.bounce = x.bounce
WHERE a.plain AND a.tree = 'kd16' AND x.inner_live > 0 AND y.inner_live > 0 AND x.rays * 1000 >= (SELECT max(z.rays) FROM kd_bounce AS z WHERE z.trial = a.trial)
