-- SPDX-License-Identifier: MIT
-- What the figures of timelines are drawn from: each frame in at most 240 equal slices of time, of which every value is a ratio of sums.
-- A panel is a variant. part_...: share of the slice in which launches of that part ran. joined: a window begins in the slice.
cut AS (SELECT *, 1.0 * length / max(1, min(240, samples / 2)) AS width_ns FROM shown),
piece AS (
    SELECT c.panel, c.width_ns, r.part, r.start, r.finish, CAST(r.start / c.width_ns AS INTEGER) AS slice,
           window > 0 AND r.start = min(r.start) OVER (PARTITION BY r.attempt, r.window) AS joins
    FROM cut AS c CROSS JOIN ran AS r ON r.attempt = c.attempt
    UNION ALL
    SELECT panel, width_ns, part, start, finish, slice + 1, 0 FROM piece WHERE (slice + 1) * width_ns < finish
),
both AS (
    SELECT c.panel, CAST(max(s.start + s.nanoseconds / 2, 0) / c.width_ns AS INTEGER) AS slice, NULL AS part, NULL AS share, 0 AS joins, 1 AS samples,
           s.cycles, s.active_cycles, s.instructions, s.thread_instructions, s.warp_cycles, s.least_warp_cycles, s.most_warp_cycles, s.dram_bytes,
           s.nanoseconds
    FROM cut AS c CROSS JOIN timeline_sample AS s ON s.attempt = c.attempt
    WHERE s.start + s.nanoseconds / 2 < c.length
    UNION ALL
    SELECT panel, slice, part, (min(finish, (slice + 1) * width_ns) - max(start, slice * width_ns)) / width_ns, joins, 0,
           NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM piece
),
slice AS (
    SELECT panel, slice, sum(cycles) AS cycles, sum(active_cycles) AS active_cycles, sum(instructions) AS instructions,
           sum(thread_instructions) AS thread_instructions, sum(warp_cycles) AS warp_cycles, sum(least_warp_cycles) AS least,
           sum(most_warp_cycles) AS most, sum(dram_bytes) AS dram_bytes, sum(nanoseconds) AS nanoseconds,
           sum(share * (part = 'trace')) AS part_trace, sum(share * (part = 'shadow')) AS part_shadow, sum(share * (part = 'shade')) AS part_shade,
           sum(share * (part = 'regenerate')) AS part_regenerate, sum(share * (part = 'lists')) AS part_lists,
           sum(share * (part = 'kernel')) AS part_kernel, max(joins) AS joined
    FROM both GROUP BY panel, slice HAVING sum(samples) > 0
)
SELECT c.panel, round((b.slice + 0.5) * c.width_ns / 1e6, 5) AS milliseconds, 1.0 * b.thread_instructions / nullif(c.of_warp * b.instructions, 0) AS lane_util,
       1.0 * b.warp_cycles / nullif(b.cycles, 0) AS mean_warps, 1.0 * c.of_device * b.least / nullif(b.cycles, 0) AS least_warps,
       1.0 * c.of_device * b.most / nullif(b.cycles, 0) AS most_warps, 1.0 * b.instructions / nullif(b.cycles, 0) AS ipc,
       1.0 * c.of_device * b.active_cycles / nullif(b.cycles, 0) AS active_multiprocessors,
       1 - 1.0 * b.active_cycles / nullif(b.cycles, 0) AS idle_multiprocessors,
       1.0 * b.dram_bytes / nullif(b.nanoseconds, 0) AS dram_rate,
       b.part_trace, b.part_shadow, b.part_shade, b.part_regenerate, b.part_lists, b.part_kernel, b.joined,
       c.variant || ', ' || c.label AS finding, c.variant AS drawn, c.scene, c.camera, c.device, c.device_name, c.width, c.height, c.spp, c.max_bounces,
       c.family || iif(c.own_words = '', '', ', ' || c.own_words) AS work, c.schedule, c.trials AS trials, c.left_out
FROM cut AS c
JOIN slice AS b ON b.panel = c.panel
ORDER BY c.panel, b.slice
