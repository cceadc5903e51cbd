-- SPDX-License-Identifier: MIT
-- Wald 2011, Figure 2, left: speed of the tiled kernels against the rows M of a tile, in terms of the naive kernel's.
--
-- One panel per configuration; unless :all is 1, that of each scene, camera, device and image size with the most tiles, nearest to the
-- paper's.
cell AS (
    SELECT *, row_number() OVER (PARTITION BY work, device_name, schedule, variant, tile_m ORDER BY seconds IS NULL, newest DESC) AS nth
    FROM versus
    WHERE variant IN ('tiled_shared', 'tiled_global') AND usual
),
ranked AS (
    SELECT work, device_name, schedule, scene, camera, device, width, height, max_bounces, family, max(newest) AS newest,
           group_concat(both_trials, ', ') AS trials,
           row_number() OVER (PARTITION BY scene, camera, device_name, width, height
                              ORDER BY NOT max(matte), count(DISTINCT tile_m) DESC, abs(max_bounces - 8), min(distance), max(newest) DESC) AS place
    FROM cell WHERE nth = 1
    GROUP BY work, device_name, schedule
    HAVING count(DISTINCT tile_m) > 1 OR :all = 1 -- a curve has more than one point
)
SELECT p.panel, c.tile_m, max(iif(c.variant = 'tiled_shared', speedup, NULL)) AS tiled_shared,
       max(iif(c.variant = 'tiled_shared', speedup * (1 - speedup_ci), NULL)) AS tiled_shared_low,
       max(iif(c.variant = 'tiled_shared', speedup * (1 + speedup_ci), NULL)) AS tiled_shared_high,
       max(iif(c.variant = 'tiled_shared', speedup_flags, NULL)) AS tiled_shared_flags,
       max(iif(c.variant = 'tiled_shared', both_trials, NULL)) AS tiled_shared_trials,
       max(iif(c.variant = 'tiled_global', speedup, NULL)) AS tiled_global,
       max(iif(c.variant = 'tiled_global', speedup * (1 - speedup_ci), NULL)) AS tiled_global_low,
       max(iif(c.variant = 'tiled_global', speedup * (1 + speedup_ci), NULL)) AS tiled_global_high,
       max(iif(c.variant = 'tiled_global', speedup_flags, NULL)) AS tiled_global_flags,
       max(iif(c.variant = 'tiled_global', both_trials, NULL)) AS tiled_global_trials,
       max(iif(c.variant = 'tiled_shared', (SELECT max(k.block_bytes) FROM kernels AS k WHERE k.trial = c.trial AND k.auxiliary = 0) / 1024.0, NULL))
           AS shared_kilobytes,
       max(iif(c.variant = 'tiled_shared', o.percent / 100, NULL)) AS achieved_shared,
       max(iif(c.variant = 'tiled_shared' AND o.percent IS NULL, 'no_counter', '')) AS achieved_shared_flags,
       max(iif(c.variant = 'tiled_global', o.percent / 100, NULL)) AS achieved_global,
       max(iif(c.variant = 'tiled_global' AND o.percent IS NULL, 'no_counter', '')) AS achieved_global_flags,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials,
       p.left_out
FROM cell AS c
JOIN panel AS p USING (work, device_name, schedule)
LEFT JOIN achieved AS o ON o.spec = c.spec
WHERE c.nth = 1
GROUP BY p.panel, c.tile_m
ORDER BY p.panel, c.tile_m
