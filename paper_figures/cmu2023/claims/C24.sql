-- SPDX-License-Identifier: MIT
-- CMU report: lanes that execute inside the traversal in two stages less those in one kernel, of warps in which equally many lanes begin to trace (lockstep
-- model): the mean over these numbers of lanes, each with the weight of the pipeline that has fewer such warps. Of older counts, which do not tell
-- them apart, of warps all of whose lanes trace a ray.
WITH entry AS (
    SELECT n.trial, e.lanes AS entering, e.warps,
           (i.weight * e.inner_live + t.weight * e.triangle_live) / (n.warp_width * (i.weight * e.inner_steps + t.weight * e.triangle_steps)) AS lanes
    FROM result AS n
    JOIN entry_lanes AS e ON e.attempt = n.attempt
    JOIN step_weight AS i ON i.step = 'inner'
    JOIN step_weight AS t ON t.step = 'triangle'
    WHERE n.collection = 'counts' AND e.inner_steps + e.triangle_steps > 0
    UNION ALL
    SELECT n.trial, n.warp_width, 1, (i.weight * n.full_inner_live + t.weight * n.full_triangle_live) /
                                         (n.warp_width * (i.weight * n.full_inner_steps + t.weight * n.full_triangle_steps))
    FROM work_done AS n
    JOIN step_weight AS i ON i.step = 'inner'
    JOIN step_weight AS t ON t.step = 'triangle'
    WHERE n.full_inner_steps > 0 AND n.trial NOT IN (SELECT a.trial FROM result AS a JOIN entry_lanes AS e ON e.attempt = a.attempt)
)
SELECT c.place || n.which AS place, '' AS flags, w.trial || ', ' || m.trial AS trials,
       sum(min(w.warps, m.warps) * (w.lanes - m.lanes)) / sum(min(w.warps, m.warps)) AS coherence
FROM compared AS c
CROSS JOIN (SELECT 0 AS tied, '' AS which UNION ALL SELECT 1, ', no pool') AS n
JOIN entry AS w ON w.trial = iif(n.tied, c.tied_counted, c.wave2_counted)
JOIN entry AS m ON m.trial = c.mega_counted AND m.entering = w.entering
GROUP BY c.place, n.tied, w.trial, m.trial
