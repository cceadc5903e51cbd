-- SPDX-License-Identifier: MIT
-- Wald 2011, tables 1 to 3: active warps times the time per warp, summed over the bounces, against the time of the frame: of the
-- printed tables, and of the kernels measured here.
WITH printed AS (                   -- off: one row of naive warps, and the 7 to 8 % that storing and loading paths costs (Q16)
    SELECT sum(t.off_time * w.naive_warps) * 1e-6 * f.naive / 1.075 AS off, sum(t.on_time * w.active_paths / 32) * 1e-6 * f.whole_frame AS compacted
    FROM published_table3 AS t
    JOIN published_table2 AS w ON w.bounce = t.bounce
    JOIN published_table1 AS f ON f.scene = 'fairy'
),
measured AS (
    SELECT s.*, sum(b.seconds) / p.path_seconds AS share
    FROM setup AS s
    JOIN frame_parts AS p ON p.setting = s.setting AND p.times
    JOIN bounce_time AS b ON b.setting = s.setting
    WHERE s.variant IN ('whole_frame', 'whole_frame_off') AND s.usual AND s.matte AND s.first_camera AND s.max_bounces = 8
    GROUP BY s.setting
)
SELECT 'printed, compaction on' AS place, 100 * abs(compacted - 1) AS off, '' AS excluded, '' AS flags, '' AS trials FROM printed
UNION ALL
SELECT 'printed, compaction off, storing and loading counted as 7.5 %', 100 * abs(off - 1), '', '', '' FROM printed
UNION ALL
SELECT variant || ', ' || label || printf(', %dx%d, %s', width, height, device_name), 100 * abs(share - 1), iif(fitted, 'fitted', ''), '', trials FROM measured
