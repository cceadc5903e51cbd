-- SPDX-License-Identifier: MIT
-- Conflicts X01 to X03 of conflicts.yaml: both sides on the same frames. What compaction takes, of the frame (Wald) and of the tracing
-- (Frolov and Galaktionov); what it costs to keep paths in memory between kernels; several kernels against one. One panel per device,
-- that with most variants; a row is a variant and its choices.
WITH cell AS (
    SELECT *, CASE WHEN variant = 'naive' THEN 0 WHEN variant LIKE 'whole_frame%' THEN 1 WHEN variant LIKE '%_stage' THEN 3 ELSE 2 END AS document
    FROM divided
    WHERE first_camera AND NOT (flags = 'not_asked' AND parts_flags = 'not_asked' AND counted_flags = 'not_asked') AND
                           (variant = 'naive' AND own = '' OR
                            variant IN ('whole_frame', 'whole_frame_off', 'pool_refill', 'stream_compact', 'tile_regenerate', 'two_stage', 'three_stage'))
),
row AS (                            -- compacts: makes lists of the paths that live. state: keeps paths in memory, and does nothing about dead ones
    SELECT c.*, c.variant IN ('whole_frame', 'stream_compact', 'tile_regenerate') AS compacts, c.variant IN ('whole_frame_off', 'pool_refill') AS state,
           n.seconds / c.seconds AS speed, sqrt(pow(c.relative_ci, 2) + pow(n.relative_ci, 2)) AS speed_ci, n.flags AS naive_flags, n.trials AS naive_trials
    FROM cell AS c
    JOIN cell AS n ON n.device_name = c.device_name AND n.work = c.work AND n.schedule = c.schedule AND n.variant = 'naive'
),
ranked AS (
    SELECT device_name, work, schedule, scene, camera, label, width, height, spp, max_bounces, family,
           min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY device_name, scene
                              ORDER BY count(DISTINCT variant) DESC, count(launched) DESC, count(*) DESC, max(newest) DESC) AS place,
           max(iif(variant = 'whole_frame', lists / seconds, NULL)) AS wald, min(iif(variant = 'stream_compact', lists / seconds, NULL)) AS frolov_least,
           max(iif(variant = 'stream_compact', lists / seconds, NULL)) AS frolov_most,
           min(iif(variant = 'stream_compact', lists / (trace + shadow), NULL)) AS traced_least,
           max(iif(variant = 'stream_compact', lists / (trace + shadow), NULL)) AS traced_most,
           max(iif(variant = 'whole_frame_off', 1 / speed - 1, NULL)) AS off, max(iif(variant = 'pool_refill', 1 / speed - 1, NULL)) AS pool,
           min(iif(document > 1, speed, NULL)) AS speed_least, max(iif(document > 1, speed, NULL)) AS speed_most
    FROM row
    GROUP BY device_name, work, schedule
    HAVING max(variant = 'whole_frame') AND max(variant = 'stream_compact') -- the same frames for both documents
),
panel AS (                          -- beside its own what all panels of the device say, for the headline
    SELECT row_number() OVER (ORDER BY device_name, scene, place) AS panel, *, (SELECT count(*) FROM ranked WHERE place > 1 AND :all = 0) AS left_out,
           count(*) OVER device AS panels, min(wald) OVER device AS wald_least, max(wald) OVER device AS wald_most,
           min(frolov_least) OVER device AS frame_least, max(frolov_most) OVER device AS frame_most, min(traced_least) OVER device AS tracing_least,
           max(traced_most) OVER device AS tracing_most, min(100 * off) OVER device AS off_least, max(100 * off) OVER device AS off_most,
           min(100 * pool) OVER device AS pool_least, max(100 * pool) OVER device AS pool_most, min(speed_least) OVER device AS several_least,
           max(speed_most) OVER device AS several_most
    FROM ranked
    WHERE place = 1 OR :all = 1
    WINDOW device AS (PARTITION BY device_name)
)
SELECT p.panel, CASE r.document WHEN 0 THEN '' WHEN 1 THEN 'Wald: ' WHEN 2 THEN 'Frolov: ' ELSE 'CMU: ' END ||
           r.variant || iif(r.chosen <> '', ', ' || r.chosen, '') AS line,
       1000 * r.seconds AS time, 1000 * r.seconds * (1 - r.relative_ci) AS time_low, 1000 * r.seconds * (1 + r.relative_ci) AS time_high,
       r.flags AS time_flags, r.trials AS row_trials,
       iif(r.compacts, 100 * r.lists / r.seconds, NULL) AS of_frame, iif(r.compacts, 100 * (r.lists + r.gaps) / r.seconds, NULL) AS with_gaps,
       iif(r.compacts, 100 * r.lists / (r.kernel + r.trace + r.shadow + r.shading), NULL) AS of_paths,
       iif(r.compacts AND r.trace > 0, 100 * r.lists / (r.trace + r.shadow), NULL) AS of_tracing,
       iif(r.compacts, r.parts_flags, 'no_compaction') AS compaction_flags,
       CASE WHEN NOT r.compacts THEN 'no_compaction' WHEN r.variant = 'whole_frame' AND r.kernel > 0 THEN 'one_kernel' ELSE r.parts_flags END AS tracing_flags,
       iif(r.state, 100 * (1 / r.speed - 1), NULL) AS overhead, iif(r.state, 100 * (1 / r.speed * (1 - r.speed_ci) - 1), NULL) AS overhead_low,
       iif(r.state, 100 * (1 / r.speed * (1 + r.speed_ci) - 1), NULL) AS overhead_high,
       iif(r.state, r.flags || '|' || r.naive_flags, 'no_state') AS overhead_flags,
       iif(r.document, r.speed, NULL) AS speed, iif(r.document, r.speed * (1 - r.speed_ci), NULL) AS speed_low,
       iif(r.document, r.speed * (1 + r.speed_ci), NULL) AS speed_high,
       iif(r.document, r.flags || '|' || r.naive_flags, 'itself') AS speed_flags, r.trials || iif(r.document, ', ' || r.naive_trials, '') AS both_trials,
       iif(r.moved_bytes > 0, 1.0 * r.moved_bytes / r.rays, NULL) AS moved,
       iif(r.moved_bytes > 0 OR r.counted_flags <> '', r.counted_flags, 'no_pool') AS moved_flags,
       r.lanes, r.counted_flags, r.counted AS counted_trial,
       p.panels, p.wald_least, p.wald_most, p.frame_least, p.frame_most, p.tracing_least, p.tracing_most, p.off_least, p.off_most, p.pool_least,
       p.pool_most, p.several_least, p.several_most,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.spp, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM row AS r
JOIN panel AS p ON p.device_name = r.device_name AND p.work = r.work AND p.schedule = r.schedule
ORDER BY p.panel, r.document, r.variant, r.own
