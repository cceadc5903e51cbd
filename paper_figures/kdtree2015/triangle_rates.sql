-- SPDX-License-Identifier: MIT
-- Chapter on a kd-tree, 4.3, on a GPU: the triangle tests in the same tree. One panel per scene and image size; a row is a test.
WITH kind AS (
    SELECT column1 AS triangle_test, column2 AS test, column3 AS place FROM (VALUES
        ('moeller_trumbore', 'Möller and Trumbore', 1), ('affine', 'affine', 2), ('watertight', 'watertight', 3))
),
cell AS (
    SELECT c.*, k.test, k.place AS row_place
    FROM kd_time AS c
    JOIN kind AS k ON k.triangle_test = c.triangle_test
    WHERE c.device_kind <> 'model' AND c.tree = 'kd16' AND c.kd_step = 'xor'
),
panel AS (
    SELECT row_number() OVER (ORDER BY scene, width) AS panel, place, schedule, device_name, scene, camera, min(device) AS device, width, height, max_bounces,
           group_concat(trials, ', ') AS trials
    FROM cell
    GROUP BY place, max_bounces, schedule
    HAVING count(*) > 1
)
SELECT p.panel, c.test, 1000 * c.seconds AS time, 1000 * c.seconds * (1 - c.relative_ci) AS time_low, 1000 * c.seconds * (1 + c.relative_ci) AS time_high, c.flags, c.trials,
       1.0 * c.tests / c.rays AS tests, 1e-6 * c.tests / c.seconds AS rate, c.counted, iif(c.counted IS NULL, 'not_asked', '') AS counted_flags,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, 'naive, tree kd16' AS work, p.schedule, p.trials AS panel_trials, 0 AS left_out
FROM cell AS c
JOIN panel AS p ON p.place = c.place AND p.max_bounces = c.max_bounces AND p.schedule = c.schedule
ORDER BY p.panel, c.row_place
