-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, introduction: registers of one kernel less those of the kernel that traces rays; and the time that one kernel
-- spends in the traversal, by sampled instructions, over the time of the stages that trace rays.
WITH uncapped AS (
    SELECT s.device_name, s.test, s.variant, min(s.trial) AS trial, min(k.registers) AS least, max(k.registers) AS most
    FROM test_setting AS s
    JOIN kernels AS k ON k.trial = s.trial AND k.collection IN ('frame', 'launches') AND (k.kernel LIKE '%\_trace' ESCAPE '\' OR k.kernel = 'naive')
    WHERE s.registers IS NULL AND s.variant IN ('naive', 'pool_refill', 'tile_regenerate', 'stream_compact') AND k.registers > 0
    GROUP BY s.device_name, s.test, s.variant
),
sampled AS (                        -- share of the samples that lie in the traversal
    SELECT trial, 1.0 * sum(iif(file LIKE '%trees/%' OR file LIKE '%surface/trace.h', samples, 0)) / sum(samples) AS traversal
    FROM stall_lines
    GROUP BY trial
)
SELECT n.test || ', ' || p.variant || ', ' || n.device_name AS place, '' AS flags, n.trial || ', ' || p.trial AS trials, n.least - p.most AS fewer, NULL AS faster
FROM uncapped AS n JOIN uncapped AS p ON p.device_name = n.device_name AND p.test = n.test AND p.variant <> 'naive'
WHERE n.variant = 'naive'
UNION ALL
SELECT p.place, p.stage_flags || '|' || n.flags, n.trials || ', ' || p.timed, NULL, t.traversal * n.seconds * n.spp / p.rays_seconds
FROM test_setting AS n
JOIN sampled AS t ON t.trial = n.trial
JOIN test_stages AS p ON p.work = n.work AND p.schedule = n.schedule AND p.device_name = n.device_name AND p.variant = 'pool_refill' AND p.dead_share = 0
WHERE n.variant = 'naive' AND n.seconds > 0
