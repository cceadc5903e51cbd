-- SPDX-License-Identifier: MIT
-- Thesis 2018: the query of each claim, under its id; of several parts where its cases are of several kinds. A row is a case; what names it is said
-- in claims.yaml. The views are those of common.sql.

-- [C01]
-- Single kernel versus multi kernel: the naive kernel against a launch for each extension.
SELECT place, vote, literal, in_document, flags, trials, gain, half AS gain_half, iif(stands_for = 'cgg-logo', gain, NULL) AS size, half AS size_half
FROM scheme_pair
WHERE variant = 'volume_naive' AND choice = '' AND over = 'volume_steps' AND kind <> 'grid'

-- [C02]
-- Persistent thread: regeneration by thread against every other scheme on volumes of constant density.
SELECT place, vote || ', ' || over AS vote, literal, in_document, over, flags, trials, iif(regenerates, gain, NULL) AS best, half AS best_half,
       iif(over = 'volume_naive', gain, NULL) AS naive,
       half AS naive_half, iif(regenerates, NULL, gain) AS streaming, half AS streaming_half
FROM thread_on_constant
-- [C02]
-- the most of each over them
SELECT count(*) AS volumes, over AS vote, literal, width, height, device_name, over, group_concat(flags, '|') AS flags, group_concat(trials, ', ') AS trials,
       max(gain) AS on_one, half AS on_one_half
FROM thread_on_constant
WHERE NOT regenerates AND gain NOTNULL
GROUP BY over, width, height, spp, seed, device_name
HAVING count(DISTINCT scene) > 1

-- [C03]
-- Persistent thread: regeneration by warp against by thread on uneven volumes: speed; warps with paths at several bounces, and lines of 128 bytes of
-- a warp's look-up, of the one over the other.
SELECT p.place, p.vote, p.literal, p.in_document, p.flags, p.trials || coalesce(', ' || c.trials, '') AS trials, p.gain, p.half AS gain_half, c.mixed,
       c.density_lines AS lines
FROM scheme_pair AS p
LEFT JOIN counted_pair AS c USING (setting, over_setting)
WHERE p.variant = 'regenerate_warp' AND p.choice = '' AND p.over = 'regenerate_thread' AND p.kind = 'uneven'

-- [C04]
-- Table 4.3: regeneration by whole blocks against by thread and by warp, and against the naive kernel.
SELECT place, vote || ', ' || over AS vote, literal, in_document, over, flags, trials, iif(over <> 'volume_naive', gain, NULL) AS other, half AS other_half,
       iif(over = 'volume_naive' AND stands_for <> 'ad', gain, NULL) AS naive, half AS naive_half,
       iif(over = 'volume_naive' AND stands_for = 'ad', gain, NULL) AS on_ad, half AS on_ad_half
FROM scheme_pair
WHERE variant = 'regenerate_block' AND choice = '' AND over IN ('volume_naive', 'regenerate_thread', 'regenerate_warp') AND kind <> 'grid'
-- [C04]
-- the rule of the words: at each barrier the lanes of a block whose paths have ended are filled
SELECT place, vote || ', ' || over AS vote, literal, in_document, over, flags, trials, gain AS part, half AS part_half
FROM scheme_pair
WHERE variant = 'regenerate_block_part' AND choice = '' AND over IN ('regenerate_thread', 'regenerate_warp') AND kind <> 'grid'

-- [C05]
-- Persistent thread: extensions of a warp after which all of its paths go on or all have ended, on volumes of constant density.
SELECT place, vote || ', ' || variant AS vote, literal, in_document, variant, thin AS flags, source AS trials, uniform FROM tracked WHERE kind = 'constant'
-- [C05]
-- by how much more than on uneven ones; and the same difference of lanes at work in steps of tracking
SELECT a.label, b.label AS other, a.vote || ', ' || b.vote || ', ' || a.variant AS vote, min(a.literal, b.literal) AS literal, b.in_document, a.variant,
       a.width, a.height, a.device_name, max(a.thin, b.thin) AS flags, a.source || ', ' || b.source AS trials,
       a.uniform - b.uniform AS less, iif(a.variant = 'regenerate_thread', a.tracking - b.tracking, NULL) AS tracking
FROM tracked AS a
JOIN tracked AS b ON b.variant = a.variant AND b.device_name = a.device_name AND b.width = a.width AND b.height = a.height AND b.family = a.family AND
                     b.max_bounces IS a.max_bounces AND b.kind = 'uneven'
WHERE a.kind = 'constant'

-- [C06]
-- Bounding register usage: regeneration with at most 32 registers against without a limit.
SELECT place, vote || ', ' || variant AS vote, literal, in_document, variant, flags, trials, gain, half AS gain_half FROM bounded_pair
-- [C06]
-- of how many cells slower and faster
SELECT count(*) AS cells, width, height, device_name, group_concat(flags, '|') AS flags, group_concat(trials, ', ') AS trials,
       avg(gain + half < 1) AS slower, avg(gain - half > 1) AS faster
FROM bounded_pair
WHERE half NOTNULL
GROUP BY width, height, spp, seed, device_name
HAVING count(*) >= 8
-- [C06]
-- By counters occupancy and waits for each instruction; and by how much more time is waited for memory than is saved of other waits, in warps that
-- wait for each instruction, over all instructions and the warps that are there. Waits for memory are shared among spilled registers, the only local
-- memory of these kernels, and global memory by the sectors that loads of both ask for.
SELECT place, vote || ', ' || variant AS vote, literal, in_document, variant, 'counters' AS source, counters AS trials, occupancy, latency,
       (memory - max(saved, 0)) / all_waits AS net, (spills - max(saved - memory + spills, 0)) / all_waits AS net_spills
FROM (SELECT c.place, c.vote, c.literal, c.in_document, c.variant, b.trial || ', ' || u.trial AS counters, b.occupancy / u.occupancy AS occupancy,
       b.stalls / u.stalls AS latency,
             b.memory_stalls * b.instructions / b.occupancy - u.memory_stalls * u.instructions / u.occupancy AS memory,
             (u.stalls - u.memory_stalls) * u.instructions / u.occupancy - (b.stalls - b.memory_stalls) * b.instructions / b.occupancy AS saved,
             b.memory_stalls * b.local_share * b.instructions / b.occupancy - u.memory_stalls * u.local_share * u.instructions / u.occupancy AS spills,
             u.stalls * u.instructions / u.occupancy AS all_waits
      FROM bounded_pair AS c
      JOIN scheme_counters AS b ON b.setting = c.setting
      JOIN scheme_counters AS u ON u.setting = c.over_setting)
-- [C06]
-- bytes of spilled registers
SELECT c.place, c.vote || ', ' || c.variant AS vote, c.literal, c.in_document, c.variant, 'build' AS source, k.trial AS trials, max(k.spill_bytes) AS spilled
FROM bounded_pair AS c
JOIN built AS k ON k.setting = c.setting
GROUP BY c.setting

-- [C07]
-- Occupancy: of a kernel with 64 registers, on its GPU and on one of today, by arithmetic.
SELECT example, version / 10 AS major, version % 10 AS minor, 1.0 * occupancy_warps(version, 256, 64, 0) / max_warps AS occupancy
FROM compute_capability
WHERE version IN (30, 90)
-- [C07]
-- registers of the kernels here, without a limit
SELECT s.place, s.variant, k.trial AS trials, max(k.registers) AS registers
FROM scheme AS s
JOIN built AS k ON k.setting = s.setting
WHERE s.variant IN ('volume_naive', 'regenerate_thread') AND s.choice = '' AND s.kind <> 'grid'
GROUP BY s.device_name, s.variant

-- [C08]
-- Maximizing register usage: regeneration by thread with fewer blocks to a multiprocessor, with or without more registers, against the usual ones.
SELECT place, vote || ', ' || choice AS vote, literal, in_document, choice, flags, trials, gain AS capped, half AS capped_half FROM capped_pair
-- [C08]
-- on the second best volume
SELECT width, height, device_name, choice, flags, trials, gain AS second, half AS second_half FROM capped_pair WHERE nth = 2
-- [C08]
-- the best choice of registers and block
SELECT place, vote, literal, in_document, count(*) AS choices, flags, trials, max(gain) AS best, half AS best_half
FROM thread_choice
WHERE gain NOTNULL AND (choice GLOB ', registers *' OR choice GLOB ', block *') AND choice NOT GLOB '*lane paths*' AND choice NOT GLOB '*resident*'
GROUP BY scene, width, height, spp, seed, device_name
HAVING count(*) >= 10
-- [C08]
-- with several paths to a lane, waits for earlier instructions, and speed
SELECT e.place, e.vote || ', ' || e.choice AS vote, e.literal, e.in_document, e.choice, 'counters' AS source, a.trial || ', ' || b.trial AS trials,
       a.dependency_stalls / b.dependency_stalls AS waits
FROM thread_choice AS e
JOIN scheme_counters AS a ON a.setting = e.setting
JOIN scheme_counters AS b ON b.setting = e.over_setting
WHERE e.choice GLOB ', lane paths *'
-- [C08]
SELECT place, vote || ', ' || choice AS vote, literal, in_document, choice, flags, trials, gain AS several,
       half AS several_half FROM thread_choice WHERE choice GLOB ', lane paths *'

-- [C09]
-- Compaction: by block in one kernel against over the device in two.
SELECT place, vote, literal, in_document, flags, trials, gain, half AS gain_half
FROM scheme_pair
WHERE variant = 'stream_block' AND choice = '' AND over = 'stream_device' AND kind <> 'grid'
-- [C09]
-- what part of the time between them goes from two kernels that compact by block, as the one does, to the one
SELECT p.place, p.vote, p.literal, p.in_document, 'part of the gain' AS what, p.flags || '|' || l.flags AS flags,
       iif(p.gain - p.half > 1, NULL, 'no_gain') AS excluded,
       p.trials || ', ' || l.trials AS trials, (l.gain - 1) / (p.gain - 1) AS part,
       sqrt(l.half * l.half + pow((l.gain - 1) / (p.gain - 1) * p.half, 2)) / (p.gain - 1) AS part_half
FROM scheme_pair AS p
JOIN scheme_pair AS l ON l.setting = p.setting AND l.over = 'stream_device_local'
WHERE p.variant = 'stream_block' AND p.choice = '' AND p.over = 'stream_device' AND p.kind <> 'grid'

-- [C10]
-- Compaction: streaming in one kernel against regeneration by warp.
SELECT place, vote, literal, in_document, flags, trials, gain, half AS gain_half, iif(kind = 'constant', gain, NULL) AS even, half AS even_half,
       iif(kind = 'uneven', gain, NULL) AS uneven, half AS uneven_half
FROM scheme_pair
WHERE variant = 'stream_block' AND choice = '' AND over = 'regenerate_warp' AND kind <> 'grid'
-- [C10]
-- where it is faster, lanes at work in steps of tracking, which the hardware counts with fewer samples than are timed
WITH pair AS (SELECT * FROM scheme_pair WHERE variant = 'stream_block' AND choice = '' AND over = 'regenerate_warp' AND kind <> 'grid'),
faster AS (
    SELECT scene, device_name, width, height, trials, row_number() OVER (PARTITION BY scene, device_name, width, height ORDER BY gain - half) AS nth
    FROM pair
    WHERE gain - half > 1
)
SELECT p.place, p.vote, p.literal, p.in_document, 'lanes' AS what, p.flags,
       iif(coalesce(p.gain - p.half > 1, f.trials NOTNULL), NULL, 'not_faster') AS excluded,
       coalesce(f.trials || ', ', '') || a.trial || ', ' || b.trial AS trials, a.lanes - b.lanes AS lanes
FROM pair AS p
JOIN tracking AS a ON a.setting = p.setting
JOIN tracking AS b ON b.setting = p.over_setting
LEFT JOIN faster AS f ON f.scene = p.scene AND f.device_name = p.device_name AND f.width = p.width AND f.height = p.height AND f.nth = 1

-- [C11]
-- Data locality: paths sorted in place of compacted: speed, and lines of 128 bytes of a warp's request for albedos.
SELECT p.place, p.vote, p.literal, p.in_document, p.flags, p.trials || coalesce(', ' || c.trials, '') AS trials, p.gain, p.half AS gain_half, c.lines
FROM scheme_pair AS p
LEFT JOIN counted_pair AS c USING (setting, over_setting)
WHERE p.variant = 'stream_sort' AND p.choice = '' AND p.over = 'stream_block' AND p.kind <> 'grid'

-- [C12]
-- Z-sorting: the albedo read behind the sort against before it: speed, and lines of 128 bytes of a warp's request for albedos.
SELECT p.place, p.vote, p.literal, p.in_document, p.flags, p.trials || coalesce(', ' || c.trials, '') AS trials, p.gain, p.half AS gain_half, c.lines
FROM scheme_pair AS p
LEFT JOIN counted_pair AS c USING (setting, over_setting)
WHERE p.variant = 'sort_albedo' AND p.choice = '' AND p.over = 'stream_sort' AND p.kind <> 'grid'

-- [C13]
-- Data locality: one shape in grids of several sizes: speed of sorted paths over compacted ones in the smallest less that in the largest, lines of a
-- warp's request for albedos, read behind the sort, over those of compacted paths.
WITH shape AS (
    SELECT p.*, CAST(substr(p.scene, 6) AS INTEGER) AS size, c.lines, c.trials AS counts
    FROM scheme_pair AS p LEFT JOIN counted_pair AS c USING (setting, over_setting)
    WHERE p.kind = 'grid' AND p.choice = '' AND p.over = 'stream_block'
)
SELECT a.variant, a.width, a.height, a.device_name, a.flags || '|' || b.flags AS flags,
       a.trials || ', ' || b.trials || coalesce(', ' || a.counts || ', ' || b.counts, '') AS trials,
       iif(a.variant = 'stream_sort', a.gain - b.gain, NULL) AS rise, quadrature(a.half, b.half) AS rise_half,
       iif(a.variant = 'sort_albedo', a.lines, NULL) AS small, iif(a.variant = 'sort_albedo', b.lines, NULL) AS large,
       iif(a.variant = 'sort_albedo', b.lines - a.lines, NULL) AS growth
FROM shape AS a
JOIN shape AS b USING (variant, device_name, width, height, spp, seed)
WHERE a.variant IN ('stream_sort', 'sort_albedo') AND a.size = 32 AND b.size = 512
-- [C13]
-- In the published grids, of neighbours among the paths that read albedos behind the sort at least so many read another line than the one before: a
-- warp's lines, less one.
SELECT s.place, 'neighbours' AS what, s.vote, s.literal, s.thin AS flags, s.counted AS trials,
       1.0 * (k.albedo_lines - k.albedo_warps) / nullif(k.collisions - k.albedo_warps, 0) AS apart
FROM scheme AS s
JOIN scheme_counts AS k ON k.trial = s.counted
WHERE s.variant = 'sort_albedo' AND s.choice = '' AND s.stands_for <> ''
-- [C13]
-- Of neighbours in a sort's order the share that is farther apart than a block of voxels of one line reaches: more than half of them, where the median
-- distance is above a line.
SELECT s.place, s.variant || ', distance of neighbours' AS what, s.vote || ', ' || s.variant AS vote, s.literal, s.thin AS flags, s.counted AS trials,
       k.sorted_apart AS far
FROM scheme AS s
JOIN scheme_counts AS k ON k.trial = s.counted
WHERE s.variant IN ('stream_sort', 'sort_albedo') AND s.choice = '' AND s.stands_for <> ''

-- [C14]
-- Image tiling: time in tiles, launched at the same time, over that of the whole image. Tiles in turn stand beside them.
SELECT place, vote || ', ' || variant || ', ' || tiles AS vote, literal, in_document, variant, tiles, flags, in_turn AS excluded, trials, iif(tiles <= 8,
       ratio, NULL) AS few, ratio_half AS few_half, iif(tiles = 4, ratio, NULL) AS at_4,
       ratio_half AS at_4_half, iif(tiles = 64, ratio, NULL) AS many, ratio_half AS many_half
FROM tiled
-- [C14]
-- where that rises, the share of the device's lanes at work over the frame, by its timeline, over that of the whole image
WITH busy AS (
    SELECT t.setting, p.trial, 1.0 * sum(p.warp_cycles) / sum(p.cycles) * sum(p.thread_instructions) / nullif(sum(p.instructions), 0) AS lanes
    FROM timeline_part AS p
    JOIN trial_record AS o ON o.id = p.trial
    JOIN scheme AS t ON t.spec = o.spec
    GROUP BY t.setting
)
SELECT t.place, t.vote || ', ' || t.variant || ', ' || t.tiles AS vote, t.literal, t.in_document, t.variant, t.tiles, 'lanes at work' AS what,
       iif(t.ratio - t.ratio_half > 1.05, t.in_turn, 'not_slower') AS excluded,
       a.trial || ', ' || b.trial AS trials, a.lanes / b.lanes AS busy
FROM tiled AS t
JOIN busy AS a ON a.setting = t.setting
JOIN busy AS b ON b.setting = t.over_setting

-- [C15]
-- Image tiling: of the time that several kernels take longer than one, what goes without loading and storing paths, all extensions of a sample in one
-- launch, less what goes without launches.
SELECT place, vote, literal, in_document, flags, excluded, trials, (2 * seconds - one - several) / (several - one) AS more,
       sqrt(pow(2 * seconds * relative_ci, 2) + pow(one * one_ci, 2) + pow(several * several_ci, 2)) / (several - one) AS more_half
FROM launching
WHERE choice = ', launches one'
-- [C15]
-- by how much a frame with a train of launches beside its own takes longer, of that time: launches of a kernel that does nothing, and of one that loads
-- and stores all paths that live
SELECT place, vote || ', ' || choice AS vote, literal, in_document, choice AS train, flags, excluded, trials, iif(choice = ', step train empty', share,
       NULL) AS empty, half AS empty_half,
       iif(choice = ', step train state', share, NULL) AS state, half AS state_half
FROM (SELECT *, (seconds - several) / (several - one) AS share,
             sqrt(pow(seconds * relative_ci, 2) + pow(several * several_ci, 2)) / (several - one) AS half
      FROM launching
      WHERE choice IN (', step train empty', ', step train state'))

-- [C16]
-- Image tiling: gain of copying a tile while the next one is rendered over waiting for it; and how much longer waiting takes than no copy.
WITH copied AS (
    SELECT * FROM scheme
    WHERE variant = 'regenerate_thread' AND kind <> 'grid' AND tile_streams = 1 AND
          choice = iif(tiles > 1, ', tiles ' || tiles, '') || iif(tile_download <> 'none', ', tile download ' || tile_download, '')
)
SELECT w.place, w.vote || ', ' || w.tiles AS vote, w.literal, w.in_document, w.tiles, iif(o.tile_download = 'none', 'copies', NULL) AS what,
       w.weak || '|' || o.weak AS flags, w.trials || ', ' || o.trials AS trials,
       iif(o.tile_download = 'overlap', w.seconds / o.seconds - 1, NULL) AS gain, w.seconds / o.seconds * quadrature(w.relative_ci,
       o.relative_ci) AS gain_half,
       iif(o.tile_download = 'none', w.seconds / o.seconds - 1, NULL) AS copy, w.seconds / o.seconds * quadrature(w.relative_ci, o.relative_ci) AS copy_half
FROM copied AS w
JOIN copied AS o ON o.work = w.work AND o.device_name = w.device_name AND o.tiles = w.tiles AND o.tile_download <> 'wait'
WHERE w.tile_download = 'wait'

-- [C17]
-- Compaction: warps that a block leaves partly filled in an extension.
SELECT s.place, s.vote || ', ' || s.variant AS vote, s.literal, s.in_document, s.variant AS what, s.thin AS flags, s.counted AS trials,
       k.partial / nullif(k.trips, 0) AS partial
FROM scheme AS s
JOIN scheme_counts AS k ON k.trial = s.counted
WHERE s.variant IN ('stream_block', 'stream_device') AND s.choice = '' AND s.kind <> 'grid'
-- [C17]
-- lanes at work in steps of tracking beyond those of regeneration by thread; where the hardware counted both, that decides, and not the model
SELECT p.place, p.vote, 2 * (a.by_hardware AND b.by_hardware) + p.literal AS literal, p.in_document, 'lanes' AS what, p.thin AS flags,
       a.trial || ', ' || b.trial AS trials, a.lanes - b.lanes AS lanes
FROM scheme_pair AS p
JOIN tracking AS a ON a.setting = p.setting
JOIN tracking AS b ON b.setting = p.over_setting
WHERE p.variant = 'stream_block' AND p.choice = '' AND p.over = 'regenerate_thread' AND p.kind <> 'grid'
-- [C17]
-- streaming's warps in the first extension that tracks, all of whose paths are at their first, against all later ones: lanes at work, lines of 128
-- bytes of a look-up
WITH extension AS (
    SELECT s.place, s.vote, s.literal, s.in_document, s.thin, a.trial, l.bounce > min(l.bounce) OVER (PARTITION BY a.trial) AS later, l.inner_steps AS steps,
       l.inner_live AS live,
           (SELECT sum(b.node_lines) FROM bounce_counts AS b WHERE b.attempt = a.attempt AND b.bounce = l.bounce AND b.launch = l.launch) AS lines
    FROM scheme AS s
    JOIN result AS a ON a.trial = s.counted AND a.collection = 'counts'
    JOIN lockstep AS l ON l.attempt = a.attempt AND l.kind = 0 AND l.inner_steps > 0 AND l.bounce >= 0
    WHERE s.variant = 'stream_block' AND s.choice = '' AND s.kind <> 'grid'
),
part AS (SELECT place, vote, literal, in_document, thin, trial, later, 1.0 * sum(live) / sum(steps) AS lanes,
       1.0 * sum(lines) / sum(steps) AS lines FROM extension GROUP BY trial, later)
SELECT f.place, f.vote, f.literal, f.in_document, 'first extension' AS what, f.thin AS flags, f.trial AS trials, f.lanes / l.lanes AS first_lanes,
       f.lines / nullif(l.lines, 0) AS first_lines
FROM part AS f
JOIN part AS l ON l.trial = f.trial AND l.later
WHERE NOT f.later
-- [C17]
-- warps with paths at several bounces over those of regeneration by thread
SELECT place, vote, literal, in_document, 'mixed warps' AS what, flags, trials, mixed
FROM counted_pair
WHERE variant = 'stream_block' AND choice = '' AND over = 'regenerate_thread' AND kind <> 'grid'

-- [C18]
-- Persistent thread: atomic operations of regeneration by warp beyond one for each 32 paths, over the warps of its launch.
SELECT s.place, s.vote, s.literal, s.in_document, s.counted AS trials,
       1.0 * (s.atomics - (s.paths + s.warp_width - 1) / s.warp_width) / sum(l.grid * ((l.block + a.warp_width - 1) / a.warp_width)) AS beyond
FROM scheme AS s
JOIN result AS a ON a.trial = s.counted AND a.collection = 'counts'
JOIN launch AS l ON l.attempt = a.attempt AND l.repetition = 0 AND NOT l.auxiliary
WHERE s.variant = 'regenerate_warp' AND s.choice = '' AND s.kind <> 'grid'
GROUP BY s.setting

-- [C19]
-- Tables 4.3 and 4.5 on uneven volumes: the fastest scheme against the naive kernel.
SELECT place, vote, literal, in_document, count(*) AS schemes, variant, flags, trials, max(gain) AS best, half AS best_half
FROM uneven_pair
WHERE over = 'volume_naive' AND gain NOTNULL
GROUP BY scene, width, height, spp, seed, device_name
HAVING count(*) = 4
-- [C19]
-- regeneration by warp against every other scheme; against the naive kernel by how much, which the tables print
SELECT place, vote || ', ' || over AS vote, literal, in_document, over, flags, trials, gain AS first, half AS first_half,
       iif(over = 'volume_naive' AND stands_for = 'artifix', gain, NULL) AS on_artifix, half AS on_artifix_half,
       iif(over = 'volume_naive' AND stands_for = 'manix', gain, NULL) AS on_manix, half AS on_manix_half
FROM uneven_pair
WHERE variant = 'regenerate_warp'
-- [C19]
-- the most of each over the thesis's volumes, and beside them over the scans
SELECT count(*) || iif(in_document, ' volumes', ' scans') AS volumes, over || iif(in_document, '', ', scans') AS vote, literal, in_document, width, height,
       device_name, over, group_concat(flags, '|') AS flags, group_concat(trials, ', ') AS trials,
       max(gain) AS on_one, half AS on_one_half
FROM uneven_pair
WHERE variant = 'regenerate_warp' AND gain NOTNULL
GROUP BY over, in_document, width, height, spp, seed, device_name
HAVING count(DISTINCT scene) > 1
-- [C19]
-- streaming in one kernel against the naive kernel
SELECT place, vote, literal, in_document, flags, trials, gain AS streaming,
       half AS streaming_half FROM uneven_pair WHERE variant = 'stream_block' AND over = 'volume_naive'

-- [C20]
-- Image tiling: rays per second in tiles, one launch after the other, against those of one small image with as many samples as give a launch as many
-- paths. Tiles launched at the same time stand beside them: several launches against one.
WITH swept AS (
    SELECT s.*, 1.0 * r.rays / s.spp / s.seconds AS rate, s.width * s.height * s.spp / (s.tiles * s.tiles) AS launched
    FROM scheme AS s JOIN traced AS r ON r.work = s.work
    WHERE variant IN ('volume_naive', 'regenerate_thread', 'stream_block') AND kind <> 'grid' AND
          choice = iif(tiles > 1, ', tiles ' || tiles, '') || iif(tile_streams > 1, ', tile streams ' || tile_streams, '')
)
SELECT t.place, t.vote || ', ' || t.variant || ', ' || t.tiles AS vote, t.literal, t.in_document, t.variant, t.launched, t.tiles,
       iif(t.tile_streams > 1, t.tile_streams, NULL) AS streams, replace(t.weak || '|' || s.weak, 'few_paths', '') AS flags,
       t.trials || ', ' || s.trials || coalesce(', ' || t.counted || ', ' || s.counted, '') AS trials,
       iif(t.tile_streams > 1, NULL, abs(t.rate / s.rate - 1)) AS apart, t.rate / s.rate * quadrature(t.relative_ci, s.relative_ci) AS apart_half,
       iif(t.tile_streams > 1, t.rate / s.rate, NULL) AS together, t.rate / s.rate * quadrature(t.relative_ci, s.relative_ci) AS together_half
FROM swept AS t
JOIN swept AS s ON s.scene = t.scene AND s.variant = t.variant AND s.device_name = t.device_name AND s.launched = t.launched AND s.seed = t.seed AND
                   s.max_bounces IS t.max_bounces AND s.tiles = 1 AND s.width * s.height < t.width * t.height
WHERE t.tiles > 1

-- [C21]
-- Image tiling and several kernels: longest launch of an image in 8x8 tiles over that of the whole image; and of several kernels over that of one, by
-- launches of the same specification as the frames. A row that stands for several launches counts with their mean.
WITH each AS (
    SELECT c.setting, c.trial, max(c.seconds / (1 + c.more)) AS seconds
    FROM clean_launch AS c
    WHERE c.times AND NOT c.auxiliary
    GROUP BY c.setting, c.trial, c.attempt, c.repetition
),
longest AS (
    SELECT * FROM (SELECT max(iif(t.replicate = 0, t.spec, NULL)) AS spec, avg(e.seconds) AS seconds, group_concat(DISTINCT e.trial) AS trials,
                          row_number() OVER (PARTITION BY max(iif(t.replicate = 0, t.spec, NULL)) ORDER BY max(t.last_run) DESC, max(t.id) DESC) AS nth
                   FROM each AS e JOIN trial_record AS t ON t.id = e.trial
                   GROUP BY e.setting)
    WHERE nth = 1
)
SELECT p.place, p.vote || ', ' || p.variant AS vote, p.literal, p.in_document, p.variant, replace(a.trials || ',' || b.trials, ',', ', ') AS trials,
       iif(p.tiles = 8, a.seconds / b.seconds, NULL) AS tile,
       iif(p.variant = 'volume_steps', a.seconds / b.seconds, NULL) AS step
FROM scheme_pair AS p
JOIN scheme AS s ON s.setting = p.setting
JOIN scheme AS o ON o.setting = p.over_setting
JOIN longest AS a ON a.spec = s.spec
JOIN longest AS b ON b.spec = o.spec
WHERE p.kind <> 'grid' AND (p.over = p.variant AND p.choice = ', tiles 8' OR p.variant = 'volume_steps' AND p.over = 'volume_naive' AND p.choice = '')
-- [C21]
-- memory of the device for the film of a tile: over that of its pixels, and over that of the image
SELECT s.place, s.vote || ', ' || s.variant || ', ' || s.tiles AS vote, s.literal, s.in_document, s.variant, s.tiles, s.counted AS trials,
       sum(b.film_bytes) / (24.0 * ((s.width - 1) / s.tiles + 1) * ((s.height - 1) / s.tiles + 1)) AS film,
       sum(b.film_bytes) / (24.0 * s.width * s.height) AS of_image
FROM scheme AS s
JOIN result AS a ON a.trial = s.counted AND a.collection = 'counts'
JOIN bounce_counts AS b ON b.attempt = a.attempt AND b.bounce < 0
WHERE s.kind <> 'grid' AND s.choice = ', tiles ' || s.tiles || ', tile film'
GROUP BY a.attempt
HAVING sum(b.film_bytes) > 0

-- [C22]
-- Maximizing utilization: lanes with a path, of those of warps that have any, in the naive kernel and with regeneration by thread.
SELECT place, vote, literal, in_document, thin AS flags, counted || ', ' || over_counted AS trials, over_lanes AS naive, lanes AS regenerated,
       lanes - over_lanes AS more
FROM scheme_pair
WHERE variant = 'regenerate_thread' AND choice = '' AND over = 'volume_naive' AND kind <> 'grid' AND lanes NOTNULL AND over_lanes NOTNULL
-- [C22]
-- the gain in speed over the gain in that
SELECT place, vote, literal, in_document, 'speed' AS what, flags, coalesce(counted || ', ' || over_counted || ', ', '') || trials AS trials,
       gain / (lanes / over_lanes) AS explained, half / (lanes / over_lanes) AS explained_half
FROM scheme_pair
WHERE variant = 'regenerate_thread' AND choice = '' AND over = 'volume_naive' AND kind <> 'grid' AND gain * lanes / over_lanes NOTNULL
