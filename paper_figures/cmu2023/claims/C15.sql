-- SPDX-License-Identifier: MIT
-- CMU report: children in slots by octant against children as collapsed: nodes visited per ray in one kernel, time of the stage trace of two stages.
WITH pair AS (
    SELECT o.place, o.variant, o.counted || ', ' || n.counted AS counted, o.stage_trials || ', ' || n.stage_trials AS trials, o.nodes / n.nodes AS visits,
           n.stage / o.stage AS gain,
           n.stage / o.stage * sqrt(n.stage_half * n.stage_half / (n.stage * n.stage) + o.stage_half * o.stage_half / (o.stage * o.stage)) AS half
    FROM tree_pair AS o
    JOIN tree_pair AS n ON n.slice = o.slice AND n.work = o.work AND n.variant = o.variant AND n.form = 'wide, order none'
    WHERE o.form = 'wide'
)
SELECT place, '' AS flags, counted AS trials, visits, NULL AS gain, NULL AS gain_half FROM pair WHERE variant = 'naive'
UNION ALL
SELECT place || ', stage trace', '', trials, NULL, gain, half FROM pair WHERE variant = 'two_stage' AND gain NOTNULL
