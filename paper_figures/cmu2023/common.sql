-- SPDX-License-Identifier: MIT
-- After ../common.sql: what the tables of the CMU report share.

-- its wavefronts, for ../parts.sql
CREATE TEMP VIEW document_variant AS
SELECT column1 AS variant FROM (VALUES ('two_stage'), ('two_stage_pixel'), ('three_stage'));

-- Settings under the report's rules: no shadow rays but half of the next directions drawn from the lights, roulette by the largest weight.
-- plain: in all but tickets and batch as the report's final program. slice: what a panel is of. A batch of all samples is in it once.
CREATE TEMP VIEW cell AS
SELECT * FROM (
    SELECT m.*, coalesce(t.batch, t.spp) AS batch, coalesce(t.tickets, '') AS tickets, t.pool, t.pool_order, t.accumulate, t.extend_over, t.ray_sort, t.queues,
           coalesce(t.pool, '') || coalesce(t.pool_order, 'sequential') || coalesce(t.accumulate, 'atomic') || coalesce(t.extend_over, 'slots') ||
               coalesce(t.ray_sort, 'none') || coalesce(t.queues, 'material') = 'sequentialatomicslotsnonematerial' AS plain,
           m.device_name || '|' || m.width || '|' || m.height || '|' || m.max_bounces || '|' || m.family || '|' || m.schedule AS slice,
           row_number() OVER (PARTITION BY m.work, m.device_name, m.schedule, m.variant, coalesce(t.batch, t.spp), t.tickets, t.pool, t.pool_order, t.accumulate,
                                           t.extend_over, t.ray_sort, t.queues ORDER BY t.batch IS NULL) AS nth_alike
    FROM measured AS m
    JOIN trial_record AS t ON t.id = m.trial
    WHERE m.variant IN ('naive', 'two_stage', 'two_stage_pixel', 'three_stage') AND m.lighting = 'mix' AND m.first_camera AND m.family LIKE '%roulette yocto')
WHERE nth_alike = 1;

CREATE TEMP VIEW slice AS
SELECT slice, device_name, width, height, max_bounces, family, schedule, min(device) AS device, group_concat(trials, ', ') AS trials, max(newest) AS newest,
       count(*) AS settings, count(DISTINCT variant) AS variants, count(DISTINCT iif(variant = 'two_stage', batch, NULL)) AS batches, sum(NOT plain) AS choices
FROM cell
GROUP BY slice
HAVING max(variant = 'two_stage');

-- one kernel on the device cpu, of each work the newest
CREATE TEMP VIEW on_cpu AS
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY work, schedule ORDER BY newest DESC) AS nth FROM cell WHERE variant = 'naive' AND own = '' AND device = 'cpu')
WHERE nth = 1;

-- What claims compare: two stages with the report's tickets and, of several batches, the largest, beside one kernel (m), three stages (d), slots
-- that keep their pixels (t) and one kernel on the device cpu (c). live: share of slots with a ray to trace over all rounds; of one kernel,
-- of its lanes over all segments that a path may have.
CREATE TEMP VIEW compared AS
SELECT w.label || ', ' || w.device_name || ', ' || w.width || 'x' || w.height AS place, w.slice, w.seconds AS wave2, w.relative_ci AS wave2_ci,
       w.flags AS wave2_flags, w.trials AS wave2_trials, w.lanes AS wave2_lanes, w.counted AS wave2_counted,
       1.0 * w.rays / (1.0 * w.rounds * w.width * w.height) AS wave2_live,
       m.seconds AS mega, m.relative_ci AS mega_ci, coalesce(m.flags, 'not_asked') AS mega_flags, m.trials AS mega_trials, m.lanes AS mega_lanes,
       1.0 * m.rays / (m.paths * (m.max_bounces + 1)) AS mega_live, m.counted AS mega_counted,
       d.seconds AS wave3, d.relative_ci AS wave3_ci, coalesce(d.flags, 'not_asked') AS wave3_flags, d.trials AS wave3_trials, d.counted AS wave3_counted,
       1.0 * d.rays / (1.0 * d.rounds * d.width * d.height) AS wave3_live,
       t.seconds AS tied, t.relative_ci AS tied_ci, coalesce(t.flags, 'not_asked') AS tied_flags, t.trials AS tied_trials, t.counted AS tied_counted,
       1.0 * t.rays / (1.0 * t.rounds * t.width * t.height) AS tied_live,
       c.seconds AS cpu, c.relative_ci AS cpu_ci, coalesce(c.flags, 'not_asked') AS cpu_flags, c.trials AS cpu_trials
FROM (SELECT *, row_number() OVER (PARTITION BY slice, work ORDER BY batch DESC) AS nth FROM cell WHERE variant = 'two_stage' AND plain AND tickets = 'atomic') AS w
LEFT JOIN cell AS m ON m.slice = w.slice AND m.work = w.work AND m.variant = 'naive' AND m.own = ''
LEFT JOIN cell AS t ON t.slice = w.slice AND t.work = w.work AND t.variant = 'two_stage_pixel' AND t.own = ''
LEFT JOIN cell AS d ON d.slice = w.slice AND d.work = w.work AND d.variant = 'three_stage' AND d.plain AND d.tickets = w.tickets AND d.batch = w.batch
LEFT JOIN on_cpu AS c ON c.work = w.work AND c.schedule = w.schedule
WHERE w.nth = 1;
