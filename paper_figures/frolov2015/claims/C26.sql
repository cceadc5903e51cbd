-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, implementation details: by how much regeneration in place lowers the time of a kernel for each path that lives in it,
-- of the kernels that trace no ray the one that gains most; on Tests 3 and 4 with trees of materials.
WITH wanted AS (
    SELECT c.setting, c.spec, c.scene, c.work, c.schedule, c.device_name, c.variant, c.max_bounces, t.id AS trial, t.pool
    FROM configured AS c JOIN trial_record AS t ON t.setting = c.setting
    WHERE c.materials = 'tree' AND c.first_camera AND c.scene IN ('arch_tree', 'glass_tree') AND coalesce(t.dead_share, 0) = 0 AND
          (c.variant = 'pool_refill' OR c.variant = 'tile_regenerate' AND t.tile_slots = '256' AND t.tile_order = 'depth' AND t.regenerate_every = 2 AND
                                        t.regenerate_above = 50 AND t.regenerate_of = 'live' AND t.trace_compaction = 'no')
),
stage AS (
    SELECT w.setting, w.trial, r.stage, sum(r.seconds) AS seconds, sum(r.live_lanes) AS lives
    FROM wanted AS w JOIN pipeline_round AS r ON r.trial = w.trial
    WHERE r.stage IN ('surface', 'light', 'shade', 'next')
    GROUP BY w.trial, r.stage
),
mean AS (
    SELECT setting, stage, count(seconds) AS n, avg(seconds) AS seconds, max(lives) AS lives, group_concat(trial, ', ') AS trials,
           sqrt(max(sum(seconds * seconds) - count(seconds) * avg(seconds) * avg(seconds), 0) / nullif(count(seconds) - 1, 0)) AS deviation
    FROM stage
    GROUP BY setting, stage
),
cost AS (
    SELECT DISTINCT w.setting, w.scene, w.work, w.schedule, w.device_name, w.variant, w.pool, w.max_bounces, m.stage, m.n, m.trials, m.seconds / m.lives AS cost,
           (SELECT s.t FROM student_t AS s WHERE s.degrees < m.n ORDER BY s.degrees DESC LIMIT 1) * m.deviation / sqrt(m.n) / m.seconds AS relative
    FROM mean AS m JOIN wanted AS w ON w.setting = m.setting
    WHERE m.seconds > 0 AND m.lives > 0
),
fall AS (
    SELECT a.*, b.setting AS other_setting, b.n AS other_n, b.trials AS other_trials, 1 - a.cost / b.cost AS fall, a.cost / b.cost * sqrt(a.relative * a.relative + b.relative * b.relative) AS half,
           row_number() OVER (PARTITION BY a.work, a.device_name, a.pool ORDER BY a.cost / b.cost) AS nth
    FROM cost AS a
    JOIN cost AS b ON b.work = a.work AND b.schedule = a.schedule AND b.device_name = a.device_name AND b.pool IS a.pool AND b.stage = a.stage AND
                      b.variant = 'pool_refill'
    WHERE a.variant = 'tile_regenerate'
)
SELECT printf('%s: %s, depth %d, pool of %s slots, %s', iif(scene = 'arch_tree', 'T3', 'T4'), stage, max_bounces, coalesce(pool, 'auto'), device_name) AS place,
       iif(n < 5 OR other_n < 5, 'few_replicates', '') || coalesce((SELECT iif(max(w.underfilled), '|underfilled', '') FROM frame_waves AS w
                                                                    WHERE w.setting IN (fall.setting, fall.other_setting)), '') AS flags, trials || ', ' || other_trials AS trials, fall, half AS fall_half
FROM fall
WHERE nth = 1
