-- SPDX-License-Identifier: MIT
-- Thesis 2018, Table 4.3: rays per second by what is regenerated at once, in a solid of constant density; a ray is an extension of a path, the
-- one that leaves included. One panel per scene, device, image size and schedule; a row is a method.
method AS (
    SELECT column1 AS place, column2 AS variant, column3 AS title FROM (VALUES (1, 'volume_naive', 'naiveSK'),
        (2, 'regenerate_thread', 'regenerationSK (thread)'), (3, 'regenerate_warp', 'regenerationSK (warp)'), (4, 'regenerate_block', 'regenerationSK (block)'))
),
printed AS (                        -- of the scenes that have a stand-in
    SELECT 'cube' AS scene, method, cgg_logo AS rate, cgg_logo_half AS half FROM published_table43
    UNION ALL SELECT 'slab', method, ad, ad_half FROM published_table43
),
cell AS (
    SELECT c.*, m.place AS method, m.title FROM measured AS c JOIN method AS m ON m.variant = c.variant
),
ranked AS (
    SELECT work, scene, camera, device_name, width, height, max_bounces, family, schedule, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY scene, camera, device_name ORDER BY count(*) DESC, max(newest) DESC) AS place
    FROM cell
    GROUP BY work, device_name, schedule
),
gained AS (                         -- against the naive kernel of the same work, least and most over the scenes
    SELECT p.device_name, min(n.lanes) AS naive_least, max(n.lanes) AS naive_most, min(c.lanes) AS least, max(c.lanes) AS most,
           min(n.seconds / c.seconds) AS speedup_least, max(n.seconds / c.seconds) AS speedup_most
    FROM cell AS c
    LEFT JOIN cell AS n ON n.work = c.work AND n.device_name = c.device_name AND n.schedule = c.schedule AND n.variant = 'volume_naive' AND n.own = ''
    JOIN panel AS p ON p.work = c.work AND p.device_name = c.device_name AND p.schedule = c.schedule
    WHERE c.variant = 'regenerate_thread'
    GROUP BY p.device_name
)
SELECT p.panel, c.title || iif(c.own <> '', ', ' || c.own, '') AS method, 1e-6 * c.rays / c.spp / c.seconds AS rate, 1e-6 * c.rays / c.spp / c.seconds / (1 + c.relative_ci) AS rate_low,
       1e-6 * c.rays / c.spp / c.seconds / (1 - c.relative_ci) AS rate_high, c.flags || '|' || c.counted_flags AS rate_flags, c.trials,
       n.seconds / c.seconds AS speedup,
       q.rate AS rate_published, q.half AS rate_half, q.rate / (SELECT rate FROM printed WHERE scene = c.scene AND method = 'naiveSK') AS speedup_published,
       c.flags || '|' || coalesce(n.flags, 'not_asked') AS speedup_flags, c.trials || coalesce(', ' || n.trials, '') AS both_trials,
       c.lanes, c.counted_flags, c.counted AS counted_trial, 1.0 * c.rays / c.paths AS extensions,
       (SELECT printf('In the thesis a kernel that immediately gives each idle lane a new path traces %s times as many rays per second as the naive one. ',
                      span(min(q.rate / o.rate), max(q.rate / o.rate), 0)) FROM printed AS q JOIN printed AS o USING (scene)
        WHERE q.method LIKE '%(thread)' AND o.method = 'naiveSK') ||
       'On ' || p.device_name || coalesce(' ' || span(100 * g.least, 100 * g.most, 0) || ' % of its lanes are live', ' its lanes were not counted') ||
       coalesce(', compared with ' || span(100 * g.naive_least, 100 * g.naive_most, 0) || ' % in the naive kernel', '') ||
       coalesce(', and it traces ' || span(g.speedup_least, g.speedup_most, 1) || ' times as many rays per second.', '; rates were not measured.') AS headline,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials AS panel_trials, p.left_out
FROM cell AS c
JOIN panel AS p USING (work, device_name, schedule)
LEFT JOIN cell AS n ON n.work = c.work AND n.device_name = c.device_name AND n.schedule = c.schedule AND n.variant = 'volume_naive' AND n.own = ''
LEFT JOIN printed AS q ON q.scene = c.scene AND q.method = c.title
LEFT JOIN gained AS g ON g.device_name = p.device_name
ORDER BY p.panel, c.method, c.own
