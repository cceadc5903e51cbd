-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.3: bytes a lane that the compiler spills of naive at 64 registers at most, in clean kernels.
SELECT 'naive, 64 registers at most, ' || s.device_name AS place, min(k.spill_bytes) AS spilled, '' AS excluded, '' AS flags, group_concat(DISTINCT s.trial) AS trials
FROM setup AS s
JOIN kernels AS k ON k.trial = s.trial AND k.auxiliary = 0 AND k.collection <> 'counts' AND k.spill_bytes IS NOT NULL
WHERE s.variant = 'naive' AND s.usual AND s.matte AND s.registers = 64
GROUP BY s.device_name
