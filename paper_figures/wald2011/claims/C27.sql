-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.7: views of one scene from outside and from inside: what whole_frame gains on each, and by how much more inside; the paths
-- of bounce 1 that are left at bounce 2 outside; and what is saved inside, counted. A closed inside has nothing to save.
WITH view AS (
    SELECT s.*, l.share, l.second FROM saved AS s JOIN leaving AS l ON l.work = s.work WHERE s.roulette = 'weight5'
),
gain AS (
    SELECT s.*, v.speedup * max(v.noise_floor, v.speedup_ci) AS half, iif(s.fitted, 'fitted|', '') || v.speedup_flags AS words, (SELECT l.share FROM leaving AS l WHERE l.work = s.work) AS share
    FROM saving AS s JOIN versus AS v ON v.setting = s.setting
    WHERE s.max_bounces = 8 AND s.block = 64 AND s.registers IS 64 AND s.lane_map = 'linear' AND s.pixel_order = 'tile'
),
shown AS (
    SELECT printf('%s, %s, %dx%d', o.label, o.materials, o.width, o.height) AS place, 100 * o.second AS second, i.saved AS inside, NULL AS outside, NULL AS outside_half,
           NULL AS more, NULL AS more_half, iif(o.fitted, 'fitted', '') AS flags, i.share, o.both_trials || ', ' || i.both_trials AS trials
    FROM view AS o
    JOIN view AS i ON i.scene = o.scene AND i.materials = o.materials AND i.width = o.width AND i.height = o.height AND i.eye = 'inside'
    WHERE o.eye = 'outside'
    UNION ALL
    SELECT printf('%s, %s, %dx%d, %s', o.label, o.materials, o.width, o.height, o.device_name), NULL, NULL, o.speedup, o.half, 100 * (i.speedup - o.speedup),
           100 * sqrt(pow(o.half, 2) + pow(i.half, 2)), o.words || '|' || i.words, i.share, o.timed_trials || ', ' || i.timed_trials
    FROM gain AS o
    JOIN gain AS i ON i.scene = o.scene AND i.materials = o.materials AND i.width = o.width AND i.height = o.height AND i.eye = 'inside' AND
                      i.schedule = o.schedule AND i.family = o.family AND i.device_name = o.device_name
    WHERE o.eye = 'outside'
)
SELECT *, iif(share < 0.01, 'no path leaves the interior: its windows are opaque', '') AS excluded FROM shown ORDER BY outside IS NOT NULL, place
