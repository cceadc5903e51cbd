-- SPDX-License-Identifier: MIT
-- CMU report, Table 2: time of a sample per pixel, one kernel against a wavefront of two stages, by its rules (half of the next directions
-- drawn from the lights, roulette by the largest weight). One panel per device, image size, bounce limit and schedule; a row is a scene.
cell AS (
    SELECT * FROM measured
    WHERE variant IN ('naive', 'two_stage') AND lighting = 'mix' AND first_camera AND family LIKE '%roulette yocto'
),
ranked AS (
    SELECT device_name, width, height, max_bounces, family, schedule, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY device_name ORDER BY count(*) DESC, max(newest) DESC) AS place
    FROM cell
    GROUP BY device_name, width, height, max_bounces, family, schedule
    HAVING max(variant = 'two_stage')
),
line AS (                           -- scenes that were measured, then the paper's others
    SELECT p.panel, w.setting, w.label || iif(w.own <> '', ', ' || w.own, '') AS scene_for,
           (SELECT q.scene FROM published_table2 AS q WHERE lower(q.scene) = lower(w.stands_for)) AS paper_scene
    FROM cell AS w
    JOIN panel AS p USING (device_name, width, height, max_bounces, family, schedule)
    WHERE w.variant = 'two_stage'
    UNION ALL
    SELECT p.panel, NULL, q.scene, q.scene FROM panel AS p CROSS JOIN published_table2 AS q
    WHERE lower(q.scene) NOT IN (SELECT lower(stands_for) FROM cell WHERE variant = 'two_stage')
),
gained AS (                         -- against one kernel of the same work, least and most over the scenes
    SELECT w.device_name, min(m.lanes) AS mega_least, max(m.lanes) AS mega_most, min(w.lanes) AS least, max(w.lanes) AS most,
           min(m.seconds / w.seconds) AS speedup_least, max(m.seconds / w.seconds) AS speedup_most
    FROM line AS l
    JOIN cell AS w ON w.setting = l.setting
    JOIN cell AS m ON m.work = w.work AND m.device_name = w.device_name AND m.schedule = w.schedule AND m.variant = 'naive' AND m.own = ''
    GROUP BY w.device_name
)
SELECT l.panel, l.scene_for, l.paper_scene, m.seconds AS mega, m.seconds * (1 - m.relative_ci) AS mega_low,
       m.seconds * (1 + m.relative_ci) AS mega_high, coalesce(m.flags, iif(l.setting IS NULL, 'no_scene', 'not_asked')) AS mega_flags, m.trials AS mega_trials,
       w.seconds AS wave2, w.seconds * (1 - w.relative_ci) AS wave2_low, w.seconds * (1 + w.relative_ci) AS wave2_high,
       coalesce(w.flags, 'no_scene') AS wave2_flags, w.trials AS wave2_trials,
       m.seconds / w.seconds AS speedup, q.mega / q.wave2 AS speedup_published,
       q.mega / q.wave2 * (q.mega_half / q.mega + q.wave2_half / q.wave2) AS speedup_half,
       iif(l.setting IS NULL, 'no_scene', coalesce(m.flags, 'not_asked') || '|' || w.flags) AS speedup_flags,
       w.trials || coalesce(', ' || m.trials, '') AS both_trials,
       m.lanes AS mega_lanes, coalesce(m.counted_flags, iif(l.setting IS NULL, 'no_scene', 'not_asked')) AS mega_counted, m.counted AS mega_counted_trial,
       w.lanes AS wave2_lanes, coalesce(w.counted_flags, 'no_scene') AS wave2_counted, w.counted AS wave2_counted_trial, w.rounds, w.launches,
       1.0 * w.rays / w.paths AS extensions,
       (SELECT printf('In the report two stages with a pool of samples trace %s times as fast as one kernel. ',
                      span(min(mega / wave2), max(mega / wave2), 2)) FROM published_table2) || 'On ' || p.device_name ||
       coalesce(' ' || span(100 * g.mega_least, 100 * g.mega_most, 0) || ' % of the lanes work in one kernel and ' ||
                span(100 * g.least, 100 * g.most, 0) || ' % in two stages', ' lanes were not counted') ||
       coalesce(', which run at ' || span(g.speedup_least, g.speedup_most, 2) || ' times its speed.', '; times are not measured there.') AS headline,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM line AS l
JOIN panel AS p ON p.panel = l.panel
LEFT JOIN cell AS w ON w.setting = l.setting
LEFT JOIN cell AS m ON m.work = w.work AND m.device_name = w.device_name AND m.schedule = w.schedule AND m.variant = 'naive' AND m.own = ''
LEFT JOIN published_table2 AS q ON q.scene = l.paper_scene
LEFT JOIN gained AS g ON g.device_name = p.device_name
ORDER BY l.panel, l.setting IS NULL, l.scene_for
