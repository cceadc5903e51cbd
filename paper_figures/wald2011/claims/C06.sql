-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.1 and 5: speed of tiled_global, held down to as few warps, over that of tiled_shared: the same tile and split of L1.
WITH held AS MATERIALIZED (
    SELECT t.setting, min(k.multiprocessor_warps) AS warps
    FROM timed_case AS t JOIN kernels AS k ON k.trial = t.trial AND k.auxiliary = 0 AND k.collection = 'frame'
    GROUP BY t.setting
)
SELECT printf('%s, M %d, %s', g.place, g.tile_m, iif(g.shared_pad > 0, g.shared_pad || ' unused bytes', 'at most ' || g.resident_blocks || ' blocks'))
           AS place,
       trim(iif(g.fitted, 'fitted', '') || iif(instr(g.flags || s.flags, 'underfilled'), '|underfilled', '') ||
            iif(gh.warps = sh.warps, '', '|other_occupancy'), '|') AS excluded,
       iif(g.seconds IS NULL, g.flags, trim(replace(g.flags || '|' || s.flags, 'underfilled', ''), '|')) AS flags, g.trials || ', ' || s.trials AS trials,
       s.seconds / g.seconds AS speed, s.seconds / g.seconds * (1 - sqrt(s.relative_ci * s.relative_ci + g.relative_ci * g.relative_ci)) AS speed_low,
       s.seconds / g.seconds * (1 + sqrt(s.relative_ci * s.relative_ci + g.relative_ci * g.relative_ci)) AS speed_high
FROM timed_case AS g
JOIN timed_case AS s ON s.work = g.work AND s.device_name = g.device_name AND s.tile_m = g.tile_m AND s.carveout IS g.carveout AND
                        s.variant = 'tiled_shared' AND s.shared_pad = 0 AND s.resident_blocks IS NULL
LEFT JOIN held AS gh ON gh.setting = g.setting
LEFT JOIN held AS sh ON sh.setting = s.setting
WHERE g.variant = 'tiled_global' AND g.max_bounces = 8 AND (g.shared_pad > 0 OR g.resident_blocks IS NOT NULL)
ORDER BY g.width * g.height, g.place, g.tile_m, g.resident_blocks IS NOT NULL
