-- SPDX-License-Identifier: MIT
-- Wald 2011, Table 3: time per warp at bounce 8 over that at bounce 1, compaction off.
SELECT e.place, trim(iif(e.fitted, 'fitted', '') || iif(e.underfilled OR o.underfilled, '|bounce_idle', ''), '|') AS excluded,
       e.weak AS flags, e.trials, e.time / o.time AS ratio, e.time / o.time * (1 - sqrt(e.ci * e.ci + o.ci * o.ci)) AS ratio_low,
       e.time / o.time * (1 + sqrt(e.ci * e.ci + o.ci * o.ci)) AS ratio_high
FROM bounce_case AS e
JOIN bounce_case AS o ON o.work = e.work AND o.device_name = e.device_name AND o.compaction = e.compaction AND o.bounce = 1
WHERE e.compaction = 'off' AND e.bounce = 8
ORDER BY e.width * e.height, e.place
