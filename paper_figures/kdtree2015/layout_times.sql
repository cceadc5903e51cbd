-- SPDX-License-Identifier: MIT
-- Chapter on a kd-tree, 4.1, on a GPU: frame time with each layout, and what the first-level cache misses. One panel per scene, image size and triangle test;
-- a row is a layout.
WITH cell AS (
    SELECT c.*, l.layout, l.place AS row_place, h.trial AS hardware, 1.0 * h.sectors / h.visits AS sectors, 1.0 * h.misses / h.visits AS misses,
           'naive, triangle test ' || replace(c.triangle_test, '_', ' ') AS works
    FROM kd_time AS c
    JOIN kd_layout AS l ON l.tree = c.tree
    LEFT JOIN kd_hardware AS h ON h.place = c.place AND h.tree = c.tree AND h.kd_step = c.kd_step AND h.triangle_test = c.triangle_test
    WHERE c.device_kind <> 'model' AND c.kd_step = 'xor' AND c.triangle_test <> 'moeller_trumbore'
),
panel AS (
    SELECT row_number() OVER (ORDER BY scene, triangle_test DESC, width, work) AS panel, work, device_name, scene, camera, min(device) AS device, width, height, max_bounces, works,
           schedule, group_concat(trials, ', ') AS trials
    FROM cell
    GROUP BY work, device_name, schedule
    HAVING count(*) > 1
)
SELECT p.panel, c.layout, 1000 * c.seconds AS time, 1000 * c.seconds * (1 - c.relative_ci) AS time_low, 1000 * c.seconds * (1 + c.relative_ci) AS time_high, c.flags, c.trials,
       c.seconds / first_value(c.seconds) OVER (PARTITION BY p.panel ORDER BY c.row_place) AS ratio,
       c.sectors, c.misses, c.hardware, iif(c.hardware IS NULL, 'not_asked', '') AS hardware_flags,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, p.works AS work, p.schedule, p.trials AS panel_trials, 0 AS left_out
FROM cell AS c
JOIN panel AS p USING (work, device_name, schedule)
ORDER BY p.panel, c.row_place
