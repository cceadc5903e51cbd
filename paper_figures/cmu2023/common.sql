-- SPDX-License-Identifier: MIT
-- After ../common.sql: what the tables of the CMU report share.

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
