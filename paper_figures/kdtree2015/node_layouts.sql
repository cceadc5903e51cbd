-- SPDX-License-Identifier: MIT
-- Chapter on a kd-tree, 4.1: layouts of one tree. One panel per scene, image size and triangle test; a row is a layout.
WITH cell AS (
    SELECT c.*, l.bytes, l.loads, l.layout, l.published, l.place AS row_place, t.camera, t.device, t.width, t.height, t.max_bounces,
           'naive, triangle test ' || replace(c.triangle_test, '_', ' ') AS works
    FROM kd_cell AS c
    JOIN kd_layout AS l ON l.tree = c.tree
    JOIN trial_record AS t ON t.id = c.trial
    WHERE c.plain
),
panel AS (
    SELECT row_number() OVER (ORDER BY scene, triangle_test DESC, width, work) AS panel, work, device_name, scene, camera, device, width, height, max_bounces, works,
           group_concat(trial, ', ') AS trials
    FROM cell
    GROUP BY work, device_name
    HAVING count(*) > 1
)
SELECT p.panel, c.layout, c.published, c.bytes, c.bytes / 4.0 AS words, c.loads, c.tree_bytes / 1024.0 AS tree, 1.0 * c.visit_sectors / c.nodes AS sectors,
       1.0 * c.node_lines / c.inner_steps AS lines, 1.0 * c.node_sectors / c.inner_steps AS warp_sectors, 32.0 * c.visit_sectors / c.rays AS fetched,
       1.0 * c.list_lines / c.leaf_visits AS list_lines, 1.0 * c.leaf_lines / c.leaf_visits AS leaf_lines, c.trial AS counted_trial,
       'Under the same rays a visit to a node touches ' || (SELECT printf('%.2f', 1.0 * visit_sectors / nodes) FROM cell AS x WHERE x.work = p.work AND
       x.device_name = p.device_name AND x.tree = 'kd_ptr25') || ' sectors of 32 bytes in the tree of pointers and ' || (SELECT printf('%.2f', 1.0 * visit_sectors / nodes) FROM
       cell AS x WHERE x.work = p.work AND x.device_name = p.device_name AND x.tree = 'kd16') || ' in nodes of 16 bytes.' AS headline,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, p.works AS work, '' AS schedule, p.trials AS trials, 0 AS left_out
FROM cell AS c
JOIN panel AS p USING (work, device_name)
ORDER BY p.panel, c.row_place
