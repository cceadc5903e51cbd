-- SPDX-License-Identifier: MIT
-- CMU report: kinds of material where paths go on from a surface, and the lanes that evaluate them together: matte, the two that are most
-- frequent of the others, and the share of active lanes if each warp evaluates one kind after the other.
SELECT c.place || n.which AS place, '' AS flags, w.trial || iif(n.three, ', ' || c.wave2_counted, '') AS trials,
       iif(n.three, NULL, 1.0 * w.lambert / w.shaded) AS matte,
       iif(n.three OR w.shaded = w.lambert, NULL,
           (SELECT 1.0 * sum(value) FROM (SELECT value FROM json_each(w.others) ORDER BY value DESC LIMIT 2)) / (w.shaded - w.lambert)) AS two,
       iif(n.three, NULL, 1.0 * w.shaded / (w.warp_width * w.shading_warps)) AS lanes,
       iif(n.three, 1.0 * w.shaded / (w.warp_width * w.shading_warps) - 1.0 * o.shaded / (o.warp_width * o.shading_warps), NULL) AS gain
FROM compared AS c
CROSS JOIN (SELECT 0 AS three, '' AS which UNION ALL SELECT 1, ', 3 stages') AS n
JOIN work_done AS w ON w.trial = iif(n.three, c.wave3_counted, c.wave2_counted) AND w.shaded > 0
LEFT JOIN work_done AS o ON o.trial = c.wave2_counted AND o.shaded > 0
