-- SPDX-License-Identifier: MIT
-- CMU report, scenes of instances: what each pair of trees does, against binary ones on both levels. One panel per device, image size, bounce limit
-- and schedule; a row is a scene, a pipeline and a pair of trees.
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY device_name ORDER BY (SELECT count(*) FROM treed AS t WHERE t.slice = slice.slice AND t.levels) DESC,
                                 settings DESC, newest DESC) AS place
    FROM slice
    WHERE slice IN (SELECT slice FROM treed WHERE levels)
),
paired AS (                         -- of several batches the largest
    SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY slice, work, variant, form ORDER BY batch DESC) AS nth FROM treed
                   WHERE levels AND (variant = 'naive' AND own = '' OR variant IN ('two_stage', 'three_stage') AND plain AND tickets = 'atomic'))
    WHERE nth = 1
),
counted AS (
    SELECT n.trial, sum(b.top_nodes) AS top_nodes, sum(b.instances_entered) AS entered
    FROM result AS n JOIN bounce_counts AS b ON b.attempt = n.attempt
    WHERE n.collection = 'counts' AND n.trial IN (SELECT counted FROM paired)
    GROUP BY n.trial
)
SELECT p.panel, c.label || ', ' || c.variant || ': ' ||
           CASE c.form WHEN '' THEN 'binary over binary' WHEN 'wide' THEN 'wide over wide' WHEN 'wide, binary top' THEN 'binary over wide'
                       WHEN 'top tree wide' THEN 'wide over binary' ELSE c.form END AS line,
       c.seconds AS time, c.seconds * (1 - c.relative_ci) AS time_low, c.seconds * (1 + c.relative_ci) AS time_high, c.flags AS time_flags, c.trials AS time_trials,
       c.seconds / b.seconds AS ratio, iif(c.form = '', 'binary_itself', coalesce(c.flags || '|' || b.flags, 'not_asked')) AS ratio_flags,
       c.trials || coalesce(', ' || b.trials, '') AS ratio_trials,
       1.0 * c.nodes / c.rays AS nodes, 1.0 * n.top_nodes / c.rays AS top_nodes, 1.0 * n.entered / c.rays AS entered, 1.0 * c.triangles / c.rays AS triangles,
       x.tree_depth AS depth, c.counted_flags AS counted, c.counted AS counted_trial,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM panel AS p
JOIN paired AS c ON c.slice = p.slice
LEFT JOIN paired AS b ON b.slice = c.slice AND b.work = c.work AND b.variant = c.variant AND b.form = ''
LEFT JOIN counted AS n ON n.trial = c.counted
LEFT JOIN work_done AS x ON x.trial = c.counted
ORDER BY p.panel, c.label, c.variant, c.form
