-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.4: time per warp at bounce 1 over that at bounce 0, compaction on; and on / off at both. Only of views whose camera
-- rays all hit: of a hundred at most one is lost.
WITH pair AS (
    SELECT work, device_name, bounce, max(iif(compaction = 'on', time, NULL)) / max(iif(compaction = 'off', time, NULL)) AS same,
           sqrt(sum(ci * ci)) AS same_ci, count(*) AS n
    FROM bounce_case WHERE bounce IN (0, 1)
    GROUP BY work, device_name, bounce
)
SELECT o.place, trim(iif(z.fitted, 'fitted', '') || iif(z.underfilled OR o.underfilled, '|bounce_idle', '') ||
                     iif(o.active_paths < 0.99 * z.active_paths, '|rays_miss', ''), '|') AS excluded,
       o.weak AS flags, o.trials || coalesce(', ' || (SELECT f.trials FROM bounce_case AS f WHERE f.work = o.work AND f.device_name = o.device_name AND
                                                          f.compaction = 'off' AND f.bounce = 1), '') AS trials,
       o.time / z.time AS rise, o.time / z.time * (1 - sqrt(o.ci * o.ci + z.ci * z.ci)) AS rise_low,
       o.time / z.time * (1 + sqrt(o.ci * o.ci + z.ci * z.ci)) AS rise_high,
       s.same AS same_0, s.same * (1 - s.same_ci) AS same_0_low, s.same * (1 + s.same_ci) AS same_0_high,
       t.same AS same_1, t.same * (1 - t.same_ci) AS same_1_low, t.same * (1 + t.same_ci) AS same_1_high
FROM bounce_case AS o
JOIN bounce_case AS z ON z.work = o.work AND z.device_name = o.device_name AND z.compaction = 'on' AND z.bounce = 0
LEFT JOIN pair AS s ON s.work = o.work AND s.device_name = o.device_name AND s.bounce = 0
LEFT JOIN pair AS t ON t.work = o.work AND t.device_name = o.device_name AND t.bounce = 1
WHERE o.compaction = 'on' AND o.bounce = 1
ORDER BY o.width * o.height, o.place
