-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.7: views of one scene from outside and from inside: what is saved, counted, and what whole_frame gains, outside
-- less inside.
WITH view AS (
    SELECT iif(s.first_camera, s.main_camera, s.camera) AS eye, s.scene, s.materials, s.width, s.height, s.fitted, s.saved, s.both_trials, l.share,
           s.stands_for
    FROM saved AS s JOIN leaving AS l ON l.work = s.work
    WHERE s.roulette = 'weight5'
),
gain AS (
    SELECT iif(s.first_camera, s.main_camera, s.camera) AS eye, s.*, w.speedup_excluded, w.speedup_weak
    FROM saving AS s JOIN weighed AS w ON w.setting = s.setting
    WHERE s.max_bounces = 8 AND s.block = 64 AND s.registers IS 64 AND s.lane_map = 'linear' AND s.pixel_order = 'tile'
),
pair AS (
    SELECT o.scene || iif(o.stands_for <> '', ' (' || o.stands_for || ')', '') || printf(', %s, %dx%d', o.materials, o.width, o.height) AS place,
           o.saved - i.saved AS saved, NULL AS gain, NULL AS half_gain, NULL AS half, iif(o.fitted, 'fitted', '') AS excluded, '' AS flags,
           i.share AS inside_share, o.both_trials || ', ' || i.both_trials AS trials
    FROM view AS o
    JOIN view AS i ON i.scene = o.scene AND i.materials = o.materials AND i.width = o.width AND i.height = o.height AND i.eye = 'inside'
    WHERE o.eye = 'outside'
    UNION ALL
    SELECT o.scene || iif(o.stands_for <> '', ' (' || o.stands_for || ')', '') || printf(', %s, %dx%d, %s', o.materials, o.width, o.height, o.device_name),
           NULL, o.speedup - i.speedup, o.speedup - 1 - 0.5 * (i.speedup - 1),
           sqrt(pow(o.speedup * o.speedup_ci, 2) + pow(i.speedup * i.speedup_ci, 2)),
           iif(length(o.speedup_excluded) > length(i.speedup_excluded), o.speedup_excluded, i.speedup_excluded),
           trim(o.speedup_weak || '|' || i.speedup_weak, '|'), (SELECT share FROM leaving AS l WHERE l.work = i.work), o.timed_trials || ', ' || i.timed_trials
    FROM gain AS o
    JOIN gain AS i ON i.scene = o.scene AND i.materials = o.materials AND i.width = o.width AND i.height = o.height AND i.eye = 'inside' AND
                      i.schedule = o.schedule AND i.family = o.family AND i.device_name = o.device_name
    WHERE o.eye = 'outside'
)
SELECT place, saved, 100 * gain AS gain, 100 * (gain - half) AS gain_low, 100 * (gain + half) AS gain_high, 100 * half_gain AS half_gain,
       100 * (half_gain - half) AS half_gain_low, 100 * (half_gain + half) AS half_gain_high, 
       trim(excluded || iif(inside_share < 0.01, '|no path leaves the inside: its windows are walls', ''), '|') AS excluded, flags, trials
FROM pair
ORDER BY gain IS NOT NULL, place
