-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, Figures 2 to 5: paths per second of the four tests; here of the pipeline without regeneration, beside one kernel.
-- One panel per device, image size, bounce limit and schedule; a row is a scene.
cell AS (
    SELECT m.* FROM measured AS m JOIN trial_record AS t ON t.id = m.trial
    WHERE m.variant IN ('naive', 'pool_refill') AND m.first_camera AND coalesce(t.dead_share, 0) = 0
),
ranked AS (
    SELECT device_name, width, height, max_bounces, family, schedule, materials, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY device_name ORDER BY count(*) DESC, max_bounces DESC, max(newest) DESC) AS place
    FROM cell
    GROUP BY device_name, width, height, max_bounces, family, schedule, materials
    HAVING max(variant = 'pool_refill')
),
gained AS (                         -- against one kernel of the same work, least and most over the scenes
    SELECT w.device_name, min(n.lanes) AS naive_least, max(n.lanes) AS naive_most, min(w.lanes) AS least, max(w.lanes) AS most,
           min(n.seconds / w.seconds) AS speedup_least, max(n.seconds / w.seconds) AS speedup_most
    FROM cell AS w
    JOIN cell AS n ON n.work = w.work AND n.device_name = w.device_name AND n.schedule = w.schedule AND n.variant = 'naive' AND n.own = ''
    WHERE w.variant = 'pool_refill'
    GROUP BY w.device_name
)
SELECT p.panel, coalesce((SELECT q.test || ': ' FROM published_tests AS q WHERE q.scene IN (w.stands_for, w.scene || ' box')), '') || w.label || iif(w.chosen <> '', ', ' || w.chosen, '') AS scene_for,
       1e-6 * w.width * w.height / w.seconds AS rate, 1e-6 * w.width * w.height / w.seconds / (1 + w.relative_ci) AS rate_low,
       1e-6 * w.width * w.height / w.seconds / (1 - w.relative_ci) AS rate_high, w.flags AS rate_flags, w.trials AS rate_trials,
       n.seconds / w.seconds AS speedup, coalesce(n.flags, 'not_asked') || '|' || w.flags AS speedup_flags, w.trials || coalesce(', ' || n.trials, '') AS both_trials,
       w.rounds, w.launches, 1.0 * w.rays / w.paths AS extensions, w.lanes, w.counted_flags, w.counted AS counted_trial,
       'The paper''s curves carry no readable numbers. On ' || p.device_name ||
       coalesce(' ' || span(100 * g.naive_least, 100 * g.naive_most, 0) || ' % of the lanes are active in one kernel and ' ||
                span(100 * g.least, 100 * g.most, 0) || ' % in seven kernels whose pool is refilled when it is empty', ' lanes were not counted') ||
       coalesce('; these run at ' || span(g.speedup_least, g.speedup_most, 2) || ' times its speed.', '; times are not measured there.') AS headline,
       n.lanes AS naive_lanes, coalesce(n.counted_flags, 'not_asked') AS naive_counted, n.counted AS naive_trial,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM cell AS w
JOIN panel AS p USING (device_name, width, height, max_bounces, family, schedule, materials)
LEFT JOIN cell AS n ON n.work = w.work AND n.device_name = w.device_name AND n.schedule = w.schedule AND n.variant = 'naive' AND n.own = ''
LEFT JOIN gained AS g ON g.device_name = p.device_name
WHERE w.variant = 'pool_refill'
ORDER BY p.panel, scene_for
