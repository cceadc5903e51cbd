-- SPDX-License-Identifier: MIT
-- Wald 2011, Table 3 and 4.2.4: time per warp, compaction on / off, at every bounce where 6 paths or fewer live in a warp without it.
SELECT n.place || ', bounce ' || n.bounce AS place,
       trim(iif(n.fitted, 'fitted', '') || iif(n.underfilled OR f.underfilled, '|few_waves', ''), '|') AS excluded,
       iif(n.time IS NULL, n.weak, trim(n.weak || '|' || f.weak, '|')) AS flags, n.trials || ', ' || f.trials AS trials, n.time / f.time AS on_off,
       n.time / f.time * (1 - sqrt(n.ci * n.ci + f.ci * f.ci)) AS on_off_low,
       n.time / f.time * (1 + sqrt(n.ci * n.ci + f.ci * f.ci)) AS on_off_high
FROM bounce_case AS n
JOIN bounce_case AS f ON f.work = n.work AND f.device_name = n.device_name AND f.bounce = n.bounce AND f.compaction = 'off'
WHERE n.compaction = 'on' AND f.paths_per_warp <= 6
ORDER BY n.width * n.height, n.place, n.bounce
