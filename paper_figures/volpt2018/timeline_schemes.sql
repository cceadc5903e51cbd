-- SPDX-License-Identifier: MIT
-- What the figures of timelines are drawn from: each frame in at most 240 equal slices of time, of which every value is a ratio of sums. A panel is a
-- scene on a device; a row is a slice of one variant's frame.
cut AS (SELECT *, 1.0 * length / max(1, min(240, samples / 2)) AS width_ns FROM shown),
slice AS (
    SELECT c.panel, CAST(max(s.start + s.nanoseconds / 2, 0) / c.width_ns AS INTEGER) AS slice, c.width_ns, sum(s.cycles) AS cycles, sum(s.instructions) AS instructions,
           sum(s.thread_instructions) AS thread_instructions, sum(s.warp_cycles) AS warp_cycles
    FROM cut AS c CROSS JOIN timeline_sample AS s ON s.attempt = c.attempt
    WHERE s.start + s.nanoseconds / 2 < c.length
    GROUP BY c.panel, slice
),
drawn AS (
    SELECT c.*, b.slice, (b.slice + 0.5) * b.width_ns / 1e6 AS moment, 1.0 * b.thread_instructions / nullif(c.of_warp * b.instructions, 0) AS lanes,
           1.0 * b.warp_cycles / nullif(b.cycles, 0) AS warps
    FROM cut AS c JOIN slice AS b ON b.panel = c.panel
)
SELECT scene_panel AS panel, round(moment, 5) AS milliseconds, variant AS line,
       iif(variant = 'volume_naive', lanes, NULL) AS naive_lanes, iif(variant = 'volume_naive', warps, NULL) AS naive_warps,
       iif(variant = 'regenerate_thread', lanes, NULL) AS thread_lanes, iif(variant = 'regenerate_thread', warps, NULL) AS thread_warps,
       iif(variant = 'regenerate_warp', lanes, NULL) AS warp_lanes, iif(variant = 'regenerate_warp', warps, NULL) AS warp_warps,
       iif(variant = 'stream_block', lanes, NULL) AS stream_lanes, iif(variant = 'stream_block', warps, NULL) AS stream_warps,
       trials AS trials_of, scene, camera, device, device_name, width, height, spp, max_bounces, family AS work, schedule,
       (SELECT group_concat(trials, ', ') FROM shown AS o WHERE o.scene_panel = drawn.scene_panel) AS panel_trials, left_out
FROM drawn
ORDER BY scene_panel, place_here, slice
