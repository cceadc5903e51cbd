-- SPDX-License-Identifier: MIT
-- CMU report: lanes that execute inside the traversal in two stages less those in one kernel, of warps all of whose lanes trace a ray (lockstep model).
WITH full AS (
    SELECT n.trial, (i.weight * n.full_inner_live + t.weight * n.full_triangle_live) /
                        (n.warp_width * (i.weight * n.full_inner_steps + t.weight * n.full_triangle_steps)) AS lanes
    FROM work_done AS n
    JOIN step_weight AS i ON i.step = 'inner'
    JOIN step_weight AS t ON t.step = 'triangle'
    WHERE n.full_inner_steps > 0
)
SELECT c.place || n.which AS place, '' AS flags, w.trial || ', ' || m.trial AS trials, w.lanes - m.lanes AS coherence
FROM compared AS c
CROSS JOIN (SELECT 0 AS tied, '' AS which UNION ALL SELECT 1, ', no pool') AS n
JOIN full AS w ON w.trial = iif(n.tied, c.tied_counted, c.wave2_counted)
JOIN full AS m ON m.trial = c.mega_counted
