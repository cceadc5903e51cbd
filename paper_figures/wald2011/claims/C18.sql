-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.4: rise of the time per warp from bounce 2 to 8, compaction on: that with 16 times the pixels over that without.
WITH size AS (
    SELECT e.scene, e.fitted, e.device_name, e.place, e.trials, e.weak, e.width, e.height, e.time / b.time AS rise, e.ci * e.ci + b.ci * b.ci AS square,
           e.underfilled OR b.underfilled AS underfilled
    FROM bounce_case AS e
    JOIN bounce_case AS b ON b.work = e.work AND b.device_name = e.device_name AND b.compaction = 'on' AND b.bounce = 2
    WHERE e.compaction = 'on' AND e.bounce = 8
)
SELECT l.place || ' over ' || s.width || 'x' || s.height AS place,
       trim(iif(l.fitted, 'fitted', '') || iif(l.underfilled OR s.underfilled, '|bounce_idle', ''), '|') AS excluded,
       iif(l.rise IS NULL, l.weak, trim(l.weak || '|' || s.weak, '|')) AS flags, l.trials || ', ' || s.trials AS trials, l.rise / s.rise AS ratio,
       l.rise / s.rise * (1 - sqrt(l.square + s.square)) AS ratio_low, l.rise / s.rise * (1 + sqrt(l.square + s.square)) AS ratio_high
FROM size AS l
JOIN size AS s ON s.scene = l.scene AND s.device_name = l.device_name AND 1.0 * l.width * l.height / (s.width * s.height) BETWEEN 15 AND 17
ORDER BY l.width * l.height, l.place
