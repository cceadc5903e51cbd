-- SPDX-License-Identifier: MIT
-- Thesis 2018: the query of each table, under its id. The views are those of common.sql.

-- [table42]
-- Table 4.2: time of the whole image by the number of tiles that it is cut into, one rendered after the other, none copied. A row is a number of
-- tiles, a series a variant.
SELECT * FROM (
    SELECT c.variant, t.tiles AS side, t.tiles || 'x' || t.tiles AS tiles, 1.0 * c.width * c.height * c.spp / (t.tiles * t.tiles) AS paths_per_tile,
           c.seconds * c.spp AS time, c.relative_ci, c.flags, c.trials AS of_trials, k.mebibytes, group_concat(c.trials, ', ') OVER panel AS panel_trials,
           min(t.tiles) OVER panel < max(t.tiles) OVER panel AS several, count(*) OVER panel AS cells, c.work AS frame, c.newest, c.scene, c.camera,
           c.device, c.device_name, c.width, c.height, c.max_bounces, c.family AS work, c.schedule
    FROM measured AS c
    JOIN trial_record AS t ON t.id = c.trial
    LEFT JOIN scheme_counts AS k ON k.trial = c.counted
    WHERE c.variant IN ('volume_naive', 'regenerate_thread', 'stream_block') AND t.tile_streams = 1 AND t.tile_download = 'none' AND
          coalesce(t.tickets, 'atomic') = 'atomic' AND coalesce(t.lane_paths, '1') = '1' AND coalesce(t.loop, 'reconverged') = 'reconverged'
    WINDOW panel AS (PARTITION BY c.work, c.device_name, c.schedule)
)
WHERE several
ORDER BY scene, camera, device_name, width * height, side

-- [table41]
-- Tables 4.1 and 4.3 to 4.6 as printed.
SELECT * FROM printed_shape WHERE of_table = 'kernels'

-- [table43]
SELECT * FROM printed_shape WHERE of_table = 'regeneration'

-- [table44]
SELECT * FROM printed_shape WHERE of_table = 'bounded'

-- [table45]
SELECT * FROM printed_shape WHERE of_table = 'compaction'

-- [table46]
SELECT * FROM printed_shape WHERE of_table = 'sorting'

-- [regeneration]
SELECT r.*, t.*
FROM scheme_rate AS r
CROSS JOIN (SELECT min(q.rate / o.rate) AS told_least, max(q.rate / o.rate) AS told_most
            FROM published_rate AS q JOIN published_rate AS o USING (of_table, scene)
            WHERE of_table = 43 AND q.method LIKE '%(thread)' AND o.method = 'naiveSK') AS t
WHERE of_table = 'regeneration'

-- [kernels]
SELECT * FROM scheme_rate WHERE of_table = 'kernels'

-- [bounded]
SELECT * FROM scheme_rate WHERE of_table = 'bounded'

-- [lane_paths]
SELECT * FROM scheme_rate WHERE of_table = 'lane_paths'

-- [compaction]
SELECT * FROM scheme_rate WHERE of_table = 'compaction'

-- [sorting]
SELECT * FROM scheme_rate WHERE of_table = 'sorting'

-- [schemes]
-- Tables 4.1 and 4.3 to 4.6 together: rays per second of every scheme, each in the thesis's way, on every volume. A row is a scheme, a series a
-- volume.
SELECT m.title AS method, coalesce(nullif(s.stands_for, ''), s.scene) AS volume, 1e-6 * r.rays / s.spp / s.seconds AS rate, s.relative_ci,
       s.flags || iif(r.rays / s.seconds IS NULL, '|' || s.counted_flags, '') AS rate_flags, s.trials AS of_trials, q.rate AS printed,
       q.half AS printed_half, s.lanes, s.counted, count(*) OVER panel AS cells, s.newest, s.device, s.device_name, s.width, s.height, s.spp
FROM scheme AS s
JOIN method AS m ON m.of_table = 'schemes' AND m.variant = s.variant
LEFT JOIN traced AS r ON r.work = s.work
LEFT JOIN (SELECT *, row_number() OVER (PARTITION BY scene, method ORDER BY of_table = 41, of_table) AS nth FROM published_rate
           WHERE of_table <> 44) AS q -- Table 4.1 has the naive kernel once more, a little faster
ON q.scene = s.scene AND q.method = m.title AND q.nth = 1
WHERE s.choice = '' AND s.kind <> 'grid'
WINDOW panel AS (PARTITION BY s.device_name, s.width, s.height, s.spp)
ORDER BY s.device_name, s.width * s.height, m.place

-- [lookups]
-- Look-ups of densities a second, by scheme and by how they are loaded, and what the counters say of the caches and of device memory meanwhile. What
-- a look-up asks for is its part of all that the frame asks for, so the rate at which a level would be saturated is the rate over its utilisation.
WITH looked AS (SELECT m.work, max(k.looked) AS looked FROM measured AS m JOIN scheme_counts AS k ON k.trial = m.counted GROUP BY m.work)
SELECT *, 100 * rate / nullif(l2_busy, 0) AS l2_limit, iif(dram_busy >= 0.1, 100 * rate / dram_busy, NULL) AS dram_limit
FROM (SELECT s.variant || s.choice AS scheme, 1e-9 * l.looked / s.spp / s.seconds AS rate, s.relative_ci, s.flags, s.trials AS timed,
             c.trial AS counted, s.trials || ', ' || c.trial AS both, c.l1_hits, c.l2_hits, c.l2_busy, c.dram_busy, c.busiest,
             c.dram_bytes / l.looked AS dram_bytes, s.work AS frame, s.newest, s.scene, s.camera, s.device, s.device_name, s.width, s.height,
             s.max_bounces, s.family AS work
      FROM scheme AS s
      JOIN looked AS l ON l.work = s.work
      JOIN scheme_counters AS c ON c.setting = s.setting
      WHERE s.seconds NOTNULL AND c.l2_busy NOTNULL AND (s.choice = '' OR s.choice GLOB ', grid loads *' AND s.choice NOT GLOB ', grid loads *,*')
      ORDER BY s.scene, s.camera, s.device_name, s.width * s.height, s.variant, s.choice)

-- [memory]
-- One shape in grids of several sizes: along the sizes only memory changes, along the schemes mostly which paths share a warp. Rates of each scheme;
-- speed over that in the smallest grid, with memory as the one cause; over that of one path per lane at the same size, with divergence as the main
-- one. A row is a size, a series a scheme.
WITH cell AS (
    SELECT s.*, CAST(substr(s.scene, 6) AS INTEGER) AS size, 1e-6 * r.rays / s.spp / s.seconds AS rate, c.l1_hits, c.l2_hits, c.dram_busy,
           c.trial AS hardware
    FROM scheme AS s
    LEFT JOIN traced AS r ON r.work = s.work
    LEFT JOIN scheme_counters AS c ON c.setting = s.setting
    WHERE s.kind = 'grid' AND s.choice = '' AND s.variant IN ('volume_naive', 'regenerate_thread', 'stream_block') AND s.device_kind <> 'model'
)
SELECT c.size || '^3' AS grid, c.variant, c.rate, c.flags || iif(c.rate IS NULL, '|' || c.counted_flags, '') AS rate_flags, c.trials AS of_trials,
       b.seconds / c.seconds AS over_small, b.trials || ', ' || c.trials AS sizes, n.seconds / c.seconds AS over_naive,
       coalesce(n.flags, 'not_asked') || '|' || c.flags AS both_flags, n.trials || ', ' || c.trials AS both, 1.0 * c.rays / c.paths AS extensions,
       c.counted, c.l1_hits, c.l2_hits, c.dram_busy, c.hardware,
       count(*) OVER (PARTITION BY c.device_name, c.width, c.height, c.spp, c.family) AS cells, c.newest, c.family, c.device, c.device_name, c.width,
       c.height, c.spp
FROM cell AS c
LEFT JOIN cell AS b ON b.device_name = c.device_name AND b.width = c.width AND b.height = c.height AND b.spp = c.spp AND b.family = c.family AND
                       b.variant = c.variant AND b.size = 32
LEFT JOIN cell AS n ON n.work = c.work AND n.device_name = c.device_name AND n.variant = 'volume_naive'
ORDER BY c.device_name, c.width * c.height, c.size

-- [live_lanes]
-- Live lanes of the trips of each scheme's warps: share of trips with so many of them or fewer, and the mean. By the lockstep model; a row is a number
-- of lanes, a series a scheme, the newest of each.
WITH cell AS (
    SELECT s.*, a.attempt, a.warp_width AS of_warp,
           row_number() OVER (PARTITION BY s.work, s.device_name, s.variant, a.warp_width ORDER BY s.newest DESC) AS nth
    FROM scheme AS s
    JOIN result AS a ON a.trial = s.counted AND a.collection = 'counts'
    WHERE s.choice = '' AND s.kind <> 'grid' AND EXISTS (SELECT 1 FROM entry_lanes AS e WHERE e.attempt = a.attempt) AND
          s.variant IN ('volume_naive', 'regenerate_thread', 'regenerate_warp', 'regenerate_block', 'stream_block', 'stream_device')
),
number (lanes) AS (SELECT 1 UNION ALL SELECT lanes + 1 FROM number WHERE lanes < (SELECT max(of_warp) FROM cell))
SELECT n.lanes, c.variant, c.counted,
       (SELECT 1.0 * sum(iif(e.lanes <= n.lanes, e.warps, 0)) / sum(e.warps) FROM entry_lanes AS e WHERE e.attempt = c.attempt) AS share,
       (SELECT 1.0 * sum(e.lanes * e.warps) / sum(e.warps) FROM entry_lanes AS e WHERE e.attempt = c.attempt) AS mean,
       count(*) OVER (PARTITION BY c.work, c.device_name, c.of_warp, n.lanes) AS schemes, c.work AS frame, c.of_warp, c.newest, c.scene, c.camera,
       c.device, c.device_name, c.width, c.height, c.spp, c.max_bounces, c.family AS work
FROM cell AS c
JOIN number AS n ON n.lanes <= c.of_warp
WHERE c.nth = 1
ORDER BY c.scene, c.camera, c.device_name, c.width * c.height, n.lanes

-- [timeline_schemes]
-- What the figures of timelines are drawn from: each frame in at most 240 equal slices of time, of which every value is a ratio of sums. A panel is a
-- scene on a device; a row is a slice of one variant's frame.
cut AS (SELECT *, 1.0 * length / max(1, min(240, samples / 2)) AS width_ns FROM shown),
slice AS (
    SELECT c.panel, CAST(max(s.start + s.nanoseconds / 2, 0) / c.width_ns AS INTEGER) AS slice, c.width_ns, sum(s.cycles) AS cycles,
           sum(s.instructions) AS instructions,
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
