-- SPDX-License-Identifier: MIT
-- Thesis 2018, occupancy: of a kernel with 64 registers, on its GPU and on one of today, by arithmetic; registers of the kernels here, without a limit.
SELECT printf('%s, compute capability %d.%d', example, version / 10, version % 10) AS place, '' AS flags, '' AS trials,
       1.0 * occupancy_warps(version, 256, 64, 0) / max_warps AS occupancy, NULL AS registers
FROM compute_capability
WHERE version IN (30, 90)
UNION ALL
SELECT s.place || ', ' || s.variant, '', k.trial, NULL, max(k.registers)
FROM scheme AS s
JOIN trial_record AS t ON t.setting = s.setting
JOIN kernels AS k ON k.trial = t.id AND k.auxiliary = 0 AND k.collection <> 'counts' AND k.registers > 0
WHERE s.variant IN ('volume_naive', 'regenerate_thread') AND s.choice = '' AND s.kind <> 'grid'
GROUP BY s.device_name, s.variant
