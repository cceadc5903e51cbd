-- SPDX-License-Identifier: MIT
-- CMU report, Table 3: time of a sample per pixel of one kernel and of two stages, over the binary tree and over the wide one. One panel per device,
-- image size, bounce limit and schedule; a row is a scene.
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY device_name ORDER BY (SELECT count(*) FROM in_tree AS t WHERE t.slice = slice.slice AND t.form = 'wide') DESC,
                                 settings DESC, newest DESC) AS place
    FROM slice
    WHERE slice IN (SELECT slice FROM in_tree WHERE form = 'wide')
),
line AS (                           -- scenes that were measured, then the paper's others
    SELECT p.panel, w.slice, w.work, w.label, (SELECT q.scene FROM published_table3 AS q WHERE lower(q.scene) = lower(w.stands_for)) AS paper_scene
    FROM panel AS p
    JOIN in_tree AS w ON w.slice = p.slice AND w.form = 'wide'
    GROUP BY p.panel, w.work
    UNION ALL
    SELECT p.panel, NULL, NULL, q.scene, q.scene FROM panel AS p CROSS JOIN published_table3 AS q
    WHERE lower(q.scene) NOT IN (SELECT lower(stands_for) FROM in_tree WHERE form = 'wide' AND slice = p.slice)
),
gained AS (
    SELECT slice, min(nodes / binary_nodes) AS least, max(nodes / binary_nodes) AS most, min(time) AS time_least, max(time) AS time_most
    FROM tree_pair WHERE form = 'wide' GROUP BY slice
)
SELECT l.panel, l.label AS scene_for, l.paper_scene,
       b.seconds AS mega_bvh, b.seconds * (1 - b.relative_ci) AS mega_bvh_low, b.seconds * (1 + b.relative_ci) AS mega_bvh_high,
       coalesce(b.flags, iif(l.work IS NULL, 'no_scene', 'not_asked')) AS mega_bvh_flags, b.trials AS mega_bvh_trials,
       w.seconds AS mega_wbvh, w.seconds * (1 - w.relative_ci) AS mega_wbvh_low, w.seconds * (1 + w.relative_ci) AS mega_wbvh_high,
       coalesce(w.flags, iif(l.work IS NULL, 'no_scene', 'not_asked')) AS mega_wbvh_flags, w.trials AS mega_wbvh_trials,
       d.seconds AS wave_bvh, d.seconds * (1 - d.relative_ci) AS wave_bvh_low, d.seconds * (1 + d.relative_ci) AS wave_bvh_high,
       coalesce(d.flags, iif(l.work IS NULL, 'no_scene', 'not_asked')) AS wave_bvh_flags, d.trials AS wave_bvh_trials,
       e.seconds AS wave_wbvh, e.seconds * (1 - e.relative_ci) AS wave_wbvh_low, e.seconds * (1 + e.relative_ci) AS wave_wbvh_high,
       coalesce(e.flags, iif(l.work IS NULL, 'no_scene', 'not_asked')) AS wave_wbvh_flags, e.trials AS wave_wbvh_trials,
       w.seconds / b.seconds AS mega_ratio, q.mega_wbvh / q.mega_bvh AS mega_ratio_published,
       q.mega_wbvh / q.mega_bvh * (q.mega_wbvh_half / q.mega_wbvh + q.mega_bvh_half / q.mega_bvh) AS mega_ratio_half,
       coalesce(w.flags || '|' || b.flags, iif(l.work IS NULL, 'no_scene', 'not_asked')) AS mega_ratio_flags, w.trials || ', ' || b.trials AS mega_ratio_trials,
       e.seconds / d.seconds AS wave_ratio, q.wave_wbvh / q.wave_bvh AS wave_ratio_published,
       q.wave_wbvh / q.wave_bvh * (q.wave_wbvh_half / q.wave_wbvh + q.wave_bvh_half / q.wave_bvh) AS wave_ratio_half,
       coalesce(e.flags || '|' || d.flags, iif(l.work IS NULL, 'no_scene', 'not_asked')) AS wave_ratio_flags, e.trials || ', ' || d.trials AS wave_ratio_trials,
       (SELECT printf('In the report the wide tree takes %s times as long as the binary one with one kernel and %s times with a wavefront. ',
                      span(min(mega_wbvh / mega_bvh), max(mega_wbvh / mega_bvh), 2), span(min(wave_wbvh / wave_bvh), max(wave_wbvh / wave_bvh), 2))
        FROM published_table3) || 'On ' || p.device_name ||
       coalesce(' a ray visits ' || span(100 * g.least, 100 * g.most, 0) || ' % as many nodes in it', ' nodes were not counted') ||
       coalesce(', and a frame takes ' || span(g.time_least, g.time_most, 2) || ' times as long.', '; times are not measured there.') AS headline,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM line AS l
JOIN panel AS p ON p.panel = l.panel
LEFT JOIN in_tree AS b ON b.slice = l.slice AND b.work = l.work AND b.variant = 'naive' AND b.form = ''
LEFT JOIN in_tree AS w ON w.slice = l.slice AND w.work = l.work AND w.variant = 'naive' AND w.form = 'wide'
LEFT JOIN in_tree AS d ON d.slice = l.slice AND d.work = l.work AND d.variant = 'two_stage' AND d.form = ''
LEFT JOIN in_tree AS e ON e.slice = l.slice AND e.work = l.work AND e.variant = 'two_stage' AND e.form = 'wide'
LEFT JOIN published_table3 AS q ON q.scene = l.paper_scene
LEFT JOIN gained AS g ON g.slice = p.slice
ORDER BY l.panel, l.work IS NULL, l.label
