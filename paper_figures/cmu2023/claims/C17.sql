-- SPDX-License-Identifier: MIT
-- CMU report: samples of one kernel's warps that lie in the traversal, of all. Lines that the traversal shares with others, arithmetic on
-- vectors, count half, and make the interval. And the rank correlation of that share with the scene's triangles.
WITH sampled AS (
    SELECT o.spec, k.trial, sum(iif(k.file GLOB 'trees/*', k.samples, 0)) AS tracing,
           sum(iif(k.file IN ('lib/vec.h', 'lib/platform_cuda.h'), k.samples, 0)) AS either, 1.0 * sum(k.samples) AS samples,
           row_number() OVER (PARTITION BY o.spec ORDER BY o.last_run DESC, o.id DESC) AS nth
    FROM stall_lines AS k JOIN trial_record AS o ON o.id = k.trial
    WHERE (SELECT run FROM report_option) = '' OR o.id IN (SELECT trial FROM asked)
    GROUP BY k.trial
),
kernel AS (
    SELECT c.*, k.trial AS sampled, (k.tracing + 0.5 * k.either) / k.samples AS share, 0.5 * k.either / k.samples AS half, w.scene_triangles
    FROM cell AS c
    JOIN sampled AS k ON k.spec = c.spec AND k.nth = 1
    LEFT JOIN work_done AS w ON w.trial = c.counted
    WHERE c.variant = 'naive' AND c.own = '' AND c.device_kind <> 'processor'
),
median AS (
    SELECT slice, avg(scene_triangles) AS triangles
    FROM (SELECT slice, scene_triangles, row_number() OVER (PARTITION BY slice ORDER BY scene_triangles) AS nth, count(*) OVER (PARTITION BY slice) AS n FROM kernel)
    WHERE nth IN ((n + 1) / 2, n / 2 + 1)
    GROUP BY slice
),
placed AS (
    SELECT slice, device_name, sampled, rank() OVER (PARTITION BY slice ORDER BY scene_triangles) AS x, rank() OVER (PARTITION BY slice ORDER BY share) AS y
    FROM kernel
    WHERE scene_triangles > 0
)
SELECT k.label || ', ' || k.device_name || ', ' || k.width || 'x' || k.height AS place, '' AS flags,
       iif(k.scene_triangles > m.triangles, '', 'not one of the scenes with more triangles than the median') AS excluded, k.sampled AS trials,
       k.share, k.half AS share_half, NULL AS growth
FROM kernel AS k
LEFT JOIN median AS m ON m.slice = k.slice
UNION ALL
SELECT 'rank correlation of ' || count(*) || ' scenes, ' || device_name, '', iif(count(*) < 4, 'fewer than 4 scenes', ''), group_concat(sampled, ', '), NULL, NULL,
       (avg(x * y) - avg(x) * avg(y)) / nullif(sqrt(max(0, (avg(x * x) - avg(x) * avg(x)) * (avg(y * y) - avg(y) * avg(y)))), 0)
FROM placed
GROUP BY slice
