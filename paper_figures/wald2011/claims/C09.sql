-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.1: largest difference in the active paths of a bounce between naive and whole_frame, and between all variants; active
-- warps of whole_frame over those of naive, where paths die; and how many images there are beyond one. Per scene and size, over all
-- bounce limits, tiles, blocks and lane maps.
WITH done AS MATERIALIZED (
    SELECT s.work, s.variant, s.variant IN ('naive', 'whole_frame') AS both, r.trial, r.attempt, r.collection, r.image
    FROM setup AS s
    JOIN trial_record AS t ON t.setting = s.setting
    JOIN result AS r ON r.trial = t.id
    WHERE s.variant IN ('naive', 'whole_frame', 'whole_frame_off', 'tiled_global', 'tiled_shared')
),
part AS MATERIALIZED (
    SELECT work, count(*) AS attempts, sum(both) AS both_attempts, count(DISTINCT variant) AS variants, count(DISTINCT iif(both, variant, NULL)) AS both_variants,
           group_concat(trial, ', ') AS trials
    FROM done WHERE collection = 'counts' GROUP BY work
),
written AS (                        -- an attempt's counts as one text: where all of a work are equal, nothing differs
    SELECT d.work, (SELECT group_concat(b.bounce || ' ' || b.active_paths) FROM bounce_counts AS b
                    WHERE b.attempt = d.attempt AND b.bounce >= 0) AS counts
    FROM done AS d
    WHERE d.collection = 'counts' AND d.work IN (SELECT work FROM part WHERE variants > 1)
),
text AS MATERIALIZED (
    SELECT work, count(DISTINCT counts) = 1 AND count(counts) = count(*) AS equal FROM written GROUP BY work
),
paths AS (
    SELECT d.work, d.both, b.bounce, sum(b.active_paths) AS paths
    FROM done AS d CROSS JOIN bounce_counts AS b ON b.attempt = d.attempt AND b.bounce >= 0
    WHERE d.collection = 'counts' AND d.work IN (SELECT work FROM text WHERE NOT equal)
    GROUP BY b.attempt, b.bounce
),
step AS (                           -- no row: no path
    SELECT p.work, max(p.paths) - iif(count(*) < w.attempts, 0, min(p.paths)) AS difference,
           max(iif(p.both, p.paths, NULL)) - iif(sum(p.both) < w.both_attempts, 0, min(iif(p.both, p.paths, NULL))) AS both_difference
    FROM paths AS p JOIN part AS w ON w.work = p.work
    GROUP BY p.work, p.bounce
),
furthest AS (
    SELECT work, 0 AS difference, 0 AS both_difference FROM text WHERE equal
    UNION ALL
    SELECT work, max(difference), max(both_difference) FROM step GROUP BY work
),
image AS (
    SELECT work, count(DISTINCT variant) AS variants, count(DISTINCT image) - 1 AS more FROM done WHERE image IS NOT NULL GROUP BY work
),
named AS (
    SELECT s.work, s.label, s.width, s.height, min(s.place_in_paper) AS place_in_paper, max(c.both_warps) AS warps
    FROM setup AS s
    LEFT JOIN (SELECT n.work, iif(n.last_paths BETWEEN 1 AND n.first_paths - 1, 1.0 * w.warps / n.warps, NULL) AS both_warps
               FROM counted_case AS n JOIN counted_case AS w ON w.work = n.work AND w.variant = 'whole_frame' AND w.counts_as
               WHERE n.variant = 'naive' AND n.counts_as) AS c ON c.work = s.work
    GROUP BY s.work
)
SELECT printf('%s, %dx%d', n.label, n.width, n.height) AS place, group_concat(p.trials, ', ') AS trials,
       max(iif(p.both_variants > 1, f.both_difference, NULL)) AS difference, max(n.warps) AS warps, max(iif(p.variants > 1, f.difference, NULL)) AS tiled,
       max(iif(i.variants > 1, i.more, NULL)) AS images
FROM named AS n
LEFT JOIN part AS p ON p.work = n.work
LEFT JOIN furthest AS f ON f.work = n.work
JOIN image AS i ON i.work = n.work
GROUP BY n.label, n.width, n.height
HAVING max(p.variants) > 1 OR max(i.variants) > 1 -- of one variant alone nothing can differ
ORDER BY n.width * n.height, min(n.place_in_paper), 1
