-- SPDX-License-Identifier: MIT
-- Wald 2011, 4: speed of the tiled kernel with global memory at M = 8 over that of whole-frame compaction, and whether both are on
-- one side of naive (1), on two (-1), or within the noise of it (0).
SELECT g.place || ', M 8' AS place, g.both_words AS flags, g.pair_trials AS trials, g.ratio AS speed, g.half AS speed_half,
       (abs(g.speedup - 1) > t.noise) * (abs(w.ratio - 1) > w.noise) * sign(g.speedup - 1) * sign(w.ratio - 1) AS side
FROM pair AS g
LEFT JOIN pair AS t ON t.setting = g.setting AND t.other = 'naive'
LEFT JOIN pair AS w ON w.work = g.work AND w.device_name = g.device_name AND w.variant = 'whole_frame' AND w.other = 'naive' AND w.unthrottled
WHERE g.variant = 'tiled_global' AND g.other = 'whole_frame' AND g.tile_m = 8 AND g.max_bounces = 8 AND g.unthrottled AND g.place_in_paper < 99
ORDER BY g.width * g.height, g.place_in_paper, g.place
