-- SPDX-License-Identifier: MIT
-- Register cap and block size: what the compiler makes of them, and what it means for both schedules.
cell AS (
    SELECT *, row_number() OVER (PARTITION BY work, device_name, schedule, variant ORDER BY seconds IS NULL, newest DESC) AS nth
    FROM versus
    WHERE variant IN ('naive', 'whole_frame') AND usual AND matte AND lane_map = 'linear' AND pixel_order = 'tile'
),
ranked AS (
    SELECT scene, camera, device_name, width, height, max_bounces, family, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY scene, camera, device_name, width, height
                              ORDER BY count(DISTINCT schedule) DESC, abs(max_bounces - 8), max(newest) DESC) AS place
    FROM cell WHERE nth = 1
    GROUP BY scene, camera, device_name, width, height, max_bounces, family
    HAVING count(DISTINCT schedule) > 1 OR :all = 1
),
kernel_of AS MATERIALIZED (         -- the heaviest path kernel of a setting's clean build
    SELECT s.setting, max(k.registers) AS registers, max(k.spill_bytes) AS spill_bytes, min(k.multiprocessor_warps) AS warps
    FROM setup AS s JOIN kernels AS k ON k.trial = s.trial AND k.auxiliary = 0 AND k.collection <> 'counts'
    GROUP BY s.setting
),
shown AS MATERIALIZED (
    SELECT p.panel, c.*, p.trials AS panel_trials, p.left_out, k.registers AS used, k.spill_bytes, k.warps
    FROM cell AS c
    JOIN panel AS p USING (scene, camera, device_name, width, height, max_bounces, family)
    LEFT JOIN kernel_of AS k ON k.setting = c.setting
    WHERE c.nth = 1
)
SELECT l.panel, coalesce('at most ' || l.registers, 'free') || ', block ' || l.block AS choice,
       n.used AS naive_registers, n.spill_bytes AS naive_spill, n.warps AS naive_warps, n.trials AS naive_trials, n.spp / n.seconds AS naive, n.flags AS naive_flags,
       w.used AS whole_registers, w.spill_bytes AS whole_spill, w.warps AS whole_warps, w.spp / w.seconds AS whole_frame, w.flags AS whole_flags,
       w.trials AS whole_trials, 100 * (w.speedup - 1) AS change, 100 * (w.speedup * (1 - w.speedup_ci) - 1) AS change_low,
       100 * (w.speedup * (1 + w.speedup_ci) - 1) AS change_high, w.speedup_flags AS change_flags, w.both_trials,
       l.scene, l.camera, l.device, l.device_name, l.width, l.height, l.max_bounces, l.family AS work, l.panel_trials AS trials, l.left_out
FROM (SELECT * FROM shown GROUP BY panel, schedule) AS l
LEFT JOIN shown AS n ON n.panel = l.panel AND n.schedule = l.schedule AND n.variant = 'naive'
LEFT JOIN shown AS w ON w.panel = l.panel AND w.schedule = l.schedule AND w.variant = 'whole_frame'
ORDER BY l.panel, l.registers IS NOT NULL, l.registers DESC, l.block
