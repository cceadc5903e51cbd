-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.4: time of a path at bounce 2 over that at bounce 0, compaction on, where all warps are full.
SELECT o.place, n.time / n.paths_per_warp / (o.time / o.paths_per_warp) AS ratio,
       n.time / n.paths_per_warp / (o.time / o.paths_per_warp) * (1 - sqrt(o.ci * o.ci + n.ci * n.ci)) AS ratio_low,
       n.time / n.paths_per_warp / (o.time / o.paths_per_warp) * (1 + sqrt(o.ci * o.ci + n.ci * n.ci)) AS ratio_high,
       trim(iif(o.fitted, 'fitted', '') || iif(o.underfilled OR n.underfilled, '|bounce_idle', ''), '|') AS excluded,
       trim(o.weak || '|' || n.weak, '|') AS flags, o.trials
FROM bounce_case AS o
JOIN bounce_case AS n ON n.work = o.work AND n.device_name = o.device_name AND n.compaction = 'on' AND n.bounce = 2
WHERE o.compaction = 'on' AND o.bounce = 0
ORDER BY o.width * o.height, o.place
