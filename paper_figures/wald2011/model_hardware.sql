-- SPDX-License-Identifier: MIT
-- Active lanes inside the traversal: what the lockstep model predicts from the emulator's counts, and what the hardware counted.
WITH cell AS (
    SELECT s.*, e.trial AS counter_trial, e.bounce AS place_of_bounce, e.model_trial, e.model_inner, e.hardware_inner, e.error_inner, e.model_triangle,
           e.hardware_triangle, e.error_triangle, e.model, e.hardware, e.error
    FROM traversal_efficiency AS e
    JOIN trial_record AS t ON t.id = e.trial
    JOIN setup AS s ON s.setting = t.setting
    JOIN state AS w ON w.setting = s.setting AND w.collection = 'counters' AND NOT w.outdated
),
ranked AS (
    SELECT counter_trial, scene, camera, variant, traversal, device_name, width * height AS size,
           max(abs(error)) AS worst, avg(abs(error)) AS mean, group_concat(DISTINCT model_trial) AS model_trials,
           row_number() OVER (PARTITION BY scene, camera, variant, traversal, device_name
                              ORDER BY NOT matte, NOT unthrottled, dummy_flops, abs(max_bounces - 8), distance, width * height DESC, newest DESC) AS place
    FROM cell
    GROUP BY counter_trial
),
chosen AS (                         -- variants of one scene, size and schedule share a panel
    SELECT r.*, dense_rank() OVER (ORDER BY r.scene, r.camera, r.device_name, r.size, c.max_bounces, c.family, r.traversal, c.schedule, r.place) AS panel
    FROM ranked AS r
    JOIN (SELECT DISTINCT counter_trial, max_bounces, family, schedule FROM cell) AS c ON c.counter_trial = r.counter_trial
    WHERE r.place = 1 OR :all = 1
),
panel AS (
    SELECT panel, max(worst) AS worst, avg(mean) AS mean, group_concat(counter_trial || ', ' || model_trials, ', ') AS trials,
           (SELECT count(*) FROM ranked WHERE place > 1 AND :all = 0) AS left_out
    FROM chosen
    GROUP BY panel
)
SELECT p.panel, c.variant || ', ' || coalesce(c.place_of_bounce, 'all') AS launch, model_inner, hardware_inner, error_inner, model_triangle, hardware_triangle, error_triangle,
       model, hardware, error, iif(abs(error) > 5, 'far_off', '') AS error_flags,
       k.counter_trial || ', ' || c.model_trial AS both_trials, replace(replace(p.trials, ', ', ','), ',', ', ') AS trials,
       printf('the model is off by at most %.1f points, %.1f on average', p.worst, p.mean) AS finding,
       c.scene, c.camera, c.device, c.device_name, c.width, c.height, c.max_bounces, c.family AS work,
       c.traversal || ', ' || c.schedule AS schedule, p.left_out
FROM cell AS c
JOIN chosen AS k ON k.counter_trial = c.counter_trial
JOIN panel AS p ON p.panel = k.panel
ORDER BY p.panel, c.variant, c.place_of_bounce IS NULL, c.place_of_bounce
