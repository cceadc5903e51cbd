-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.5: light sampling by searching a large table in place of an alias table: how much longer the naive frame takes,
-- and by how much the speedup of whole_frame changes.
WITH cell AS (
    SELECT v.*, w.speedup_excluded, w.speedup_weak,
           row_number() OVER (PARTITION BY v.work, v.device_name, v.schedule ORDER BY v.seconds IS NULL, v.newest DESC) AS nth
    FROM versus AS v
    JOIN weighed AS w ON w.setting = v.setting
    WHERE v.variant = 'whole_frame' AND v.plain AND v.unthrottled AND v.dummy_flops = 0 AND v.traversal = 'while_while' AND
          v.materials = 'lambert07' AND v.lighting = 'direct' AND v.first_camera AND v.max_bounces = 8 AND
          v.lane_map = 'linear' AND v.pixel_order = 'tile' AND v.block = 64 AND v.registers IS 64
),
pair AS (
    SELECT s.*, a.speedup AS alias_speedup, s.naive_seconds / a.naive_seconds AS longer, s.speedup - a.speedup AS change,
           sqrt(pow(s.speedup * s.speedup_ci, 2) + pow(a.speedup * a.speedup_ci, 2)) AS half,
           sqrt(pow(n.relative_ci, 2) + pow(o.relative_ci, 2)) AS longer_ci,
           a.speedup_excluded AS other_excluded, a.speedup_weak AS other_weak, s.both_trials || ', ' || a.both_trials AS all_trials
    FROM cell AS s
    JOIN cell AS a ON a.scene = s.scene AND a.camera = s.camera AND a.width = s.width AND a.height = s.height AND a.family = s.family AND
                      a.schedule = s.schedule AND a.device_name = s.device_name AND a.light_search = 'alias' AND a.nth = 1
    LEFT JOIN timed AS n ON n.setting = s.naive_setting
    LEFT JOIN timed AS o ON o.setting = a.naive_setting
    WHERE s.light_search <> 'alias' AND s.nth = 1
)
SELECT label || printf(', %dx%d, %s, %s', width, height, device_name, CASE light_search WHEN 'cdf' THEN '2000x1000' ELSE '16384x8192' END) AS place,
       100 * (longer - 1) AS longer, 100 * (longer * (1 - longer_ci) - 1) AS longer_low, 100 * (longer * (1 + longer_ci) - 1) AS longer_high,
       -- of the size of a change the interval ends at 0
       abs(change) AS change, max(0, abs(change) - half) AS change_low, abs(change) + half AS change_high,
       iif(length(speedup_excluded) > length(other_excluded), speedup_excluded, other_excluded) AS excluded,
       trim(speedup_weak || '|' || other_weak, '|') AS flags, all_trials AS trials
FROM pair
ORDER BY place_in_paper, label, width, light_search
