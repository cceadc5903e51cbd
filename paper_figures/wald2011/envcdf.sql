-- SPDX-License-Identifier: MIT
-- Wald 2011, section 4.2.5: light sampling by searching a large table in place of an alias table, which is bound by memory and costs
-- every lane the same.
cell AS (
    SELECT *, row_number() OVER (PARTITION BY work, device_name, schedule ORDER BY seconds IS NULL, newest DESC) AS nth
    FROM versus
    WHERE variant = 'whole_frame' AND usual AND materials = 'lambert07' AND lighting = 'direct'
),
ranked AS (
    SELECT scene, camera, device_name, width, height, max_bounces, family, schedule, min(device) AS device,
           group_concat(both_trials, ', ') AS trials,
           row_number() OVER (PARTITION BY scene, camera, device_name, width, height
                              ORDER BY count(DISTINCT light_search) DESC, abs(max_bounces - 8), min(distance), max(newest) DESC) AS place
    FROM cell WHERE nth = 1
    GROUP BY scene, camera, device_name, width, height, max_bounces, family, schedule
    HAVING count(DISTINCT light_search) > 1 OR :all = 1
),
shown AS (
    SELECT p.panel, c.*, p.trials AS panel_trials, p.left_out
    FROM panel AS p
    JOIN cell AS c ON c.scene = p.scene AND c.camera = p.camera AND c.device_name = p.device_name AND c.width = p.width AND
                      c.height = p.height AND c.max_bounces = p.max_bounces AND c.family = p.family AND c.schedule = p.schedule AND c.nth = 1
)
SELECT s.panel, CASE s.light_search WHEN 'alias' THEN 'alias table' WHEN 'cdf' THEN 'search, 2000x1000' WHEN 'cdf_large' THEN 'search, 16384x8192'
                     ELSE s.light_search END AS search,
       1000 * s.naive_seconds AS naive, s.naive_flags, s.naive_trials,
       100 * (s.naive_seconds / a.naive_seconds - 1) AS naive_rise, 1000 * s.seconds AS whole_frame, s.flags AS whole_frame_flags,
       s.trials AS row_trials, s.speedup, s.speedup * (1 - s.speedup_ci) AS speedup_low, s.speedup * (1 + s.speedup_ci) AS speedup_high,
       s.speedup_flags, s.both_trials, iif(s.light_search <> 'alias', 100 * (s.speedup - a.speedup), NULL) AS difference,
       iif(s.light_search <> 'alias', 100 * (s.speedup - a.speedup - sqrt(pow(s.speedup * s.speedup_ci, 2) + pow(a.speedup * a.speedup_ci, 2))), NULL)
           AS difference_low,
       iif(s.light_search <> 'alias', 100 * (s.speedup - a.speedup + sqrt(pow(s.speedup * s.speedup_ci, 2) + pow(a.speedup * a.speedup_ci, 2))), NULL)
           AS difference_high,
       CASE s.light_search WHEN 'cdf' THEN 0 END AS difference_published,
       s.scene, s.camera, s.device, s.device_name, s.width, s.height, s.max_bounces, s.family AS work, s.schedule, s.panel_trials AS trials, s.left_out
FROM shown AS s
LEFT JOIN shown AS a ON a.panel = s.panel AND a.light_search = 'alias'
ORDER BY s.panel, s.light_search
