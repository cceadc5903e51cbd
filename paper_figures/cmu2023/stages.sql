-- SPDX-License-Identifier: MIT
-- CMU report, Tables 1 and 2: time of a sample per pixel by its rules, one kernel against wavefronts of two and of three stages, and of two
-- whose slots keep their pixels. One panel per device, image size, bounce limit and schedule; a row is a scene. Of several batches the
-- largest is shown.
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY device_name ORDER BY variants DESC, settings DESC, newest DESC) AS place FROM slice
),
wave AS (
    SELECT *, row_number() OVER (PARTITION BY panel, work, tickets ORDER BY batch DESC) AS nth FROM cell_of WHERE variant = 'two_stage' AND plain
),
line AS (                           -- scenes that were measured, then the paper's others
    SELECT w.panel, w.setting, w.label || iif(w.tickets = 'atomic', ', tickets atomic', '') || iif(w.batch < w.spp, ', batch ' || w.batch, '') AS scene_for,
           (SELECT q.scene FROM published_table2 AS q WHERE lower(q.scene) = lower(w.stands_for)) AS paper_scene
    FROM wave AS w
    WHERE w.nth = 1
    UNION ALL
    SELECT p.panel, NULL, q.scene, q.scene FROM panel AS p CROSS JOIN published_table2 AS q
    WHERE lower(q.scene) NOT IN (SELECT lower(stands_for) FROM wave)
),
gained AS (                         -- against one kernel of the same work, least and most over the scenes
    SELECT w.panel, min(m.lanes) AS mega_least, max(m.lanes) AS mega_most, min(w.lanes) AS least, max(w.lanes) AS most,
           min(m.seconds / w.seconds) AS speedup_least, max(m.seconds / w.seconds) AS speedup_most
    FROM wave AS w
    JOIN cell_of AS m ON m.panel = w.panel AND m.work = w.work AND m.variant = 'naive' AND m.own = ''
    WHERE w.nth = 1
    GROUP BY w.panel
)
SELECT l.panel, l.scene_for, l.paper_scene,
       c.seconds AS cpu, c.seconds * (1 - c.relative_ci) AS cpu_low, c.seconds * (1 + c.relative_ci) AS cpu_high,
       coalesce(c.flags, iif(l.setting IS NULL, 'no_scene', 'not_asked')) AS cpu_flags, c.trials AS cpu_trials,
       c.seconds / w.seconds AS over_cpu, q.cpu / q.wave2 AS over_cpu_published, q.cpu / q.wave2 * (q.cpu_half / q.cpu + q.wave2_half / q.wave2) AS over_cpu_half,
       iif(l.setting IS NULL, 'no_scene', coalesce(c.flags, 'not_asked') || '|' || w.flags) AS over_cpu_flags,
       w.trials || coalesce(', ' || c.trials, '') AS over_cpu_trials,
       m.seconds AS mega, m.seconds * (1 - m.relative_ci) AS mega_low, m.seconds * (1 + m.relative_ci) AS mega_high,
       coalesce(m.flags, iif(l.setting IS NULL, 'no_scene', 'not_asked')) AS mega_flags, m.trials AS mega_trials,
       w.seconds AS wave2, w.seconds * (1 - w.relative_ci) AS wave2_low, w.seconds * (1 + w.relative_ci) AS wave2_high,
       coalesce(w.flags, 'no_scene') AS wave2_flags, w.trials AS wave2_trials,
       d.seconds AS wave3, d.seconds * (1 - d.relative_ci) AS wave3_low, d.seconds * (1 + d.relative_ci) AS wave3_high,
       coalesce(d.flags, iif(l.setting IS NULL, 'no_scene', 'not_asked')) AS wave3_flags, d.trials AS wave3_trials,
       t.seconds AS tied, t.seconds * (1 - t.relative_ci) AS tied_low, t.seconds * (1 + t.relative_ci) AS tied_high,
       coalesce(t.flags, iif(l.setting IS NULL, 'no_scene', 'not_asked')) AS tied_flags, t.trials AS tied_trials,
       m.seconds / w.seconds AS speedup, q.mega / q.wave2 AS speedup_published,
       q.mega / q.wave2 * (q.mega_half / q.mega + q.wave2_half / q.wave2) AS speedup_half,
       iif(l.setting IS NULL, 'no_scene', coalesce(m.flags, 'not_asked') || '|' || w.flags) AS speedup_flags,
       w.trials || coalesce(', ' || m.trials, '') AS both_trials,
       m.seconds / d.seconds AS speedup3, q.mega / q.wave3 AS speedup3_published,
       q.mega / q.wave3 * (q.mega_half / q.mega + q.wave3_half / q.wave3) AS speedup3_half,
       iif(l.setting IS NULL, 'no_scene', coalesce(m.flags, 'not_asked') || '|' || coalesce(d.flags, 'not_asked')) AS speedup3_flags,
       coalesce(d.trials, '') || coalesce(', ' || m.trials, '') AS both3_trials,
       m.lanes AS mega_lanes, coalesce(m.counted_flags, iif(l.setting IS NULL, 'no_scene', 'not_asked')) AS mega_counted, m.counted AS mega_counted_trial,
       w.lanes AS wave2_lanes, coalesce(w.counted_flags, 'no_scene') AS wave2_counted, w.counted AS wave2_counted_trial, w.rounds, w.launches,
       d.lanes AS wave3_lanes, coalesce(d.counted_flags, iif(l.setting IS NULL, 'no_scene', 'not_asked')) AS wave3_counted, d.counted AS wave3_counted_trial,
       d.rounds AS wave3_rounds, d.launches AS wave3_launches,
       t.lanes AS tied_lanes, coalesce(t.counted_flags, iif(l.setting IS NULL, 'no_scene', 'not_asked')) AS tied_counted, t.counted AS tied_counted_trial,
       t.rounds AS tied_rounds, 1.0 * w.rays / w.paths AS extensions,
       (SELECT printf('In the report two stages with a pool of samples trace %s times as fast as one kernel. ',
                      span(min(mega / wave2), max(mega / wave2), 2)) FROM published_table2) || 'On ' || p.device_name ||
       coalesce(' ' || span(100 * g.mega_least, 100 * g.mega_most, 0) || ' % of the lanes of running warps are live in one kernel and ' ||
                span(100 * g.least, 100 * g.most, 0) || ' % in two stages', ' lanes were not counted') ||
       coalesce(', which run at ' || span(g.speedup_least, g.speedup_most, 2) || ' times its speed.', '; times are not measured there.') AS headline,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM line AS l
JOIN panel AS p ON p.panel = l.panel
LEFT JOIN wave AS w ON w.setting = l.setting AND w.panel = l.panel
LEFT JOIN cell_of AS m ON m.panel = l.panel AND m.work = w.work AND m.variant = 'naive' AND m.own = ''
LEFT JOIN cell_of AS t ON t.panel = l.panel AND t.work = w.work AND t.variant = 'two_stage_pixel' AND t.chosen = ''
LEFT JOIN cell_of AS d ON d.panel = l.panel AND d.work = w.work AND d.variant = 'three_stage' AND d.plain AND d.tickets = w.tickets AND d.batch = w.batch
LEFT JOIN on_cpu AS c ON c.subject = w.subject
LEFT JOIN published_table2 AS q ON q.scene = l.paper_scene
LEFT JOIN gained AS g ON g.panel = l.panel
ORDER BY l.panel, l.setting IS NULL, l.scene_for
