-- SPDX-License-Identifier: MIT
-- Chapter on a kd-tree, 4.2, on a GPU: the forms of the step. One panel per scene and image size; a row is a form.
WITH form AS (
    SELECT column1 AS kd_step, column2 AS step, column3 AS place FROM (VALUES
        ('branchy', 'a branch for each case', 1), ('hoist', 'common statements hoisted', 2), ('swap', 'swap in place', 3), ('mask', 'mask and add', 4),
        ('all', 'hoisted, mask and add', 5), ('xor', 'exclusive or (default)', 6))
),
cell AS (
    SELECT c.*, f.step, f.place AS row_place, h.trial AS hardware, 100.0 * h.divergent / h.visits AS divergent, 1.0 * h.instructions / h.steps AS instructions
    FROM kd_time AS c
    JOIN form AS f ON f.kd_step = c.kd_step
    LEFT JOIN kd_hardware AS h ON h.place = c.place AND h.tree = c.tree AND h.kd_step = c.kd_step AND h.triangle_test = c.triangle_test
    WHERE c.device_kind <> 'model' AND c.tree = 'kd16' AND c.triangle_test = 'watertight'
),
panel AS (
    SELECT row_number() OVER (ORDER BY scene, width, work) AS panel, work, device_name, scene, camera, min(device) AS device, width, height, max_bounces, schedule,
           group_concat(trials, ', ') AS trials
    FROM cell
    GROUP BY work, device_name, schedule
    HAVING count(*) > 1
)
SELECT p.panel, c.step, 1000 * c.seconds AS time, 1000 * c.seconds * (1 - c.relative_ci) AS time_low, 1000 * c.seconds * (1 + c.relative_ci) AS time_high, c.flags, c.trials,
       c.seconds / first_value(c.seconds) OVER (PARTITION BY p.panel ORDER BY c.row_place) AS ratio, c.divergent, c.instructions, c.hardware,
       iif(c.hardware IS NULL, 'not_asked', '') AS hardware_flags,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, 'naive, tree kd16' AS work, p.schedule, p.trials AS panel_trials, 0 AS left_out
FROM cell AS c
JOIN panel AS p USING (work, device_name, schedule)
ORDER BY p.panel, c.row_place
