-- SPDX-License-Identifier: MIT
-- Of any paper whose common.sql names its variants (document_variant): where the time of a pipeline goes, in percent of the frame of one
-- kernel on the same work, beside fullest_queue, which is of no document. One panel per scene and device, that with most variants; a row is
-- a variant, at the fastest of its settings of which parts are known.
WITH cell AS (
    SELECT d.*, row_number() OVER (PARTITION BY d.device_name, d.work, d.schedule, d.variant
                                   ORDER BY d.launched IS NULL, d.seconds IS NULL, d.seconds, length(d.own), d.launches, d.trial) AS nth
    FROM divided AS d
    WHERE d.first_camera AND NOT (d.flags = 'not_asked' AND d.parts_flags = 'not_asked' AND d.counted_flags = 'not_asked') AND
          (d.variant = 'naive' AND d.own = '' OR d.variant = 'fullest_queue' OR d.variant IN (SELECT variant FROM document_variant))
),
row AS (
    SELECT c.*, c.seconds / n.seconds AS total, sqrt(pow(c.relative_ci, 2) + pow(n.relative_ci, 2)) AS total_ci,
           (c.kernel + c.trace + c.shadow + c.shading) / n.seconds AS stages, (c.regenerate + c.lists) / n.seconds AS bookkeeping,
           c.gaps / n.seconds AS gap, n.seconds AS whole, n.flags AS whole_flags, n.trials AS whole_trials, n.lanes AS naive_lanes
    FROM cell AS c
    JOIN cell AS n ON n.device_name = c.device_name AND n.work = c.work AND n.schedule = c.schedule AND n.variant = 'naive' AND n.nth = 1
    WHERE c.nth = 1
),
judged AS (                         -- slower: beyond the intervals; where: the part that loses most
    SELECT *, total * (1 - coalesce(total_ci, 0)) > 1 AS slower,
           CASE WHEN gap IS NULL THEN NULL
                WHEN gap > stages - 1 AND gap > bookkeeping THEN 'gaps' WHEN bookkeeping > stages - 1 THEN 'bookkeeping'
                ELSE 'stages' END AS lost_in
    FROM row
),
ranked AS (
    SELECT device_name, work, schedule, scene, camera, label, width, height, spp, max_bounces, family,
           min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY device_name, scene
                              ORDER BY count(*) DESC, count(gap) DESC, count(seconds) DESC, max(newest) DESC) AS place,
           count(iif(variant <> 'naive', total, NULL)) AS compared, sum(slower AND variant <> 'naive') AS slower,
           group_concat(iif(slower AND variant <> 'naive', variant || coalesce(' (' || lost_in || ')', ''), NULL), ', ') AS losers,
           max(iif(variant = 'fullest_queue', 1 / total, NULL)) AS fullest, max(iif(variant = 'fullest_queue', lanes, NULL)) AS fullest_lanes,
           max(naive_lanes) AS naive_lanes
    FROM judged
    GROUP BY device_name, work, schedule
    HAVING count(*) > 1 AND max(variant IN (SELECT variant FROM document_variant))
),
panel AS (                          -- beside its own what all panels of the device say, for the headline
    SELECT row_number() OVER (ORDER BY device_name, scene, place) AS panel, *, (SELECT count(*) FROM ranked WHERE place > 1 AND :all = 0) AS left_out,
           count(nullif(compared, 0)) OVER device AS timed_panels, count(fullest) OVER device AS fullest_panels,
           nullif(sum(slower) OVER device, 0) AS slower_in_all, nullif(sum(compared) OVER device, 0) AS compared_in_all,
           min(fullest) OVER device AS fullest_least, max(fullest) OVER device AS fullest_most, min(naive_lanes) OVER device AS naive_least,
           max(naive_lanes) OVER device AS naive_most, min(fullest_lanes) OVER device AS fullest_lanes_least,
           max(fullest_lanes) OVER device AS fullest_lanes_most
    FROM ranked
    WHERE place = 1 OR :all = 1
    WINDOW device AS (PARTITION BY device_name)
)
SELECT p.panel, j.variant || iif(j.chosen <> '', ', ' || j.chosen, '') AS line,
       100 * j.total AS total, 100 * j.total * (1 - j.total_ci) AS total_low, 100 * j.total * (1 + j.total_ci) AS total_high,
       j.flags || '|' || j.whole_flags ||
           iif(NOT coalesce(j.slower, 0) OR j.variant = 'naive', '', '|slower_by_' || coalesce(j.lost_in, 'unknown')) AS total_flags,
       j.trials || iif(j.variant = 'naive', '', ', ' || j.whole_trials) AS total_trials,
       100 * iif(j.kernel > 0, j.kernel / j.whole, NULL) AS kernel, 100 * iif(j.kernel > 0, NULL, j.trace / j.whole) AS trace,
       100 * iif(j.kernel > 0, NULL, j.shadow / j.whole) AS shadow, 100 * iif(j.kernel > 0, NULL, j.shading / j.whole) AS shading,
       100 * iif(j.kernel > 0, NULL, j.bookkeeping) AS bookkeeping, 100 * j.gap AS gaps, j.parts_flags,
       iif(j.kernel > 0, 'one_kernel', j.parts_flags) AS stage_flags,
       iif(j.kernel > 0 OR j.parts_flags = 'not_asked' OR j.kernel IS NULL, j.parts_flags, 'no_kernel') AS kernel_flags,
       1e9 * j.seconds / (1.0 * j.rays / j.spp) AS per_ray, j.flags AS per_ray_flags,
       1e9 * iif(j.kernel > 0, NULL, j.trace + j.shadow) / (1.0 * j.rays / j.spp) AS traced,
       1e9 * iif(j.kernel > 0, NULL, j.shading) / (1.0 * j.rays / j.spp) AS shaded,
       j.lanes, iif(j.moved_bytes > 0, 1.0 * j.moved_bytes / j.rays, NULL) AS moved, j.launches, iif(j.kernel IS NULL, NULL, j.reads) AS reads,
       j.counted_flags, iif(j.moved_bytes > 0 OR j.counted_flags <> '', j.counted_flags, 'no_pool') AS moved_flags,
       j.counted AS counted_trial, j.trials AS row_trials,
       i.idle_multiprocessors AS idle, iif(i.setting IS NULL, 'not_asked', '') AS idle_flags, i.trial AS idle_trial,
       coalesce(s.kernel, s.trace) AS idle_trace, iif(coalesce(s.kernel, s.trace) IS NULL, 'not_asked', '') AS idle_trace_flags,
       s.shadow AS idle_shadow, s.shading AS idle_shading, s.bookkeeping AS idle_bookkeeping,
       nullif(p.slower, 0) AS slower, nullif(p.compared, 0) AS compared, p.losers, nullif(p.timed_panels, 0) AS timed_panels, p.slower_in_all,
       p.compared_in_all, nullif(p.fullest_panels, 0) AS fullest_panels, p.fullest_least, p.fullest_most, p.naive_least, p.naive_most,
       p.fullest_lanes_least, p.fullest_lanes_most,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.spp, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM judged AS j
JOIN panel AS p ON p.device_name = j.device_name AND p.work = j.work AND p.schedule = j.schedule
LEFT JOIN frame_idle AS i ON i.setting = j.setting
LEFT JOIN setting_idle AS s ON s.setting = j.setting
ORDER BY p.panel, j.variant <> 'naive', j.variant = 'fullest_queue', line
