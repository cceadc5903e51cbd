-- SPDX-License-Identifier: MIT
-- CMU report: children in slots by octant against children as collapsed: nodes visited per ray, which are the same with one kernel and with two stages, and time of the latter's stage trace; and the share of
-- the tree's nodes whose children stand in slots of the least sum of costs, found by trying all sets of slots.
WITH pair AS (
    SELECT o.place, o.label, o.slice, o.counted || ', ' || n.counted AS counted, o.stage_trials || ', ' || n.stage_trials AS trials, o.nodes / n.nodes AS visits,
           o.stage_flags || n.stage_flags AS flags, n.stage / o.stage AS gain,
           n.stage / o.stage * sqrt(n.stage_half * n.stage_half / (n.stage * n.stage) + o.stage_half * o.stage_half / (o.stage * o.stage)) AS half
    FROM tree_pair AS o
    JOIN tree_pair AS n ON n.slice = o.slice AND n.work = o.work AND n.variant = o.variant AND n.form = 'wide, order none'
    WHERE o.form = 'wide'
)
SELECT place, '' AS flags, counted AS trials, min(visits) AS visits, NULL AS gain, NULL AS gain_half, NULL AS least FROM pair WHERE visits NOTNULL GROUP BY label, slice
UNION ALL
SELECT place || ', stage trace', iif(flags <> '', 'underfilled', ''), trials, NULL, gain, half, NULL FROM pair WHERE gain NOTNULL
UNION ALL
SELECT min(place) || ', its tree', '', min(counted), NULL, NULL, NULL, 1.0 * tree_assigned / tree_nodes FROM tree_pair
WHERE form = 'wide' AND tree_assigned > 0 GROUP BY label
