-- SPDX-License-Identifier: MIT
-- Wald 2011, Table 3: time of a bounce's kernel over its active warps, compaction off (whole_frame_off) and on (whole_frame).
--
-- One panel per configuration; unless :all is 1, that of each scene, camera, device and image size which is nearest to the
-- paper's.
cell AS (
    SELECT s.*, iif(s.variant = 'whole_frame', 'on', 'off') AS compaction, w.reason,
           row_number() OVER (PARTITION BY s.work, s.device_name, s.schedule, s.traversal, s.variant
                              ORDER BY s.setting NOT IN (SELECT setting FROM bounce_time), s.newest DESC) AS nth
    FROM setup AS s
    JOIN state AS w ON w.setting = s.setting AND w.collection = 'launches' AND NOT w.outdated
    WHERE s.variant IN ('whole_frame', 'whole_frame_off') AND s.plain AND s.unthrottled AND s.dummy_flops = 0
),
configuration AS (
    SELECT work, device_name, schedule, traversal, max(newest) AS newest, min(distance) AS distance,
           max(iif(compaction = 'off', setting, NULL)) AS off_setting, max(iif(compaction = 'on', setting, NULL)) AS on_setting,
           max(iif(compaction = 'off', spec, NULL)) AS off_spec, max(iif(compaction = 'on', spec, NULL)) AS on_spec,
           max(iif(compaction = 'off', reason, NULL)) AS off_reason, max(iif(compaction = 'on', reason, NULL)) AS on_reason,
           max(iif(compaction = 'off', trials, NULL)) AS off_trials, max(iif(compaction = 'on', trials, NULL)) AS on_trials,
           group_concat(trials, ', ') AS trials
    FROM cell WHERE nth = 1
    GROUP BY work, device_name, schedule, traversal
),
ranked AS (
    SELECT c.*, s.scene, s.camera, s.device, s.width, s.height, s.spp, s.seed, s.max_bounces, s.family,
           row_number() OVER (
               PARTITION BY s.scene, s.camera, s.device_name, s.width, s.height
               ORDER BY off_setting IS NULL OR on_setting IS NULL, abs(s.max_bounces - 8), NOT s.matte, c.traversal <> 'while_while', c.distance, c.newest DESC)
               AS place
    FROM configuration AS c
    JOIN setup AS s ON s.setting = coalesce(c.off_setting, c.on_setting)
),
step(panel, bounce, last) AS (
    SELECT panel, 0, max_bounces FROM panel
    UNION ALL
    SELECT panel, bounce + 1, last FROM step WHERE bounce < last
),
both AS (
    SELECT p.*, s.bounce, f.paths_per_warp AS off_paths_per_warp, n.paths_per_warp AS on_paths_per_warp,
           f.microseconds_per_warp AS off_time, n.microseconds_per_warp AS on_time,
           f.nanoseconds_per_path AS off_path_time, n.nanoseconds_per_path AS on_path_time,
           f.relative_ci AS off_ci, n.relative_ci AS on_ci, f.waves AS off_waves, n.waves AS on_waves,
           CASE WHEN p.off_setting IS NULL OR (f.bounce IS NULL AND s.bounce > 0) THEN ''
                WHEN f.microseconds_per_warp IS NULL THEN iif(EXISTS (SELECT 1 FROM bounce_time AS k WHERE k.setting = p.off_setting),
                                                             'untimed', p.off_reason)
                ELSE iif(f.replicates < 5, 'few_replicates|', '') || iif(f.throttled, 'throttled|', '') ||
                     iif(f.underfilled, 'few_waves', '') END AS off_flags,
           CASE WHEN p.on_setting IS NULL OR (n.bounce IS NULL AND s.bounce > 0) THEN ''
                WHEN n.microseconds_per_warp IS NULL THEN iif(EXISTS (SELECT 1 FROM bounce_time AS k WHERE k.setting = p.on_setting),
                                                             'untimed', p.on_reason)
                ELSE iif(n.replicates < 5, 'few_replicates|', '') || iif(n.throttled, 'throttled|', '') ||
                     iif(n.underfilled, 'few_waves', '') END AS on_flags
    FROM step AS s
    JOIN panel AS p ON p.panel = s.panel
    LEFT JOIN bounces AS f ON f.spec = p.off_spec AND f.bounce = s.bounce
    LEFT JOIN bounces AS n ON n.spec = p.on_spec AND n.bounce = s.bounce
)
SELECT b.panel, b.bounce, b.off_paths_per_warp, b.off_time, b.off_time * (1 - off_ci) AS off_time_low,
       b.off_time * (1 + off_ci) AS off_time_high, off_flags, off_waves, b.on_paths_per_warp, b.on_time,
       b.on_time * (1 - on_ci) AS on_time_low, b.on_time * (1 + on_ci) AS on_time_high, on_flags, on_waves,
       b.on_time / b.off_time AS on_off, b.on_time / b.off_time * (1 - sqrt(off_ci * off_ci + on_ci * on_ci)) AS on_off_low,
       b.on_time / b.off_time * (1 + sqrt(off_ci * off_ci + on_ci * on_ci)) AS on_off_high,
       ltrim(off_flags || '|' || on_flags, '|') AS on_off_flags,
       q.on_time / q.off_time AS on_off_published,
       q.on_time / q.off_time * (q.on_time_half / q.on_time + q.off_time_half / q.off_time) AS on_off_half,
       off_path_time, on_path_time, 1000 * q.off_time / q.off_paths_per_warp AS off_path_published,
       1000 * q.on_time / q.on_paths_per_warp AS on_path_published,
       off_trials, on_trials, off_trials || ', ' || on_trials AS both_trials, b.trials, b.left_out,
       b.scene, b.camera, b.device, b.device_name, b.width, b.height, b.max_bounces, b.family AS work,
       b.schedule || ', ' || b.traversal AS schedule
FROM both AS b
LEFT JOIN published_table3 AS q ON q.bounce = b.bounce
ORDER BY b.panel, b.bounce
