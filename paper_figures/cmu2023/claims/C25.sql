-- SPDX-License-Identifier: MIT
-- CMU report: rays sorted between stages, each key against rays that are not: lines of 128 bytes that a warp reads in a step over nodes, and lanes that
-- execute inside the traversal (lockstep model); frame time. Of the keys the best for each.
WITH pair AS (
    SELECT s.label || ', ' || s.device_name || ', ' || s.width || 'x' || s.height || iif(s.batch < s.spp, ', batch ' || s.batch, '') AS place, s.ray_sort,
           b.setting AS plain, s.counted || ', ' || b.counted AS counted, s.trials || ', ' || b.trials AS trials, s.flags || '|' || b.flags AS flags,
           s.seconds / b.seconds AS time, s.seconds / b.seconds * sqrt(s.relative_ci * s.relative_ci + b.relative_ci * b.relative_ci) AS half,
           (1.0 * x.node_lines / m.inner_steps) / (1.0 * y.node_lines / n.inner_steps) AS lines, e.lanes - f.lanes AS lanes
    FROM cell AS s
    JOIN cell AS b ON b.slice = s.slice AND b.work = s.work AND b.variant = s.variant AND b.tickets = s.tickets AND b.batch = s.batch AND b.plain
    LEFT JOIN work_done AS x ON x.trial = s.counted AND x.node_lines > 0
    LEFT JOIN work_done AS y ON y.trial = b.counted AND y.node_lines > 0
    LEFT JOIN modelled AS m ON m.trial = s.counted
    LEFT JOIN modelled AS n ON n.trial = b.counted
    LEFT JOIN traversing AS e ON e.trial = s.counted AND e.source = 'model'
    LEFT JOIN traversing AS f ON f.trial = b.counted AND f.source = 'model'
    WHERE s.variant = 'two_stage' AND s.ray_sort <> 'none' AND s.pool IS NULL AND s.pool_order = 'sequential' AND s.accumulate = 'atomic' AND s.extend_over = 'slots'
),
best AS (
    SELECT *, row_number() OVER (PARTITION BY plain ORDER BY lines IS NULL, lines) AS by_lines, row_number() OVER (PARTITION BY plain ORDER BY lanes DESC NULLS LAST) AS by_lanes,
           row_number() OVER (PARTITION BY plain ORDER BY time IS NULL, time) AS by_time
    FROM pair
)
SELECT place || ', by ' || ray_sort AS place, '' AS flags, counted AS trials, lines, NULL AS lanes, NULL AS time, NULL AS time_half FROM best WHERE by_lines = 1
UNION ALL
SELECT place || ', by ' || ray_sort, '', counted, NULL, lanes, NULL, NULL FROM best WHERE by_lanes = 1
UNION ALL
SELECT place || ', by ' || ray_sort || ', time', flags, trials, NULL, NULL, time, half FROM best WHERE by_time = 1
