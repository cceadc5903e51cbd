-- SPDX-License-Identifier: MIT
-- Where the time of the sampled frames goes, and what the device does meanwhile: a row for each variant and each part of it. Means are of
-- samples wholly inside launches of three such samples at least; those of a frame of all samples.
sampled AS MATERIALIZED (
    SELECT *, count(*) OVER (PARTITION BY attempt, inside) AS samples_inside
    FROM timeline_part WHERE attempt IN (SELECT attempt FROM shown) AND inside IS NOT NULL
),
inside AS (
    SELECT s.panel, coalesce(r.part, 'gaps') AS part, p.*
    FROM shown AS s
    JOIN sampled AS p ON p.attempt = s.attempt AND p.samples_inside >= 3
    JOIN ran AS r ON r.attempt = p.attempt AND r.number = p.inside
),
summed AS (
    SELECT panel, part, sum(thread_instructions) AS thread_instructions, sum(instructions) AS instructions, sum(cycles) AS cycles,
           sum(warp_cycles) AS warp_cycles, sum(active_cycles) AS active_cycles, sum(dram_bytes) AS dram_bytes, sum(nanoseconds) AS nanoseconds
    FROM inside GROUP BY panel, part
    UNION ALL
    SELECT s.panel, 'frame', sum(p.thread_instructions), sum(p.instructions), sum(p.cycles), sum(p.warp_cycles), sum(p.active_cycles),
           sum(p.dram_bytes), sum(p.nanoseconds)
    FROM shown AS s CROSS JOIN timeline_sample AS p ON p.attempt = s.attempt GROUP BY s.panel
),
lasting AS (
    SELECT s.panel, r.part, count(*) AS launches, sum(r.finish - r.start) AS nanoseconds FROM shown AS s JOIN ran AS r ON r.attempt = s.attempt
    GROUP BY s.panel, r.part
    UNION ALL
    SELECT s.panel, 'frame', (SELECT count(*) FROM ran AS r WHERE r.attempt = s.attempt), s.length FROM shown AS s
    UNION ALL
    SELECT s.panel, 'gaps', NULL, s.length - (SELECT sum(r.finish - r.start) FROM ran AS r WHERE r.attempt = s.attempt) FROM shown AS s
)
SELECT s.scene_panel AS panel, s.variant || iif(s.own_words = '', '', ', ' || s.own_words) || ': ' || l.part AS line,
       l.launches, l.nanoseconds / 1e6 AS time, 1.0 * l.nanoseconds / s.length AS share,
       1.0 * m.thread_instructions / nullif(s.of_warp * m.instructions, 0) AS lane_util, 1.0 * m.warp_cycles / nullif(m.cycles, 0) AS mean_warps,
       1.0 * m.instructions / nullif(m.cycles, 0) AS ipc, 1.0 * s.of_device * m.active_cycles / nullif(m.cycles, 0) AS active_multiprocessors,
       1 - 1.0 * m.active_cycles / nullif(m.cycles, 0) AS idle_multiprocessors,
       1.0 * m.dram_bytes / nullif(m.nanoseconds, 0) AS dram_rate,
       iif(l.part = 'frame', 1e3 * f.plain_seconds, NULL) AS plain, iif(l.part = 'frame', f.slowdown, NULL) AS slowdown,
       iif(l.part = 'frame', f.windows, NULL) AS windows, s.trials AS trials_of,
       s.label AS finding, s.scene, s.camera, s.device, s.device_name, s.width, s.height, s.spp, s.max_bounces,
       s.family AS work, s.schedule, (SELECT group_concat(trials, ', ') FROM shown AS o WHERE o.scene_panel = s.scene_panel) AS trials, s.left_out
FROM shown AS s
JOIN lasting AS l ON l.panel = s.panel
LEFT JOIN summed AS m ON m.panel = s.panel AND m.part = l.part
LEFT JOIN timeline_frame AS f ON f.trial = s.trial
WHERE l.part <> 'gaps' OR l.nanoseconds > 0
ORDER BY s.scene_panel, s.place_here, s.panel, CASE l.part WHEN 'frame' THEN 0 WHEN 'kernel' THEN 1 WHEN 'trace' THEN 2 WHEN 'shadow' THEN 3 WHEN 'shade' THEN 4
         WHEN 'regenerate' THEN 5 WHEN 'lists' THEN 6 ELSE 7 END
