-- SPDX-License-Identifier: MIT
-- Wald 2011, section 4.2.7: surfaces that scatter less make the paths of a warp end together. One row per scene and set of materials.
WITH cell AS (
    SELECT s.*, v.speedup, v.speedup_ci, v.speedup_flags, v.setting IS NOT NULL AS asked_times, v.naive_trials,
           row_number() OVER (PARTITION BY s.scene, iif(s.first_camera, '', s.camera), s.materials, s.width, s.height, s.max_bounces, s.family, s.schedule,
                                           s.device_name ORDER BY v.seconds IS NULL, s.newest DESC) AS nth
    FROM setup AS s
    LEFT JOIN versus AS v ON v.setting = s.setting
    WHERE s.variant = 'whole_frame' AND s.plain AND s.unthrottled AND s.dummy_flops = 0 AND s.traversal = 'while_while' AND
          s.lighting = 'direct' AND s.light_search = 'alias' AND s.first_camera
),
ranked AS (
    SELECT device_name, width, height, max_bounces, family, schedule, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY device_name, width, height
                              ORDER BY count(DISTINCT materials) DESC, count(DISTINCT label || materials) DESC, abs(max_bounces - 8), min(distance), max(newest) DESC) AS place
    FROM cell WHERE nth = 1
    GROUP BY device_name, width, height, max_bounces, family, schedule
    HAVING count(DISTINCT materials) > 1 OR :all = 1
),
panel AS (
    SELECT row_number() OVER (ORDER BY device_name, width * height, place) AS panel, *,
           (SELECT count(*) FROM ranked WHERE place > 1 AND :all = 0) AS left_out
    FROM ranked
    WHERE place = 1 OR :all = 1
)
SELECT p.panel, c.label || ', ' || c.materials AS surfaces,
       1.0 * n.last_paths / n.first_paths AS alive, 1.0 * n.paths / (n.warp_width * n.warps) AS utilisation, n.trials AS naive_trials,
       1.0 * n.warps / o.warps AS saved, c.trials || coalesce(', ' || n.trials, '') AS both_trials,
       iif(n.warps IS NULL OR o.warps IS NULL, 'not_asked|', '') || iif(c.fitted, 'fitted', '') AS saved_flags,
       100 * (c.speedup - 1) AS change, 100 * (c.speedup * (1 - c.speedup_ci) - 1) AS change_low,
       100 * (c.speedup * (1 + c.speedup_ci) - 1) AS change_high, coalesce(c.speedup_flags, 'not_asked') || iif(c.fitted, '|fitted', '') AS change_flags,
       iif(1.0 * n.warps / o.warps > 1.05, (c.speedup - 1) / (1.0 * n.warps / o.warps - 1), NULL) AS realised,
       iif(1.0 * n.warps / o.warps <= 1.05, 'little_saved', coalesce(c.speedup_flags, 'not_asked')) || iif(c.fitted, '|fitted', '') AS realised_flags,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM cell AS c
JOIN panel AS p ON p.device_name = c.device_name AND p.width = c.width AND p.height = c.height AND p.max_bounces = c.max_bounces AND
                   p.family = c.family AND p.schedule = c.schedule
LEFT JOIN totals AS o ON o.spec = c.spec AND o.nth = 1
LEFT JOIN counted_naive AS n ON n.work = c.work AND n.device_name = c.device_name AND n.schedule = c.schedule AND n.place = 1
WHERE c.nth = 1
ORDER BY p.panel, c.place_in_paper, c.scene, c.materials <> 'lambert07', c.materials
