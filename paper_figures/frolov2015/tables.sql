-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015: the query of each table, under its id.

-- [pool]
-- Figures 2 to 5: paths per second of the four tests; here of the pipeline without regeneration, beside one kernel. A panel per device, image
-- size, bounce limit and schedule; a row is a scene. What is said of a panel is of its frames that fill the device through both.
WITH cell AS (
    SELECT m.*, 1e-6 * m.width * m.height / m.seconds AS rate, m.flags NOT LIKE '%underfilled%' AS fills,
           count(*) OVER panel AS settings, max(newest) OVER panel AS latest, group_concat(trials, ', ') OVER panel AS all_trials
    FROM measured AS m JOIN trial_record AS t ON t.id = m.trial
    WHERE m.variant IN ('naive', 'pool_refill') AND m.first_camera AND coalesce(t.dead_share, 0) = 0
    WINDOW panel AS (PARTITION BY m.device_name, m.width, m.height, m.max_bounces, m.family, m.schedule, m.materials)
)
SELECT (SELECT q.test FROM published_tests AS q WHERE q.scene IN (w.stands_for, w.scene || ' box')) AS test, w.label, w.chosen,
       w.rate, w.relative_ci, w.flags, w.trials AS rate_trials, n.seconds / w.seconds AS speedup,
       coalesce(n.flags, 'not_asked') || '|' || w.flags AS speedup_flags, w.trials || coalesce(', ' || n.trials, '') AS both_trials,
       w.rounds, w.launches, 1.0 * w.rays / w.paths AS extensions, w.lanes, w.counted_flags, w.counted, n.lanes AS naive_lanes,
       n.counted_flags AS naive_counted, n.counted AS naive_trial,
       min(n.lanes) FILTER (WHERE w.fills AND n.fills) OVER panel AS naive_least, max(n.lanes) FILTER (WHERE w.fills AND n.fills) OVER panel AS naive_most,
       min(w.lanes) FILTER (WHERE w.fills AND n.fills) OVER panel AS least, max(w.lanes) FILTER (WHERE w.fills AND n.fills) OVER panel AS most,
       min(n.seconds / w.seconds) FILTER (WHERE w.fills AND n.fills) OVER panel AS speedup_least,
       max(n.seconds / w.seconds) FILTER (WHERE w.fills AND n.fills) OVER panel AS speedup_most,
       w.materials, w.family, w.settings, w.latest, w.device,
       w.device_name, w.width, w.height, w.max_bounces, w.family AS work, w.schedule, w.all_trials AS trials
FROM cell AS w
LEFT JOIN cell AS n ON n.work = w.work AND n.device_name = w.device_name AND n.schedule = w.schedule AND n.variant = 'naive' AND n.own = ''
WHERE w.variant = 'pool_refill'
WINDOW panel AS (PARTITION BY w.device_name, w.width, w.height, w.max_bounces, w.family, w.schedule, w.materials)
ORDER BY w.device_name, w.width * w.height, coalesce(test || ': ', '') || w.label || iif(w.chosen <> '', ', ' || w.chosen, '')

-- [depths]
-- Figures 2 to 5: paths per second up to a depth, without regeneration, in place by tiles, by streaming and by thread, each in one setting at
-- all depths, and one kernel. Beside them the fastest of all settings of the first two that were run at a depth, by their names. A panel per
-- test without roulette by block, which is the paper's, and one with it; a row is a depth, a series a variant.
WITH cell AS (
    SELECT m.*, coalesce(t.pool, 'auto') AS pool, iif(t.roulette = 'block', t.roulette, NULL) AS roulette,
           1e-6 * m.width * m.height / m.seconds AS rate, substr(replace(', ' || m.chosen, ', pool ' || coalesce(t.pool, ''), ''), 3) AS setting_words,
           -- the setting of its curve: in place as printed, streaming by indices every 4 rounds, the next path of its pixel
           CASE m.variant
           WHEN 'tile_regenerate' THEN
               t.tile_slots = '256' AND t.tile_order = 'depth' AND t.regenerate_every = 2 AND t.regenerate_above = 50 AND
               t.regenerate_of = 'live' AND t.trace_compaction = 'no'
           WHEN 'stream_compact' THEN t.compact_every = 4 AND t.storage = 'indices'
           WHEN 'thread_regenerate' THEN t.next_path = 'pixel'
           ELSE 1 END AS curve
    FROM measured AS m JOIN trial_record AS t ON t.id = m.trial
    WHERE m.variant IN ('naive', 'pool_refill', 'tile_regenerate', 'stream_compact', 'thread_regenerate', 'majority_state') AND
          m.first_camera AND coalesce(t.dead_share, 0) = 0
),
ranked AS (                         -- one kernel has no pool
    SELECT p.pool AS in_pool, c.*,
           row_number() OVER (rest ORDER BY NOT c.curve, c.seconds IS NULL, c.flags = 'not_asked', c.launches, c.trial) AS nth,
           row_number() OVER (rest ORDER BY c.seconds IS NULL, c.seconds, c.trial) AS fastest
    FROM cell AS c
    JOIN (SELECT DISTINCT device_name, pool FROM cell WHERE variant = 'pool_refill') AS p
    ON p.device_name = c.device_name AND (c.variant = 'naive' OR c.pool = p.pool)
    WINDOW rest AS (PARTITION BY c.device_name, c.scene, c.width, c.height, c.family, c.schedule, c.materials, p.pool, c.max_bounces, c.variant)
),
best AS (                           -- of panels in which another setting than the curve's is the fastest somewhere
    SELECT *, max(NOT curve) OVER (PARTITION BY device_name, scene, width, height, family, schedule, materials, in_pool, variant) AS differs
    FROM ranked
    WHERE fastest = 1 AND seconds > 0 AND variant IN ('tile_regenerate', 'stream_compact')
),
shown AS (
    SELECT *, 0 AS differs, variant AS series, '' AS footnote FROM ranked WHERE nth = 1 AND curve
    UNION ALL
    SELECT *, iif(variant = 'tile_regenerate', 'tiles_best', 'stream_best'), '|setting' FROM best WHERE differs
),
side AS (
    SELECT *, max(variant = 'pool_refill') OVER depth AS has_none,
           max(variant = 'tile_regenerate') OVER panel AS has_tiles,
           rate / max(iif(variant = 'pool_refill', rate, NULL)) OVER depth AS gain,
           group_concat(trials, ', ') OVER panel AS all_trials, count(*) OVER panel AS settings
    FROM shown
    WINDOW panel AS (PARTITION BY device_name, scene, width, height, family, schedule, materials, in_pool),
           depth AS (PARTITION BY device_name, scene, width, height, family, schedule, materials, in_pool, max_bounces)
)
SELECT s.max_bounces AS depth, s.series, s.rate, s.relative_ci, s.flags || s.footnote AS flags,
       iif(s.curve, '', s.setting_words) AS setting_words, s.trials AS of_trials, s.gain, s.launches, s.lanes, s.counted,
       s.counted_flags, q.test, s.label, s.roulette, s.roulette NOTNULL AS by_block, s.in_pool, s.materials,
       s.family, s.settings, s.newest, s.scene, s.camera, s.device, s.device_name,
       s.width, s.height, s.spp, s.family AS work, s.schedule, s.all_trials AS trials,
       d.tests,
       min(s.max_bounces) OVER (PARTITION BY s.device_name) AS from_depth, max(s.max_bounces) OVER (PARTITION BY s.device_name) AS to_depth
FROM side AS s
JOIN (SELECT device_name, count(DISTINCT scene) AS tests FROM side WHERE has_none AND has_tiles GROUP BY device_name) AS d
ON d.device_name = s.device_name
JOIN stand_in AS i ON i.scene = s.scene
LEFT JOIN published_tests AS q ON q.scene IN (i.stands_for, i.scene || ' box')
WHERE s.has_none AND s.has_tiles
ORDER BY s.device_name, coalesce(q.test, 'other'), s.scene, s.roulette NOTNULL, s.max_bounces, s.series <> 'pool_refill'

-- [opencl]
-- Implementation details: the same frames through CUDA and through OpenCL on one GPU. A panel per GPU, image size, depth and schedule; a row is a
-- test and a pipeline.
SELECT c.scene || ': ' || c.variant || iif(c.chosen = '' OR c.chosen = 'pool ' || t.pool, '', ', ' || c.chosen) AS line, q.test, c.materials, c.seconds AS cuda,
       c.relative_ci AS cuda_ci, c.flags AS cuda_flags, c.trials AS cuda_trials, o.seconds AS opencl, o.relative_ci AS opencl_ci,
       o.flags AS opencl_flags, o.trials AS opencl_trials,
       100 * min(c.seconds / o.seconds) OVER device AS least, 100 * max(c.seconds / o.seconds) OVER device AS most,
       count(*) OVER device AS frames, max(c.newest, o.newest) AS newest, c.device_name, c.width, c.height, c.max_bounces,
       c.schedule, c.trials || ', ' || o.trials AS trials
FROM measured AS c
JOIN trial_record AS t ON t.id = c.trial
JOIN measured AS o ON o.device_name = 'OpenCL on a GPU: ' || c.device_name AND o.work = c.work AND o.schedule = c.schedule AND
                      o.axes = c.axes AND o.variant = c.variant AND o.own = c.own
JOIN stand_in AS i ON i.scene = c.scene
LEFT JOIN published_tests AS q ON q.scene IN (i.stands_for, i.scene || ' box')
WHERE c.first_camera AND c.seconds > 0 AND o.seconds > 0
WINDOW device AS (PARTITION BY c.device_name)
ORDER BY c.device_name, c.width * c.height, c.max_bounces, coalesce(q.test, 'other'), c.scene, c.variant
