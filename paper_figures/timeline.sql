-- SPDX-License-Identifier: MIT
-- What the figures of timelines are drawn from: each frame in at most 240 equal slices of time, of which every value is a ratio of sums.
-- A panel is a variant. part_...: share of the slice in which launches of that part ran. joined: a window begins in the slice.
cut AS (SELECT *, 1.0 * length / max(1, min(240, samples / 2)) AS width_ns FROM shown),
slice AS (
    SELECT c.panel, c.attempt, c.width_ns,
           CAST(max(s.start + s.nanoseconds / 2, 0) / c.width_ns AS INTEGER) AS slice,
           sum(s.cycles) AS cycles, sum(s.active_cycles) AS active_cycles,
           sum(s.instructions) AS instructions, sum(s.thread_instructions) AS thread_instructions, sum(s.warp_cycles) AS warp_cycles,
           sum(s.least_warp_cycles) AS least, sum(s.most_warp_cycles) AS most, sum(s.dram_bytes) AS dram_bytes, sum(s.nanoseconds) AS nanoseconds
    FROM cut AS c CROSS JOIN timeline_sample AS s ON s.attempt = c.attempt
    WHERE s.start + s.nanoseconds / 2 < c.length
    GROUP BY c.panel, slice
),
overlap AS (
    SELECT b.panel, b.slice, r.part, r.window,
           (min(r.finish, (b.slice + 1) * b.width_ns) - max(r.start, b.slice * b.width_ns)) / b.width_ns AS share, r.start >= b.slice * b.width_ns AND
               NOT EXISTS (SELECT 1 FROM timeline_launch AS n WHERE n.attempt = r.attempt AND n.window = r.window AND n.start < r.start) AS first
    FROM slice AS b JOIN ran AS r ON r.attempt = b.attempt AND r.start < (b.slice + 1) * b.width_ns AND r.finish > b.slice * b.width_ns
),
parts AS (
    SELECT panel, slice, sum(iif(part = 'trace', share, 0)) AS part_trace, sum(iif(part = 'shadow', share, 0)) AS part_shadow,
           sum(iif(part = 'shade', share, 0)) AS part_shade, sum(iif(part = 'regenerate', share, 0)) AS part_regenerate,
           sum(iif(part = 'lists', share, 0)) AS part_lists, sum(iif(part = 'kernel', share, 0)) AS part_kernel, max(first AND window > 0) AS joined
    FROM overlap GROUP BY panel, slice
)
SELECT c.panel, round((b.slice + 0.5) * b.width_ns / 1e6, 5) AS milliseconds, 1.0 * b.thread_instructions / nullif(c.of_warp * b.instructions, 0) AS lane_util,
       1.0 * b.warp_cycles / nullif(b.cycles, 0) AS mean_warps, 1.0 * c.of_device * b.least / nullif(b.cycles, 0) AS least_warps,
       1.0 * c.of_device * b.most / nullif(b.cycles, 0) AS most_warps, 1.0 * b.instructions / nullif(b.cycles, 0) AS ipc,
       1.0 * c.of_device * b.active_cycles / nullif(b.cycles, 0) AS active_multiprocessors,
       1 - 1.0 * b.active_cycles / nullif(b.cycles, 0) AS idle_multiprocessors,
       1.0 * b.dram_bytes / nullif(b.nanoseconds, 0) AS dram_rate,
       p.part_trace, p.part_shadow, p.part_shade, p.part_regenerate, p.part_lists, p.part_kernel, coalesce(p.joined, 0) AS joined,
       c.variant || ', ' || c.label AS finding, c.variant AS drawn, c.scene, c.camera, c.device, c.device_name, c.width, c.height, c.spp, c.max_bounces,
       c.family || iif(c.own_words = '', '', ', ' || c.own_words) AS work, c.schedule, c.trials AS trials, c.left_out
FROM cut AS c
JOIN slice AS b ON b.panel = c.panel
LEFT JOIN parts AS p ON p.panel = c.panel AND p.slice = b.slice
ORDER BY c.panel, b.slice
