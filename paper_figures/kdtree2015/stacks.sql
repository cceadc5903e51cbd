-- SPDX-License-Identifier: MIT
-- Chapter on a kd-tree, 4.2: what the stack holds. One panel per scene and image size; a row is a kind of stack.
WITH kind AS (
    SELECT column1 AS kd_stack, column2 AS stack, column3 AS place, column4 AS bytes FROM (VALUES
        ('index', 'index', 1, 8), ('address', 'address', 2, 16), ('record', 'the node itself', 3, 32))
),
cell AS (
    SELECT c.*, k.stack, k.place AS row_place, k.bytes, t.camera, t.device, t.width, t.height, t.max_bounces
    FROM kd_cell AS c
    JOIN kind AS k ON k.kd_stack = c.kd_stack
    JOIN trial_record AS t ON t.id = c.trial
    WHERE c.tree = 'kd16' AND c.kd_order = 'depth' AND c.kd_step = 'xor' AND c.pixel_order = 'tile' AND c.affine_order = 'all'
),
panel AS (
    SELECT row_number() OVER (ORDER BY scene, width, work) AS panel, work, device_name, scene, camera, device, width, height, max_bounces, group_concat(trial, ', ') AS trials
    FROM cell
    GROUP BY work, device_name
    HAVING count(DISTINCT kd_stack) > 1
)
SELECT p.panel, c.stack, c.bytes, 1.0 * c.nodes / c.rays AS nodes, 1.0 * c.node_loads / c.rays AS loads, 1.0 * c.never_visited / c.rays AS never,
       c.trial AS counted_trial, p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, 'naive' AS work, '' AS schedule, p.trials AS trials,
       0 AS left_out
FROM cell AS c
JOIN panel AS p USING (work, device_name)
ORDER BY p.panel, c.row_place
