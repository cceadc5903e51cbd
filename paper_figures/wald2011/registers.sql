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
)
SELECT p.panel, coalesce('at most ' || c.registers, 'free') || ', block ' || c.block AS choice,
       max(iif(c.variant = 'naive', k.registers, NULL)) AS naive_registers, max(iif(c.variant = 'naive', k.spill_bytes, NULL)) AS naive_spill,
       max(iif(c.variant = 'naive', k.warps, NULL)) AS naive_warps, max(iif(c.variant = 'naive', c.trials, NULL)) AS naive_trials,
       max(iif(c.variant = 'naive', c.spp / c.seconds, NULL)) AS naive, max(iif(c.variant = 'naive', c.flags, NULL)) AS naive_flags,
       max(iif(c.variant = 'whole_frame', k.registers, NULL)) AS whole_registers,
       max(iif(c.variant = 'whole_frame', k.spill_bytes, NULL)) AS whole_spill, max(iif(c.variant = 'whole_frame', k.warps, NULL)) AS whole_warps,
       max(iif(c.variant = 'whole_frame', c.spp / c.seconds, NULL)) AS whole_frame,
       max(iif(c.variant = 'whole_frame', c.flags, NULL)) AS whole_flags, max(iif(c.variant = 'whole_frame', c.trials, NULL)) AS whole_trials,
       max(iif(c.variant = 'whole_frame', 100 * (c.speedup - 1), NULL)) AS change,
       max(iif(c.variant = 'whole_frame', 100 * (c.speedup * (1 - c.speedup_ci) - 1), NULL)) AS change_low,
       max(iif(c.variant = 'whole_frame', 100 * (c.speedup * (1 + c.speedup_ci) - 1), NULL)) AS change_high,
       max(iif(c.variant = 'whole_frame', c.speedup_flags, NULL)) AS change_flags,
       max(iif(c.variant = 'whole_frame', c.both_trials, NULL)) AS both_trials,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.trials, p.left_out
FROM cell AS c
JOIN panel AS p USING (scene, camera, device_name, width, height, max_bounces, family)
LEFT JOIN kernel_of AS k ON k.setting = c.setting
WHERE c.nth = 1
GROUP BY p.panel, c.schedule
ORDER BY p.panel, c.registers IS NOT NULL, c.registers DESC, c.block
