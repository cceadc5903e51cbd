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
),
shown AS MATERIALIZED (
    SELECT p.panel, p.trials AS panel_trials, p.left_out, c.*, c.speedup * (1 - c.speedup_ci) AS low, c.speedup * (1 + c.speedup_ci) AS high, o.percent / 100 AS achieved,
           iif(o.percent IS NULL, 'no_counter', '') AS achieved_flags
    FROM cell AS c
    JOIN panel AS p USING (work, device_name, schedule)
    LEFT JOIN achieved AS o ON o.spec = c.spec
    WHERE c.nth = 1
)
SELECT l.panel, l.tile_m, s.speedup AS tiled_shared, s.low AS tiled_shared_low, s.high AS tiled_shared_high, s.speedup_flags AS tiled_shared_flags,
       s.both_trials AS tiled_shared_trials, g.speedup AS tiled_global, g.low AS tiled_global_low, g.high AS tiled_global_high,
       g.speedup_flags AS tiled_global_flags, g.both_trials AS tiled_global_trials,
       (SELECT max(k.block_bytes) FROM kernels AS k WHERE k.trial = s.trial AND k.auxiliary = 0) / 1024.0 AS shared_kilobytes,
       s.achieved AS achieved_shared, coalesce(s.achieved_flags, '') AS achieved_shared_flags,
       g.achieved AS achieved_global, coalesce(g.achieved_flags, '') AS achieved_global_flags,
       l.scene, l.camera, l.device, l.device_name, l.width, l.height, l.max_bounces, l.family AS work, l.schedule, l.panel_trials AS trials, l.left_out
FROM (SELECT * FROM shown GROUP BY panel, tile_m) AS l
LEFT JOIN shown AS s ON s.panel = l.panel AND s.tile_m = l.tile_m AND s.variant = 'tiled_shared'
LEFT JOIN shown AS g ON g.panel = l.panel AND g.tile_m = l.tile_m AND g.variant = 'tiled_global'
ORDER BY l.panel, l.tile_m
