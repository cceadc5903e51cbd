-- SPDX-License-Identifier: MIT
-- Wald 2011, Table 3 and 4.2.4: time per warp, compaction on / off: the least and the most of the bounces at which 6 paths or fewer
-- live in a warp without it. Of those that fill the device, where any do.
WITH pair AS (
    SELECT n.*, f.trials AS off_trials, f.weak AS off_weak, n.time / f.time AS on_off, sqrt(n.ci * n.ci + f.ci * f.ci) AS error,
           n.underfilled OR f.underfilled AS idle, min(n.underfilled OR f.underfilled) OVER (PARTITION BY n.work, n.device_name) AS all_idle
    FROM bounce_case AS n
    JOIN bounce_case AS f ON f.work = n.work AND f.device_name = n.device_name AND f.bounce = n.bounce AND f.compaction = 'off'
    WHERE n.compaction = 'on' AND f.paths_per_warp <= 6
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY work, device_name ORDER BY on_off IS NULL, on_off) AS up,
           row_number() OVER (PARTITION BY work, device_name ORDER BY on_off DESC) AS down,
           min(bounce) OVER (PARTITION BY work, device_name) AS first, max(bounce) OVER (PARTITION BY work, device_name) AS last
    FROM pair WHERE idle = all_idle
)
SELECT printf('%s, bounces %d to %d', l.place, l.first, l.last) AS place,
       trim(iif(l.fitted, 'fitted', '') || iif(l.idle, '|bounce_idle', ''), '|') AS excluded,
       iif(l.time IS NULL, l.weak, trim(l.weak || '|' || l.off_weak, '|')) AS flags, l.trials || ', ' || l.off_trials AS trials,
       l.on_off AS least, l.on_off * (1 - l.error) AS least_low, l.on_off * (1 + l.error) AS least_high,
       m.on_off AS most, m.on_off * (1 - m.error) AS most_low, m.on_off * (1 + m.error) AS most_high
FROM ranked AS l
JOIN ranked AS m ON m.work = l.work AND m.device_name = l.device_name AND m.down = 1
WHERE l.up = 1
ORDER BY l.width * l.height, l.place
