-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, introduction: registers of one kernel less those of the kernel that traces rays; and the time that one kernel
-- spends in the traversal, by sampled instructions, over the time of the stages that trace rays. Lines of vector arithmetic, which the
-- traversal shares with others, count half, and make the interval.
WITH uncapped AS (
    SELECT s.device_name, s.test, s.variant, min(s.trial) AS trial, min(k.registers) AS least, max(k.registers) AS most
    FROM test_setting AS s
    JOIN kernels AS k ON k.trial = s.trial AND k.collection IN ('frame', 'launches') AND (k.kernel LIKE '%\_trace' ESCAPE '\' OR k.kernel = 'naive')
    WHERE s.registers IS NULL AND s.variant IN ('naive', 'pool_refill', 'tile_regenerate', 'stream_compact') AND k.registers > 0
    GROUP BY s.device_name, s.test, s.variant
),
sampled AS (                        -- share of the samples that lie in the traversal, and half of those in lines that it shares with others
    SELECT spec, trial, (tracing + 0.5 * either) / samples AS traversal, 0.5 * either / samples AS half
    FROM (SELECT o.spec, k.trial, sum(iif(k.file LIKE '%trees/%' OR k.file LIKE '%surface/trace.h', k.samples, 0)) AS tracing,
                 sum(iif(k.file IN ('lib/vec.h', 'lib/platform_cuda.h'), k.samples, 0)) AS either, 1.0 * sum(k.samples) AS samples,
                 row_number() OVER (PARTITION BY o.spec ORDER BY o.last_run DESC, o.id DESC) AS nth
          FROM stall_lines AS k JOIN trial_record AS o ON o.id = k.trial
          GROUP BY k.trial)
    WHERE nth = 1
)
SELECT n.test || ', ' || p.variant || ', ' || n.device_name AS place, '' AS flags, n.trial || ', ' || p.trial AS trials, n.least - p.most AS fewer, NULL AS faster, NULL AS faster_half
FROM uncapped AS n JOIN uncapped AS p ON p.device_name = n.device_name AND p.test = n.test AND p.variant <> 'naive'
WHERE n.variant = 'naive'
UNION ALL
SELECT p.place, p.stage_flags || '|' || n.flags, n.trials || ', ' || t.trial || ', ' || p.timed, NULL, t.traversal * n.seconds * n.spp / p.rays_seconds,
       t.half * n.seconds * n.spp / p.rays_seconds
FROM test_setting AS n
JOIN sampled AS t ON t.spec = n.spec
JOIN test_stages AS p ON p.work = n.work AND p.schedule = n.schedule AND p.device_name = n.device_name AND p.variant = 'pool_refill' AND p.dead_share = 0
WHERE n.variant = 'naive' AND n.seconds > 0
