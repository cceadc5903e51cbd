-- SPDX-License-Identifier: MIT
-- Wald 2011: the query of each claim, under its id; views that they share are those of common.sql.

-- [C01]
-- abstract and Table 1: speedup of whole-frame compaction over naive, on the stand-ins of the paper's scenes; the same with
-- the noise for its interval; and the share of the saved warps' time that becomes saved time, where 1.5 times fewer are left. In the size at
-- which most scenes fill the device.
SELECT p.place, p.vote,
       sum(p.in_document AND NOT p.fitted AND instr(p.both_words, 'underfilled') = 0) OVER (PARTITION BY p.width, p.height) + 0.5 * p.literal AS literal,
       p.in_document, p.both_words AS flags, iif(p.ratio NOTNULL, p.width, NULL) AS wide,
       p.pair_trials || coalesce(', ' || c.both_trials, '') AS trials, p.ratio AS speedup, p.half AS speedup_half,
       p.ratio AS faster, p.noise AS faster_half, iif(c.saved >= 1.5, 100 * (1 - 1 / p.ratio) / (1 - 1 / c.saved), NULL) AS realised,
       100 * p.half / pow(p.ratio, 2) / (1 - 1 / c.saved) AS realised_half
FROM pair AS p
LEFT JOIN counted_pair AS c ON c.work = p.work
WHERE p.variant = 'whole_frame' AND p.other = 'naive' AND p.max_bounces = 8 AND p.unthrottled AND p.place_in_paper < 99
ORDER BY p.width * p.height, p.place_in_paper, p.place
-- [C01]
-- at the paper's size, where that does not fill the device: beside the verdict, and not excluded
SELECT place || ', the paper''s size' AS place, vote, literal, in_document, replace(both_words, 'underfilled', '') AS flags, pair_trials AS trials,
       ratio AS own, noise AS own_half
FROM pair
WHERE variant = 'whole_frame' AND other = 'naive' AND max_bounces = 8 AND unthrottled AND place_in_paper < 99 AND literal AND
      instr(both_words, 'underfilled')
ORDER BY place_in_paper, place

-- [C02]
-- Table 2: warps saved over all bounces, as printed (bounce 8 as it must read, 18,651 warps).
SELECT 'fairy, Table 2' AS place, 32.0 * sum(naive_warps) / sum(active_paths) AS printed FROM published_table2
-- [C02]
-- and on open stand-ins
SELECT place, vote, literal, in_document, words AS flags, both_trials AS trials, iif(stands_for = 'fairy', NULL, saved) AS saved,
       iif(stands_for = 'fairy', saved, NULL) AS fairy
FROM counted_pair
WHERE max_bounces = 8 AND open AND other IS NOT NULL AND (in_document OR once)
ORDER BY width * height, place_in_paper, place

-- [C03]
-- Table 3 and 4.2.4: time of a warp, compaction on / off: at bounce 8; of all bounces from 2 on the least, and the farthest from 1; and the least
-- of those at which 6 paths or fewer live in a warp without it. Of bounces that fill the device, where any do; in the size at which most
-- scenes do, of bounce 8 and of the others.
WITH later AS (
    SELECT *, off_paths <= 6 AS few, row_number() OVER (PARTITION BY work, device_name, off_paths <= 6 ORDER BY ratio) AS nth,
           max(abs(ratio - 1)) OVER warps AS farthest, ratio = min(ratio) OVER warps AS is_least, min(bounce) OVER warps AS first,
           max(bounce) OVER warps AS final
    FROM on_off WHERE bounce >= 2 AND counts
    WINDOW warps AS (PARTITION BY work, device_name)
)
SELECT printf('%s, bounce %d', place, bounce) AS place, vote,
       sum(in_document AND NOT fitted AND instr(both_words, 'bounce_idle') = 0) OVER (PARTITION BY width, height) + 0.5 * literal AS literal,
       in_document, both_words AS flags, both_trials AS trials, ratio AS last, half AS last_half, iif(ratio NOTNULL, width, NULL) AS wide,
       NULL AS least, NULL AS least_half, NULL AS farthest, NULL AS sparse, NULL AS sparse_half, NULL AS later_wide
FROM on_off WHERE bounce = 8
UNION ALL
SELECT printf('%s, bounces %d to %d, %s 6 paths', place, first, final, iif(few, 'at most', 'more than')), vote,
       sum(is_least AND in_document AND NOT fitted AND instr(both_words, 'bounce_idle') = 0) OVER (PARTITION BY width, height) + 0.5 * literal,
       in_document, both_words, both_trials, NULL, NULL, NULL, iif(is_least, ratio, NULL), half, iif(is_least, farthest, NULL),
       iif(few, ratio, NULL), half, iif(is_least AND ratio NOTNULL, width, NULL)
FROM later
WHERE nth = 1 AND (is_least OR few)
ORDER BY 1

-- [C04]
-- Table 1, 4 and 4.1: slowdown of the tiled kernel with shared memory as it was launched, at M = 4, and beside the slowest of the others. In
-- the size at which most scenes fill the device.
WITH slowest AS (
    SELECT setting, max(ratio) AS ratio, half FROM pair
    WHERE variant = 'tiled_shared' AND (other IN ('naive', 'whole_frame') OR other = 'tiled_global' AND other_m = tile_m)
    GROUP BY setting
)
SELECT t.name AS place, t.vote, t.degree AS literal, t.in_document, t.both_words AS flags, t.pair_trials AS trials, t.slowdown, t.slowdown_half,
       iif(t.slowdown NOTNULL, t.width, NULL) AS wide, 1 / s.ratio AS behind,
       s.half / pow(s.ratio, 2) AS behind_half, iif(t.best, t.slowdown, NULL) AS best, iif(t.best, t.slowdown_half, NULL) AS best_half,
       iif(t.quarter, t.slowdown, NULL) AS held, iif(t.quarter, t.slowdown_half, NULL) AS held_half,
       iif(t.quarter, t.held / t.other_held, NULL) AS occupancy
FROM tile_slowdown AS t LEFT JOIN slowest AS s ON s.setting = t.setting
WHERE t.launched
ORDER BY t.width * t.height, t.place_in_paper, t.name
-- [C04]
-- at its fastest M; and held to a quarter of naive's warps
SELECT name AS place, vote, degree AS literal, in_document, both_words AS flags, pair_trials AS trials, iif(best, slowdown, NULL) AS best,
       slowdown_half AS best_half,
       iif(quarter, slowdown, NULL) AS held, slowdown_half AS held_half, iif(quarter, held / other_held, NULL) AS occupancy
FROM tile_slowdown
WHERE (best OR quarter) AND NOT launched
ORDER BY NOT best, width * height, place_in_paper, name
-- [C04]
-- what Table 1 prints
SELECT scene || ', Table 1' AS place, naive / tiled_shared AS printed FROM published_table1 ORDER BY scene

-- [C05]
-- 4.1 and Figure 2: occupancy of 64 lanes with 64 registers by the limits of compute capability 2.0, less the printed one.
SELECT iif(tile_m = 0, 'no shared memory', printf('M = %d, %g KB', tile_m, shared)) AS place, '' AS excluded, '' AS flags,
       abs(100 * occupancy(20, 64, 64, CAST(1024 * shared AS INTEGER)) - occupancy) AS difference
FROM published_figure2_right
ORDER BY CAST(tile_m AS INTEGER)

-- [C06]
-- 4.1, 4.2 and 5: the drop in occupancy that shared memory causes at M = 4 by the limits of compute capability 2.0.
SELECT 'compute capability 2.0' AS place, occupancy(20, 64, 64, 0) / occupancy(20, 64, 64, 24576) AS dropped
-- [C06]
-- the slowdown of tiled_shared over its own drop; the others' occupancy, at M up to 8 as in the paper; and tiled_global held to as few warps (same
-- tile, same L1)
WITH compared AS (
    SELECT *, variant = 'tiled_shared' AND tile_m = 4 AND other = 'naive' AND unthrottled AND place_in_paper < 99 AS tiled,
           other = 'tiled_shared' AND other_m = tile_m AND other_carveout IS carveout AND NOT unthrottled AS throttled,
           variant <> 'tiled_shared' AND other = 'naive' AND unthrottled AND held IS NOT NULL AND coalesce(tile_m, 1) <= 8 AS alike
    FROM pair
    WHERE variant IN ('tiled_shared', 'whole_frame', 'tiled_global') AND max_bounces = 8
)
SELECT place || iif(alike, ', ' || variant, '') || coalesce(', M ' || tile_m, '') ||
           iif(throttled, ', ' || iif(shared_pad > 0, shared_pad || ' unused bytes', coalesce('at most ' || resident_blocks || ' blocks', '')), '')
           AS place,
       iif(alike, '', vote) AS vote, literal, in_document, iif(throttled AND held <> other_held, 'other_occupancy|',
       '') || iif(NOT alike, both_words, iif(fitted, 'fitted', '')) AS flags, pair_trials AS trials,
       iif(tiled, held / other_held / ratio, NULL) AS slower, held / other_held * half / pow(ratio, 2) AS slower_half,
       iif(alike, held - other_held, NULL) AS apart, iif(throttled, ratio, NULL) AS speed, half AS speed_half
FROM compared
WHERE tiled OR alike OR variant = 'tiled_global' AND throttled
ORDER BY width * height, 1

-- [C07]
-- 4: speed of the tiled kernel with global memory at M = 8 over that of whole-frame compaction, and whether both are on
-- one side of naive (1), on two (-1), or within the noise of it (0).
SELECT g.place || ', M 8' AS place, g.vote, g.literal, g.in_document, g.both_words AS flags, g.pair_trials AS trials, g.ratio AS speed, g.half AS speed_half,
       (abs(g.speedup - 1) > t.noise) * (abs(w.ratio - 1) > w.noise) * sign(g.speedup - 1) * sign(w.ratio - 1) AS side
FROM pair AS g
LEFT JOIN pair AS t ON t.setting = g.setting AND t.other = 'naive'
LEFT JOIN pair AS w ON w.work = g.work AND w.device_name = g.device_name AND w.variant = 'whole_frame' AND w.other = 'naive' AND w.unthrottled
WHERE g.variant = 'tiled_global' AND g.other = 'whole_frame' AND g.tile_m = 8 AND g.max_bounces = 8 AND g.unthrottled AND g.place_in_paper < 99
ORDER BY g.width * g.height, g.place_in_paper, g.place

-- [C08]
-- 4: of the three relations between whole_frame, tiled_shared and naive, how many are the opposite at another bounce limit of what they are at 8,
-- beyond the noise; and how far the speedups at 2 bounces are from those at 8.
WITH picture AS (
    SELECT w.*, (abs(w.ratio - 1) > w.noise) * sign(w.ratio - 1) AS gain, (abs(t.ratio - 1) > t.noise) * sign(t.ratio - 1) AS tile_naive,
           (abs(x.ratio - 1) > x.noise) * sign(x.ratio - 1) AS tile_whole, t.pair_trials AS tile_trials
    FROM pair AS w
    LEFT JOIN pair AS t ON t.work = w.work AND t.device_name = w.device_name AND t.variant = 'tiled_shared' AND t.tile_m = 4 AND
                           t.unthrottled AND t.other = 'naive'
    LEFT JOIN pair AS x ON x.setting = t.setting AND x.other = 'whole_frame'
    WHERE w.variant = 'whole_frame' AND w.other = 'naive' AND w.unthrottled AND w.place_in_paper < 99
),
limits AS (
    SELECT o.*, e.both_words || '|' || o.both_words AS all_words, abs(e.ratio - o.ratio) AS apart, quadrature(e.half, o.half) AS apart_half,
           e.pair_trials || ', ' || o.pair_trials || coalesce(', ' || o.tile_trials, '') AS all_trials,
           (o.gain * e.gain < 0) + (o.tile_naive * e.tile_naive < 0) + (o.tile_whole * e.tile_whole < 0) AS opposite
    FROM picture AS o
    JOIN picture AS e ON e.scene = o.scene AND e.width = o.width AND e.height = o.height AND e.device_name = o.device_name AND e.max_bounces = 8
    WHERE o.max_bounces IN (2, 3, 4, 6, 16)
)
SELECT place, vote || iif(max_bounces = 2, '', ', limit ' || max_bounces) AS vote, literal, in_document, all_words AS flags, all_trials AS trials,
       iif(max_bounces = 2, opposite, NULL) AS two, iif(max_bounces = 2, NULL, opposite) AS others,
       iif(max_bounces = 2, apart, NULL) AS apart, apart_half
FROM limits
ORDER BY width * height, place_in_paper, place
-- [C08]
-- the same of the warps saved
SELECT e.place, e.vote, e.literal, e.in_document, e.words AS flags, e.both_trials || ', ' || t.both_trials AS trials, abs(e.saved - t.saved) AS saved
FROM counted_pair AS e
JOIN counted_pair AS t ON t.scene = e.scene AND t.width = e.width AND t.height = e.height AND t.max_bounces = 2
WHERE e.max_bounces = 8 AND e.place_in_paper < 99 AND e.saved + t.saved IS NOT NULL
ORDER BY e.width * e.height, e.place_in_paper, e.place

-- [C09]
-- 4.2.1: largest difference in the active paths of a bounce between naive and whole_frame, and between all variants; active
-- warps of whole_frame over those of naive, where paths die, at the limit nearest to 8; and how many images there are beyond one. Per scene and size,
-- over all bounce limits, tiles, blocks and lane maps. Of a scene a size at which anything differs counts before all others.
WITH done AS MATERIALIZED (
    SELECT s.work, s.variant, s.variant IN ('naive', 'whole_frame') AS both, r.trial, r.attempt, r.collection, r.image, r.counts_digest
    FROM setup AS s
    JOIN trial_record AS t ON t.setting = s.setting
    JOIN result AS r ON r.trial = t.id
    WHERE s.variant IN ('naive', 'whole_frame', 'whole_frame_off', 'tiled_global', 'tiled_shared') AND
          coalesce(t.tree, '') <> 'optix' -- which the device traverses by itself: hits differ in their last bits
),
part AS MATERIALIZED (              -- alike: all counts have one digest, which covers active paths
    SELECT work, count(*) AS attempts, sum(both) AS both_attempts, count(DISTINCT variant) AS variants,
           count(DISTINCT iif(both, variant, NULL)) AS both_variants, group_concat(trial, ', ') AS trials,
           min(counts_digest) = max(counts_digest) AND count(counts_digest) = count(*) AS alike
    FROM done WHERE collection = 'counts' GROUP BY work
),
written AS (                        -- of others an attempt's counts as one text: where all of a work are equal, nothing differs
    SELECT d.work, (SELECT group_concat(b.bounce || ' ' || b.active_paths) FROM bounce_counts AS b
                    WHERE b.attempt = d.attempt AND b.bounce >= 0) AS counts
    FROM done AS d
    WHERE d.collection = 'counts' AND d.work IN (SELECT work FROM part WHERE variants > 1 AND NOT alike)
),
text AS MATERIALIZED (
    SELECT work, 1 AS equal FROM part WHERE variants > 1 AND alike
    UNION ALL
    SELECT work, count(DISTINCT counts) = 1 AND count(counts) = count(*) AS equal FROM written GROUP BY work
),
paths AS (
    SELECT d.work, d.both, b.bounce, sum(b.active_paths) AS paths
    FROM done AS d CROSS JOIN bounce_counts AS b ON b.attempt = d.attempt AND b.bounce >= 0
    WHERE d.collection = 'counts' AND d.work IN (SELECT work FROM text WHERE NOT equal)
    GROUP BY b.attempt, b.bounce
),
step AS (                           -- no row: no path
    SELECT p.work, max(p.paths) - iif(count(*) < w.attempts, 0, min(p.paths)) AS difference,
           max(iif(p.both, p.paths, NULL)) - iif(sum(p.both) < w.both_attempts, 0, min(iif(p.both, p.paths, NULL))) AS both_difference
    FROM paths AS p JOIN part AS w ON w.work = p.work
    GROUP BY p.work, p.bounce
),
furthest AS (
    SELECT work, 0 AS difference, 0 AS both_difference FROM text WHERE equal
    UNION ALL
    SELECT work, max(difference), max(both_difference) FROM step GROUP BY work
),
image AS (
    SELECT work, count(DISTINCT variant) AS variants, count(DISTINCT image) - 1 AS more FROM done WHERE image IS NOT NULL GROUP BY work
),
named AS (
    SELECT s.work, s.label, s.width, s.height, min(s.place_in_paper) AS place_in_paper, max(c.both_warps) AS warps,
           rank() OVER (PARTITION BY s.label, s.width, s.height ORDER BY max(c.both_warps) IS NULL, abs(s.max_bounces - 8)) AS nearest
    FROM setup AS s
    LEFT JOIN (SELECT n.work, max(iif(n.last_paths BETWEEN 1 AND n.first_paths - 1, 1.0 * w.warps / n.warps, NULL)) AS both_warps
               FROM counted_case AS n JOIN counted_case AS w ON w.work = n.work AND w.variant = 'whole_frame' AND w.counts_as
               WHERE n.variant = 'naive' AND n.counts_as GROUP BY n.work) AS c ON c.work = s.work
    GROUP BY s.work
)
SELECT printf('%s, %dx%d', n.label, n.width, n.height) AS place, n.label AS vote,
       max(coalesce(p.variants > 1 AND f.difference > 0, 0) OR coalesce(i.variants > 1 AND i.more > 0, 0)) +
           0.5 * (n.width = 1280 AND n.height = 768) AS literal, group_concat(p.trials, ', ') AS trials,
       max(iif(p.both_variants > 1, f.both_difference, NULL)) AS difference, max(iif(n.nearest = 1, n.warps, NULL)) AS warps,
       max(iif(p.variants > 1, f.difference, NULL)) AS tiled, max(iif(i.variants > 1, i.more, NULL)) AS images
FROM named AS n
LEFT JOIN part AS p ON p.work = n.work
LEFT JOIN furthest AS f ON f.work = n.work
JOIN image AS i ON i.work = n.work
GROUP BY n.label, n.width, n.height
HAVING max(p.variants) > 1 OR max(i.variants) > 1 -- of one variant alone nothing can differ
ORDER BY n.width * n.height, min(n.place_in_paper), 1

-- [C10]
-- 4.2.1 and Table 2: share of naive's warps that are active at bounce 8, where between 16 and 24 times fewer paths are; the
-- same at the bounce where they first are 16 times fewer; and both falls as logarithms. Of open scenes whose camera rays all hit.
WITH bounce AS (
    SELECT n.*, b.bounce, sum(b.active_paths) AS live, sum(b.active_warps) AS live_warps
    FROM counted_pair AS n
    CROSS JOIN result AS r ON r.trial = n.counted AND r.collection = 'counts'
    CROSS JOIN bounce_counts AS b ON b.attempt = r.attempt AND b.bounce >= 0
    WHERE n.max_bounces = 8 AND n.open
    GROUP BY n.counted, b.bounce
),
hit AS (
    SELECT counted, min(iif(first_paths > 16 * live, bounce, NULL)) AS fallen FROM bounce GROUP BY counted
    HAVING max(iif(bounce = 1, live, NULL)) >= 0.99 * max(first_paths)
)
SELECT b.place || iif(b.bounce = 8, '', printf(', bounce %d', b.bounce)) AS place, b.vote, b.literal, b.in_document, b.words AS flags, b.counted AS trials,
       iif(b.bounce = 8 AND b.first_paths > 16 * b.live AND (b.first_paths <= 24 * b.live OR b.live_warps > 0.5 * b.first_warps),
           100.0 * b.live_warps / b.first_warps, NULL) AS share,
       iif(b.bounce = h.fallen, 100.0 * b.live_warps / b.first_warps, NULL) AS share_then,
       iif(b.bounce = 8, ln(1.0 * b.first_warps / b.live_warps) / ln(1.0 * b.first_paths / b.live), NULL) AS exponent
FROM bounce AS b JOIN hit AS h ON h.counted = b.counted
WHERE b.bounce = 8 OR b.bounce = h.fallen
ORDER BY b.width * b.height, b.place_in_paper, place

-- [C11]
-- 4.2.1: utilisation of naive over all bounces, and at bounce 8, on open scenes; and that on the stand-in for fairy by itself.
SELECT place, vote, literal, in_document, words AS flags, counted AS trials, 100.0 * paths / (warp_width * warps) AS total,
       100.0 * last_paths / nullif(warp_width * last_warps, 0) AS last,
       iif(stands_for = 'fairy', 100.0 * paths / (warp_width * warps), NULL) AS fairy_total,
       iif(stands_for = 'fairy', 100.0 * last_paths / nullif(warp_width * last_warps, 0), NULL) AS fairy_last
FROM counted_pair
WHERE max_bounces = 8 AND open AND (in_document OR once)
ORDER BY width * height, place_in_paper, place

-- [C12]
-- 3.4: most active warps of a launch of whole_frame beyond those that its paths would fill. The printed kernel's 8x8 map
-- stands beside the linear one.
SELECT f.place || ', lane map ' || f.lane_map AS place, iif(f.lane_map = 'linear', '', 'printed_map') AS flags,
       group_concat(DISTINCT f.counted) AS trials, max(b.active_warps - b.active_paths / f.warp_width) AS beyond
FROM counted_case AS f
JOIN result AS r ON r.trial = f.counted AND r.collection = 'counts'
CROSS JOIN bounce_counts AS b ON b.attempt = r.attempt AND b.bounce >= 0
WHERE f.variant = 'whole_frame'
GROUP BY f.work, f.lane_map
ORDER BY f.lane_map = 'linear' DESC, f.width * f.height, f.place_in_paper, place

-- [C13]
-- 4.2.2: share of compaction in a frame of whole_frame: of its kernels, and with all waiting between launches. Intervals are
-- from the shares of the replicates.
WITH chosen AS MATERIALIZED (       -- one setting of each scene, size and device
    SELECT *
    FROM (SELECT f.*, p.times, p.replicates, 100 * p.compaction_share AS share, 100 * p.auxiliary_seconds / p.parts_seconds AS kernels,
                 w.reason, x.underfilled,
                 row_number() OVER (PARTITION BY f.work, f.device_name ORDER BY p.times IS NOT 1, f.newest DESC) AS nth
          FROM faithful AS f
          JOIN state AS w ON w.setting = f.setting AND w.collection = 'launches' AND NOT w.outdated
          LEFT JOIN frame_parts AS p ON p.setting = f.setting
          LEFT JOIN frame_waves AS x ON x.setting = f.setting
          WHERE f.variant = 'whole_frame' AND f.times_as AND f.unthrottled AND f.max_bounces = 8)
    WHERE nth = 1
),
taken AS MATERIALIZED (
    SELECT c.setting, a.attempt, (SELECT sum(gap_seconds) FROM repetition AS r WHERE r.attempt = a.attempt) AS gaps
    FROM chosen AS c
    CROSS JOIN trial_record AS t ON t.setting = c.setting
    CROSS JOIN result AS a ON a.trial = t.id AND a.collection = 'launches'
),
one AS (                            -- as the view timed_launch, which makes the launches of all attempts before any is chosen
    SELECT t.*, l.auxiliary, l.seconds FROM taken AS t CROSS JOIN launch AS l ON l.attempt = t.attempt
    UNION ALL
    SELECT t.*, l.auxiliary, x.nanoseconds / 1e9
    FROM taken AS t
    CROSS JOIN launch_time AS x ON x.attempt = t.attempt
    CROSS JOIN launch AS l ON l.attempt = x.attempt AND l.repetition = 0 AND l.number = x.number
),
replicate AS MATERIALIZED (
    SELECT setting, sum(iif(auxiliary, seconds, 0)) / (sum(seconds) + gaps) AS kernels,
           (sum(iif(auxiliary, seconds, 0)) + gaps) / (sum(seconds) + gaps) AS share
    FROM one GROUP BY attempt
),
spread AS (                         -- the square of a mean's standard error, in terms of it
    SELECT setting, count(*) - 1 AS degrees, max(avg(kernels * kernels) / pow(avg(kernels), 2) - 1, 0) / (count(*) - 1) AS kernels,
           max(avg(share * share) / pow(avg(share), 2) - 1, 0) / (count(*) - 1) AS share
    FROM replicate GROUP BY setting
),
half AS (                           -- of its interval
    SELECT setting, sqrt(kernels) * t AS kernels, sqrt(share) * t AS share
    FROM (SELECT *, (SELECT t FROM student_t AS x WHERE x.degrees <= s.degrees ORDER BY x.degrees DESC LIMIT 1) AS t FROM spread AS s)
)
SELECT place || ', ' || device_name AS place, vote, literal, in_document, trials,
       iif(fitted, 'fitted|', '') || iif(underfilled, 'underfilled|', '') ||
           CASE WHEN times IS NULL THEN reason WHEN NOT times THEN 'untimed' ELSE iif(replicates < 5, 'few_replicates', '') END AS flags,
       iif(times, c.kernels, NULL) AS kernels, iif(times, c.kernels * s.kernels, NULL) AS kernels_half,
       iif(times, c.share, NULL) AS share, iif(times, c.share * s.share, NULL) AS share_half
FROM chosen AS c LEFT JOIN half AS s ON s.setting = c.setting
ORDER BY width * height, place_in_paper, place

-- [C14]
-- 4.2.3: overhead of whole_frame_off over naive at each bounce limit.
SELECT printf('%s, limit %d', place, max_bounces) AS place, vote || ', limit ' || max_bounces AS vote, literal, in_document, both_words AS flags,
       pair_trials AS trials, overhead, error AS overhead_half, iif(overhead NOTNULL, width, NULL) AS wide
FROM off_overhead
ORDER BY width * height, 1
-- [C14]
-- the same of frames at least 5120 pixels wide
SELECT printf('%s, limit %d, large', place, max_bounces) AS place, printf('%s, limit %d, %d', vote, max_bounces, width) AS vote, in_document,
       both_words AS flags, pair_trials AS trials, overhead AS larger, error AS larger_half
FROM off_overhead
WHERE width >= 5120
ORDER BY width * height, 1
-- [C14]
-- between which values it varies with the limit, of those that fill the device, where any do
SELECT printf('%s, %dx%d, limits %s, %s', label, width, height, group_concat(max_bounces, ', '), device_name) AS place,
       vote, literal, in_document, group_concat(both_words, '|') AS flags, group_concat(pair_trials, ', ') AS trials, max(overhead) - min(overhead) AS span,
       sqrt(2) * max(error) AS span_half
FROM (SELECT * FROM off_overhead WHERE idle = any_idle ORDER BY max_bounces)
GROUP BY scene, device_name, width, height
HAVING count(overhead) > 1
ORDER BY width * height, 1

-- [C15]
-- 4.2.4 and Table 3, compaction off: rank correlation of the time of a warp with the paths that live in it, bounces 1 to 8;
-- and its time at bounce 8 over that at bounce 1.
WITH ranked AS (
    SELECT *, rank() OVER (PARTITION BY work, device_name ORDER BY time) -
              rank() OVER (PARTITION BY work, device_name ORDER BY paths_per_warp) AS distance
    FROM bounce_case WHERE compaction = 'off' AND bounce BETWEEN 1 AND 8 AND time IS NOT NULL
)
SELECT r.place, r.vote,
       sum(r.in_document AND NOT r.fitted AND instr(r.both_words, 'bounce_idle') = 0) OVER (PARTITION BY r.width, r.height) + 0.5 * r.literal AS literal,
       r.in_document, r.both_words AS flags, r.trials, r.ratio, r.half AS ratio_half,
       (SELECT 1 - 6.0 * sum(pow(distance, 2)) / (8 * 63) FROM ranked AS k WHERE k.work = r.work AND k.device_name = r.device_name) AS correlation
FROM rise AS r
WHERE r.compaction = 'off' AND r.bounce = 8 AND r.base = 1
ORDER BY r.width * r.height, r.place

-- [C16]
-- 4.2.4 and Table 3, compaction on: in how many steps from bounce 1 to 8 the time of a warp falls by more than its interval;
-- bounce 8 over bounce 1; the largest over the smallest from bounce 2 on; and what an empty launch leaves of the rise. In the widest frames that
-- fill the device.
SELECT e.place, e.vote, e.width AS literal, e.in_document, (SELECT group_concat(s.words, '|') FROM bounce_case AS s
                 WHERE s.work = e.work AND s.device_name = e.device_name AND s.compaction = 'on') AS flags,
       e.trials, e.ratio AS rise, e.half AS rise_half, 100 * e.more_alone / e.more AS remains, iif(e.ratio NOTNULL, e.width, NULL) AS wide,
       (SELECT sum(s.ratio + s.half < 1) FROM rise AS s
        WHERE s.work = e.work AND s.device_name = e.device_name AND s.compaction = 'on' AND s.base >= 1 AND s.bounce = s.base + 1) AS falls,
       (SELECT max(s.ratio) FROM rise AS s
        WHERE s.work = e.work AND s.device_name = e.device_name AND s.compaction = 'on' AND min(s.base, s.bounce) >= 2) AS range
FROM rise AS e
WHERE e.compaction = 'on' AND e.bounce = 8 AND e.base = 1
ORDER BY e.width * e.height, e.place

-- [C17]
-- 4.2.4: time of a warp at bounce 1 over that at bounce 0, compaction on; and on over off at both. Of views whose camera rays
-- all hit: of a hundred at most one is lost. coherence: by how many percent the lanes at work in the traversal are fewer, or a request has more
-- sectors, at bounce 1 than at bounce 0, whichever is more; where one alone was counted it has to be enough.
WITH traced AS (                    -- of each specification the newest trial with counters
    SELECT t.spec, t.id, l.bounce, sum(w.weight * c.thread_instructions) / sum(w.weight * c.instructions) AS lanes,
           (SELECT max(k.value) FROM counter AS k WHERE k.attempt = a.id AND k.launch = l.number AND k.metric = 'sectors_per_request') AS sectors,
           dense_rank() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM trial_record AS t
    JOIN done_attempt AS a ON a.trial = t.id AND a.collection = 'counters'
    JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.bounce <= 1 AND NOT l.auxiliary
    JOIN site_count AS c ON c.attempt = a.id AND c.launch = l.number
    JOIN step_weight AS w ON w.step = CASE c.site WHEN 1 THEN 'inner' WHEN 2 THEN 'triangle' END
    WHERE t.variant = 'whole_frame' AND (:run = '' OR t.id IN (SELECT trial FROM asked))
    GROUP BY a.id, l.number
),
coherent AS (
    SELECT b.spec, b.id, 100 * (1 - e.lanes / b.lanes) AS fewer, 100 * (e.sectors / b.sectors - 1) AS more
    FROM traced AS b
    JOIN traced AS e ON e.spec = b.spec AND e.nth = 1 AND e.bounce = 1
    WHERE b.nth = 1 AND b.bounce = 0
)
SELECT r.place, r.vote, r.literal, r.in_document,
       r.both_words || '|' || z.both_words || '|' || o.both_words || iif(o.active_paths < 0.99 * z.active_paths, '|rays_miss', '') AS flags,
       z.both_trials || coalesce(', ' || k.id, '') AS trials,
       iif(k.fewer >= 5 OR k.more NOTNULL, max(k.fewer, coalesce(k.more, k.fewer)), NULL) AS coherence, NULL AS coherence_half,
       r.ratio AS rise, r.half AS rise_half, z.ratio AS same_0, z.half AS same_0_half, o.ratio AS same_1, o.half AS same_1_half
FROM rise AS r
JOIN on_off AS z ON z.work = r.work AND z.device_name = r.device_name AND z.bounce = 0
JOIN on_off AS o ON o.work = r.work AND o.device_name = r.device_name AND o.bounce = 1
LEFT JOIN coherent AS k ON k.spec = r.spec
WHERE r.compaction = 'on' AND r.bounce = 1 AND r.base = 0
ORDER BY r.width * r.height, r.place

-- [C18]
-- 4.2.4, compaction on: rise of the time of a warp from bounce 2 to 8, with more pixels over with fewer.
SELECT printf('%s over %dx%d', l.place, s.width, s.height) AS place, l.vote, l.in_document, l.both_words || '|' || s.both_words AS flags,
       l.trials || ', ' || s.trials AS trials,
       l.ratio / s.ratio AS ratio, l.ratio / s.ratio * quadrature(l.half / l.ratio, s.half / s.ratio) AS ratio_half
FROM rise AS s
CROSS JOIN rise AS l USING (scene, device_name, compaction, bounce, base)
WHERE s.compaction = 'on' AND s.bounce = 8 AND s.base = 2 AND s.width * s.height < l.width * l.height
ORDER BY s.width * s.height, l.width * l.height
-- [C18]
-- the most of it that an empty launch may explain
SELECT place, vote, literal, in_document, both_words AS flags, trials, 100 * (1 - more_alone / more) AS explained, NULL AS explained_half
FROM rise WHERE compaction = 'on' AND bounce = 8 AND base = 2

-- [C19_samples]
-- 4.2.4, 5: what warps of whole_frame wait for, and how busy it keeps the arithmetic, from bounce 2 on: the least and
-- most of those bounces that fill the device.
WITH launch AS MATERIALIZED (       -- of each specification the newest trial with counters, and with samples
    SELECT t.spec, k.bounce, k.trial, max(iif(k.metric = 'fp32_utilisation', k.value, NULL)) AS fp32,
           max(iif(k.metric = 'issue_active', k.value, NULL)) AS issue,
           dense_rank() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM counter AS k JOIN trial_record AS t ON t.id = k.trial
    WHERE k.bounce >= 2 AND NOT k.auxiliary AND (:run = '' OR t.id IN (SELECT trial FROM asked)) AND
          k.metric IN ('fp32_utilisation', 'issue_active')
    GROUP BY k.trial, k.bounce
),
sampled AS MATERIALIZED (           -- next: the largest reason of waiting but memory
    SELECT t.spec, k.bounce, k.trial, sum(iif(k.reason = 'long_scoreboard', k.share, 0)) AS memory,
           max(iif(k.reason NOT IN ('long_scoreboard', 'selected'), k.share, 0)) AS next,
           dense_rank() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM stalls AS k JOIN trial_record AS t ON t.id = k.trial
    WHERE k.bounce >= 2 AND NOT k.auxiliary AND (:run = '' OR t.id IN (SELECT trial FROM asked))
    GROUP BY k.trial, k.bounce
),
filled AS MATERIALIZED (            -- waves of warps at work, where another experiment timed the launches
    SELECT spec, bounce, max(waves) >= 4 AS filled FROM bounces WHERE spec IN (SELECT spec FROM launch) GROUP BY spec, bounce
),
work AS (
    SELECT s.spec, s.label, s.width, s.height, s.device_name, s.fitted, s.place_in_paper, l.bounce, l.fp32, l.issue, m.memory - m.next AS ahead,
           l.trial, m.trial AS stall_trial, coalesce(f.filled, 0) AS filled, max(coalesce(f.filled, 0)) OVER (PARTITION BY s.spec) AS any_filled
    FROM setup AS s
    CROSS JOIN launch AS l ON l.spec = s.spec AND l.nth = 1
    LEFT JOIN sampled AS m ON m.spec = s.spec AND m.bounce = l.bounce AND m.nth = 1
    LEFT JOIN filled AS f ON f.spec = s.spec AND f.bounce = l.bounce
    WHERE s.variant = 'whole_frame' AND s.usual AND s.matte AND s.first_camera AND s.max_bounces = 8 AND s.device_kind = 'gpu'
    GROUP BY s.spec, l.bounce
)
SELECT label || printf(', %dx%d, %s, bounces %d to %d', width, height, device_name, min(bounce), max(bounce)) AS place,
       100 * min(ahead) AS ahead, NULL AS ahead_half, max(fp32) AS fp32, NULL AS fp32_half, max(issue) AS issue, NULL AS issue_half, -- one replicate
       iif(fitted, 'fitted|', '') || iif(any_filled, '', 'bounce_idle') AS flags,
       group_concat(DISTINCT trial) || coalesce(',' || group_concat(DISTINCT stall_trial), '') AS trials
FROM work
WHERE filled OR NOT any_filled
GROUP BY spec
ORDER BY place_in_paper, label, width

-- [C19]
-- 5: what whole_frame's launches from bounce 2 on take longer, in percent, by each thing that is changed alone
-- (experiments/wald2011/interventions), beside the same kernel unchanged at the same carve-out; and the exponent of time over SIMD
-- efficiency, between compaction off and on.
WITH launched AS MATERIALIZED (     -- times from bounce 2 on, the newest; intervals are added up as if bounces erred together
    SELECT s.*, s.label || printf(', %dx%d, %s', s.width, s.height, s.device_name) AS place, sum(b.seconds) AS seconds,
           sum(b.seconds * b.relative_ci) / sum(b.seconds) AS ci, iif(s.fitted, 'fitted|', '') || iif(min(b.replicates) < 5, 'few_replicates|', '') ||
               iif(2 * sum(b.seconds * b.underfilled) > sum(b.seconds), 'bounce_idle', '') AS words
    FROM setup AS s
    JOIN (SELECT *, max(trial) FROM bounces WHERE bounce >= 2 AND seconds IS NOT NULL GROUP BY spec, bounce) AS b ON b.timed_setting = s.setting
    WHERE s.variant IN ('whole_frame', 'whole_frame_off') AND s.plain AND s.matte AND s.first_camera AND s.max_bounces = 8 AND
          s.traversal = 'while_while'
    GROUP BY s.setting
),
change AS MATERIALIZED (            -- with the warps that a multiprocessor holds
    SELECT l.*, t.tree, max(k.multiprocessor_warps) AS held, max(k.spill_bytes) AS spilled
    FROM launched AS l JOIN trial_record AS t ON t.id = l.trial
    JOIN kernels AS k ON k.trial = l.trial AND k.collection <> 'counts' AND NOT k.auxiliary
    WHERE l.variant = 'whole_frame' AND l.carveout IS NOT NULL
    GROUP BY l.setting
),
pair_of AS (                        -- each beside the kernel that differs from it in this alone
    SELECT n.*, o.seconds AS other_seconds, o.ci AS other_ci, o.trials AS other_trials, o.spilled AS other_spilled,
           CASE WHEN n.tree <> o.tree THEN 'doubled' WHEN n.dummy_flops > 0 THEN 'flops' WHEN n.registers > o.registers THEN 'spills'
                ELSE 'halved' END AS name
    FROM change AS n
    JOIN change AS o ON o.work = n.work AND o.device_name = n.device_name AND o.carveout = n.carveout AND o.tree = 'binary' AND o.dummy_flops = 0 AND
                        o.registers = 64 AND iif(n.tree <> 'binary' OR n.dummy_flops > 0 OR n.registers > 64,
                                                 o.shared_pad = n.shared_pad AND o.held = n.held, o.shared_pad = 0 AND o.held = 2 * n.held)
),
arithmetic AS MATERIALIZED (        -- floating-point instructions from bounce 2 on, at whatever size they were counted
    SELECT s.scene, s.device_name, s.dummy_flops, s.width, sum(c.value) AS value
    FROM setup AS s JOIN trial_record AS t ON t.spec = s.spec AND t.tree = 'binary' JOIN counter AS c ON c.trial = t.id
    WHERE c.metric = 'fp32_lane_operations' AND c.bounce >= 2 AND NOT c.auxiliary AND s.variant = 'whole_frame' AND s.carveout IS NOT NULL
    GROUP BY c.attempt
),
efficiency AS (                     -- lanes of all warp instructions of the extension kernel from bounce 2 on
    SELECT t.spec, 1.0 * sum(c.thread_instructions) / sum(c.instructions) AS lanes
    FROM trial_record AS t
    JOIN done_attempt AS a ON a.trial = t.id AND a.collection = 'counters'
    JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.bounce >= 2 AND NOT l.auxiliary
    JOIN site_count AS c ON c.attempt = a.id AND c.launch = l.number AND c.site = 3
    WHERE t.spec IN (SELECT spec FROM launched WHERE unthrottled)
    GROUP BY t.spec
),
value AS (                          -- in percent; 'flops' in proportion, as if 10 % had been added; 'spills': what is saved, 0 where there are none
    SELECT name, vote, in_document, place_in_paper, place, words, other_trials || ', ' || trials AS trials, seconds / other_seconds - 1 AS change,
           seconds / other_seconds * quadrature(ci, other_ci) AS half,
           CASE name WHEN 'spills' THEN iif(other_spilled > 0, -100, 0)
                     WHEN 'flops' THEN 10 / (SELECT max(m.value / z.value - 1)
                                             FROM arithmetic AS m JOIN arithmetic AS z USING (scene, device_name, width)
                                             WHERE z.dummy_flops = 0 AND m.dummy_flops = n.dummy_flops AND scene = n.scene AND
                                                   device_name = n.device_name)
                     ELSE 100 END AS scale
    FROM pair_of AS n
    UNION ALL
    SELECT 'exponent', n.vote, n.in_document, n.place_in_paper, n.place, n.words, o.trials || ', ' || n.trials, ln(o.seconds / n.seconds),
    quadrature(n.ci, o.ci),
           1 / ln(e.lanes / f.lanes)
    FROM launched AS n
    JOIN launched AS o ON o.variant = 'whole_frame_off' AND o.work = n.work AND o.device_name = n.device_name AND o.schedule = n.schedule AND
                          o.unthrottled
    JOIN efficiency AS e ON e.spec = n.spec
    JOIN efficiency AS f ON f.spec = o.spec
    WHERE n.variant = 'whole_frame' AND n.unthrottled AND n.dummy_flops = 0 AND n.distance = 0
)
SELECT place, vote, in_document, group_concat(words, '|') AS flags, group_concat(trials, ', ') AS trials,
       max(iif(name = 'doubled', scale * change, NULL)) AS doubled, max(iif(name = 'doubled', scale * half, NULL)) AS doubled_half,
       max(iif(name = 'halved', scale * change, NULL)) AS halved, max(iif(name = 'halved', scale * half, NULL)) AS halved_half,
       max(iif(name = 'exponent', scale * change, NULL)) AS exponent, max(iif(name = 'exponent', scale * half, NULL)) AS exponent_half,
       max(iif(name = 'flops', scale * change, NULL)) AS flops, max(iif(name = 'flops', scale * half, NULL)) AS flops_half,
       max(iif(name = 'spills', scale * change, NULL)) AS spills, max(iif(name = 'spills', abs(scale) * half, NULL)) AS spills_half
FROM value
GROUP BY place
ORDER BY place_in_paper, place

-- [C20]
-- 4.2.5: speedup of whole_frame as dummy arithmetic makes the naive kernel take 1 to 4 times as long, and what is saved in
-- warps. Between measured amounts both frame times are linear, for they go with the amount; their ratio is not.
WITH amount AS (
    SELECT *, first_value(naive_seconds) OVER amounts AS naive_0, min(dummy_flops) OVER amounts AS least
    FROM usual_case WHERE variant = 'whole_frame' AND registers IS 64 AND traversal = 'while_while' AND light_search = 'alias'
    WINDOW amounts AS (PARTITION BY work, device_name, schedule ORDER BY dummy_flops)
),
step AS (                           -- from one amount to the next, by the naive time in terms of that without any
    SELECT *, naive_seconds / naive_0 AS multiple, lag(naive_seconds / naive_0) OVER amounts AS multiple_0, lag(speedup) OVER amounts AS speedup_0,
           lag(speedup_ci) OVER amounts AS ci_0
    FROM amount
    WHERE least = 0
    WINDOW amounts AS (PARTITION BY work, device_name, schedule ORDER BY dummy_flops)
),
wanted AS (SELECT column1 AS multiple FROM (VALUES (1.5), (2.0), (3.0), (4.0))),
point AS (                          -- half: half of the interval
    SELECT s.work, s.device_name, s.schedule, w.multiple,
           w.multiple / (multiple_0 / speedup_0 + (w.multiple - multiple_0) / (s.multiple - multiple_0) *
                                                      (s.multiple / speedup - multiple_0 / speedup_0)) AS speedup,
           max(speedup_0 * ci_0, speedup * speedup_ci) AS half
    FROM step AS s JOIN wanted AS w ON w.multiple > s.multiple_0 AND w.multiple <= s.multiple
    UNION ALL
    SELECT work, device_name, schedule, 1.0, speedup, speedup * speedup_ci FROM step WHERE dummy_flops = 0 AND speedup IS NOT NULL
),
growth AS (                         -- of each point over the one before it, and over the first
    SELECT *, speedup - lag(speedup) OVER points AS step, sqrt(half * half + pow(lag(half) OVER points, 2)) AS step_half,
           speedup - first_value(speedup) OVER points AS rise, sqrt(half * half + pow(first_value(half) OVER points, 2)) AS rise_half
    FROM point
    WINDOW points AS (PARTITION BY work, device_name, schedule ORDER BY multiple)
),
summary AS (
    SELECT work, device_name, schedule, max(iif(multiple = 2, speedup, NULL)) AS twice, max(iif(multiple = 2, half, NULL)) AS twice_half,
           max(iif(multiple = 2, rise, NULL)) AS rise, max(iif(multiple = 2, rise_half, NULL)) AS rise_half,
           min(step) AS step, min(step) - min(step - step_half) AS step_half, max(speedup) AS highest,
           max(speedup + half) - max(speedup) AS highest_half
    FROM growth
    GROUP BY work, device_name, schedule
)
SELECT a.place, a.vote, a.literal, a.in_document, s.twice, s.twice_half, s.rise, s.rise_half, s.step, s.step_half,
       (SELECT max(c.saved) FROM saved AS c WHERE c.work = a.work) - s.highest AS short_of, s.highest_half AS short_of_half,
       group_concat(a.speedup_words, '|') AS flags, group_concat(a.both_trials, ', ') AS trials
FROM amount AS a
LEFT JOIN summary AS s ON s.work = a.work AND s.device_name = a.device_name AND s.schedule = a.schedule
GROUP BY a.work, a.device_name, a.schedule
HAVING count(*) > 1
ORDER BY a.label, a.width

-- [C21]
-- 4.2.5: light sampling by searching a table in place of an alias table: how much longer the naive frame takes, and by how much the
-- speedup of whole_frame changes; of the paper's table, and of a larger one. A search that costs next to nothing refutes nothing.
WITH cell AS (
    SELECT * FROM usual_case WHERE variant = 'whole_frame' AND registers IS 64 AND dummy_flops = 0 AND traversal = 'while_while'
),
search AS (
    SELECT s.*, 100 * (s.naive_seconds / a.naive_seconds - 1) AS longer, s.speedup - a.speedup AS apart, s.light_search = 'cdf' AS printed,
           quadrature(s.speedup * s.speedup_ci, a.speedup * a.speedup_ci) AS half,
           100 * s.naive_seconds / a.naive_seconds * quadrature(s.naive_ci, a.naive_ci) AS longer_half,
           s.speedup_words || '|' || a.speedup_words AS all_words, s.both_trials || ', ' || a.both_trials AS all_trials
    FROM cell AS s
    JOIN cell AS a USING (scene, camera, width, height, family, schedule, device_name)
    WHERE s.light_search <> 'alias' AND a.light_search = 'alias'
)
SELECT place || iif(printed, ', 2000x1000', ', 16384x8192') AS place, vote, in_document, iif(printed, longer, NULL) AS longer, longer_half,
       iif(printed AND (longer >= 5 OR abs(apart) <= 0.06), apart, NULL) AS change, half AS change_half,
       iif(printed, NULL, longer) AS large_longer, longer_half AS large_longer_half, iif(printed, NULL, apart) AS large_change,
       half AS large_change_half, all_words AS flags, all_trials AS trials
FROM search
ORDER BY place_in_paper, label, width, light_search

-- [C22]
-- 3.2, 4.2.6: frame time with speculative traversal over that with while-while, of naive and of whole_frame: above 1,
-- while-while is faster. The interval is no narrower than the noise.
SELECT s.place || ', ' || s.variant AS place, s.vote,
       sum(s.in_document AND NOT s.fitted AND instr(s.words || w.words, 'underfilled') = 0) OVER (PARTITION BY s.width, s.height) + 0.5 * s.literal AS literal,
       s.in_document, s.words || '|' || w.words AS flags, s.trials || ', ' || w.trials AS trials,
       iif(s.variant = 'naive', s.seconds / w.seconds, NULL) AS naive, iif(s.variant = 'naive', NULL, s.seconds / w.seconds) AS whole_frame,
       s.seconds / w.seconds * max(s.noise_floor, w.noise_floor, quadrature(s.relative_ci, w.relative_ci)) AS naive_half,
       s.seconds / w.seconds * max(s.noise_floor, w.noise_floor, quadrature(s.relative_ci, w.relative_ci)) AS whole_frame_half
FROM usual_case AS s
JOIN usual_case AS w ON w.work = s.work AND w.device_name = s.device_name AND w.schedule = s.schedule AND w.variant = s.variant AND
                        w.registers IS 64 AND w.dummy_flops = 0 AND w.traversal = 'while_while'
WHERE s.variant IN ('naive', 'whole_frame') AND s.registers IS 64 AND s.dummy_flops = 0 AND s.traversal = 'speculative' AND s.light_search = 'alias'
ORDER BY s.variant, s.place_in_paper, s.scene, s.width

-- [C23]
-- 4.2.6: nodes and triangles fetched by a closest-hit ray of naive, speculative over while-while, on whatever device they were counted.
WITH counted AS (
    SELECT s.*, 1.0 * o.fetches / o.paths AS fetches,
           row_number() OVER (PARTITION BY s.work, s.traversal ORDER BY s.distance, s.device_kind <> 'gpu', s.newest DESC) AS nth
    FROM setup AS s
    JOIN totals AS o ON o.spec = s.spec AND o.nth = 1
    WHERE s.variant = 'naive' AND s.plain AND s.unthrottled AND s.dummy_flops = 0 AND s.matte AND s.first_camera AND s.max_bounces = 8 AND
          o.fetches > 0
)
SELECT s.label || printf(', %dx%d', s.width, s.height) AS place, s.vote, s.literal, s.in_document, s.fetches / w.fetches AS fetches, iif(s.fitted,
       'fitted', '') AS flags,
       s.trials || ', ' || w.trials AS trials
FROM counted AS s
JOIN counted AS w ON w.work = s.work AND w.traversal = 'while_while' AND w.nth = 1
WHERE s.traversal = 'speculative' AND s.nth = 1
ORDER BY s.place_in_paper, 1
-- [C23]
-- by how much the speedup of whole_frame is greater; the interval is no narrower than the noise
WITH cell AS (
    SELECT *, speedup * max(noise_floor, speedup_ci) AS noise FROM usual_case
    WHERE variant = 'whole_frame' AND registers IS 64 AND dummy_flops = 0 AND light_search = 'alias'
)
SELECT s.place, s.vote, s.literal, s.in_document, s.speedup - w.speedup AS gain, quadrature(s.noise, w.noise) AS gain_half,
       s.speedup_words || '|' || w.speedup_words AS flags,
       s.both_trials || ', ' || w.both_trials AS trials
FROM cell AS s
JOIN cell AS w ON w.work = s.work AND w.device_name = s.device_name AND w.schedule = s.schedule AND w.traversal = 'while_while'
WHERE s.traversal = 'speculative'
ORDER BY s.place_in_paper, s.place

-- [C24]
-- 4.2.7: views that hardly a path leaves (closed) beside those that most paths leave (open): the share of the paths that leave, in
-- terms of the least of an open view; the paths of bounce 1 that go on to bounce 8; and what is saved on each.
WITH viewed AS (
    SELECT s.*, l.share, l.lasting FROM saved AS s JOIN leaving AS l ON l.work = s.work WHERE s.matte AND s.roulette = 'weight5'
)
SELECT place || printf(', %.0f %% leave', 100 * share) AS place, vote || ', ' || eye AS vote, literal, iif(fitted, 'fitted', '') AS flags,
       both_trials AS trials,
       iif(share < 0.01, 100 * share / (SELECT min(share) FROM viewed WHERE share > 0.5 AND NOT fitted), NULL) AS escapes,
       iif(share < 0.01, 100 * lasting, NULL) AS lasting, iif(share < 0.01, saved, NULL) AS closed, iif(share > 0.5, saved, NULL) AS open,
       iif(share > 0.5, saved - (SELECT max(saved) FROM viewed WHERE share < 0.01 AND NOT fitted), NULL) AS more
FROM viewed
WHERE share NOT BETWEEN 0.01 AND 0.5
ORDER BY share, place

-- [C25]
-- 4.2.7: later bounces with at least 1,000 warps at which fewer warps lose some of their paths and not all than in Lambertian 0.7: in own materials
-- that are mirrors, and in `refracting`, glass that hardly reflects.
SELECT o.place || ', fates' AS place, o.scene || ', ' || eye AS vote, o.width = 1280 AND o.height = 768 AS literal,
       iif(o.scene = 'refracting', NULL, avg(o.mixed < m.mixed)) AS alike, iif(o.scene = 'refracting', avg(o.mixed < m.mixed), NULL) AS bent,
       iif(o.mirrors < 0.99 AND o.scene <> 'refracting', 'its own materials are not mirrors alone', '') AS excluded,
       iif(o.fitted, 'fitted', '') AS flags, o.trial || ', ' || m.trial AS trials
FROM fate AS o
JOIN fate AS m USING (scene, eye, width, height, roulette, pierced, bounce)
WHERE o.materials = 'scene' AND m.materials = 'lambert07' AND roulette = 'weight5' AND o.warps >= 1000 AND m.warps >= 1000
GROUP BY o.trial, m.trial
ORDER BY o.place_in_paper, o.place
-- [C25]
-- 4.2.7: a scene in its own materials, mirrors and glass among them, against the same in Lambertian 0.7: utilisation of
-- naive, and what is saved.
SELECT o.place, o.vote || ', ' || eye AS vote, o.literal, 100 * (o.utilisation - m.utilisation) AS fuller, m.saved - o.saved AS less,
       iif(m.saved < 1.05, 'nothing to save in Lambertian 0.7', '') AS excluded, iif(o.fitted, 'fitted', '') AS flags,
       o.both_trials || ', ' || m.both_trials AS trials
FROM saved AS o
JOIN saved AS m USING (scene, eye, width, height, roulette)
WHERE o.materials = 'scene' AND m.materials = 'lambert07' AND roulette = 'weight5'
ORDER BY o.place_in_paper, o.place

-- [C26]
-- 4.2.7: warps that lose some of their paths and not all, the mean over later bounces: what one change adds to it: holes in leaves; in a box a second
-- lobe, and varied reflectances; and harsher roulette.
WITH mean AS (
    SELECT *, 100 * avg(mixed) AS share FROM fate GROUP BY trial
)
SELECT c.place || iif(c.pierced, ', holes', iif(c.roulette = 'yocto', ', harsher roulette', ', own materials')) || ', fates' AS place,
       c.scene || iif(c.roulette = 'yocto', ', roulette', '') AS vote, iif(c.pierced, c.share - b.share, NULL) AS holes,
       iif(c.scene = 'closed_lobes', c.share - b.share, NULL) AS lobes, iif(c.scene = 'closed_varied', c.share - b.share, NULL) AS varied,
       iif(c.roulette = 'yocto', c.share - b.share, NULL) AS harsher, iif(c.fitted, 'fitted', '') AS flags, c.trial || ', ' || b.trial AS trials
FROM mean AS b
JOIN mean AS c ON c.scene = b.scene AND c.eye = b.eye AND c.width = b.width AND c.height = b.height AND
                  (c.pierced AND c.materials = b.materials AND c.roulette = b.roulette OR
                   NOT c.pierced AND (c.materials = b.materials AND c.roulette = 'yocto' OR
                                      c.scene IN ('closed_lobes', 'closed_varied') AND c.materials = 'scene' AND c.roulette = b.roulette))
WHERE b.matte AND b.roulette = 'weight5' AND NOT b.pierced
ORDER BY 1
-- [C26]
-- 4.2.7: views that hardly a path leaves, before and after: what one change adds to what is saved in Lambertian 0.7
-- with roulette below 5 % weight: harsher roulette, or the scene's own materials.
WITH closed AS (
    SELECT s.* FROM saved AS s JOIN leaving AS l ON l.work = s.work WHERE l.share < 0.01
)
SELECT c.place || iif(c.roulette = 'yocto', ', harsher roulette', ', own materials') AS place,
       b.vote || ', ' || b.eye || iif(c.roulette = 'yocto', ', roulette', '') AS vote, b.literal, c.saved - b.saved AS added,
       iif(c.fitted, 'fitted', '') AS flags, c.both_trials || ', ' || b.both_trials AS trials
FROM closed AS b
JOIN closed AS c ON c.scene = b.scene AND c.eye = b.eye AND c.width = b.width AND c.height = b.height AND
                    ((c.materials = b.materials AND c.roulette = 'yocto') OR (c.materials = 'scene' AND c.roulette = b.roulette))
WHERE b.matte AND b.roulette = 'weight5'
ORDER BY 1

-- [C27]
-- 4.2.7: views of one scene from outside and from inside: the paths of bounce 1 that are left at bounce 2 outside; and what is saved inside,
-- counted. A closed inside, whose windows are opaque, has nothing to save and says nothing.
WITH view AS (
    SELECT s.*, l.share, l.second FROM saved AS s JOIN leaving AS l ON l.work = s.work WHERE s.roulette = 'weight5'
)
SELECT printf('%s, %s, %dx%d', o.label, o.materials, o.width, o.height) AS place, o.vote || ', ' || materials AS vote, o.literal,
       100 * o.second AS second, iif(i.share < 0.01, NULL, i.saved) AS inside, iif(i.share < 0.01, NULL, i.width) AS inside_wide,
       iif(o.fitted, 'fitted', '') AS flags,
       o.both_trials || ', ' || i.both_trials AS trials
FROM view AS o
JOIN view AS i USING (scene, materials, width, height)
WHERE o.eye = 'outside' AND i.eye = 'inside'
ORDER BY 1
-- [C27]
-- what whole_frame gains on each, and by how much more inside, where that is not closed
WITH gain AS (
    SELECT s.*, v.speedup * max(v.noise_floor, v.speedup_ci) AS half, iif(s.fitted, 'fitted|', '') || v.speedup_flags AS words,
           (SELECT l.share FROM leaving AS l WHERE l.work = s.work) AS share
    FROM saving AS s JOIN versus AS v ON v.setting = s.setting
    WHERE s.max_bounces = 8 AND s.block = 64 AND s.registers IS 64 AND s.lane_map = 'linear' AND s.pixel_order = 'tile'
)
SELECT printf('%s, %s, %dx%d, %s', o.label, o.materials, o.width, o.height, o.device_name) AS place, o.vote || ', ' || materials AS vote, o.literal,
       o.speedup AS outside, o.half AS outside_half, iif(o.speedup NOTNULL, o.width, NULL) AS wide,
       iif(i.share < 0.01, NULL, 100 * (i.speedup - o.speedup)) AS more, 100 * quadrature(o.half, i.half) AS more_half,
       o.words || '|' || i.words AS flags, o.timed_trials || ', ' || i.timed_trials AS trials
FROM gain AS o
JOIN gain AS i USING (scene, materials, width, height, schedule, family, device_name)
WHERE o.eye = 'outside' AND i.eye = 'inside'
ORDER BY o.speedup IS NOT NULL, 1

-- [C28]
-- 3.3: utilisation of naive by bounce where paths end by roulette alone, all with one chance: over launched warps and over active
-- ones from bounce to bounce, where the chance is a half; and against the binomial formula.
WITH cell AS (                      -- closed, and of one reflectance everywhere: all paths have the same weight
    SELECT s.*, o.trial AS counted, o.first_paths, o.warp_width,
           row_number() OVER (PARTITION BY s.work ORDER BY s.distance, s.device_kind <> 'gpu', s.chosen_width <> 32, s.newest DESC) AS pick
    FROM setup AS s
    JOIN totals AS o ON o.spec = s.spec AND o.nth = 1
    WHERE s.variant = 'naive' AND s.plain AND s.unthrottled AND s.dummy_flops = 0 AND s.lighting = 'direct' AND
          (s.materials = 'lambert07' OR s.scene = 'furnace')
),
counted AS (                        -- launched: warps of a frame, empty ones included
    SELECT c.*, a.attempt, t.roulette, (SELECT 1.0 * sum(l.grid * ((l.block + c.warp_width - 1) / c.warp_width)) FROM launch AS l
                                        WHERE l.attempt = a.attempt AND l.repetition = 0 AND NOT l.auxiliary) AS launched
    FROM cell AS c
    JOIN trial_record AS t ON t.id = c.counted
    CROSS JOIN result AS a ON a.trial = c.counted AND a.collection = 'counts'
    WHERE c.pick = 1
),
ends AS (
    SELECT c.*, b.bounce, b.active_paths, b.active_warps, 1.0 * b.active_paths / c.first_paths AS alive,
           lag(b.deaths_roulette) OVER upwards AS ended, lag(b.deaths_roulette, 2) OVER upwards AS ended_before,
           lag(b.active_paths) OVER upwards AS paths_before, lag(b.active_warps) OVER upwards AS warps_before,
           sum(b.deaths_miss + b.deaths_absorb) OVER (PARTITION BY c.attempt) AS others
    FROM counted AS c
    CROSS JOIN bounce_counts AS b ON b.attempt = c.attempt AND b.bounce >= 0 -- naive has one launch
    WINDOW upwards AS (PARTITION BY c.attempt ORDER BY b.bounce)
),
expected AS (                       -- some: share of the warps with a path alive, by the formula; half: the chance is a half, once weights are even
    SELECT *, 1 - pow(1 - alive, warp_width) AS some, materials = 'scene' AND ended_before > 0 AS half FROM ends WHERE others = 0 AND ended > 0
)
SELECT label || printf(', %s, roulette %s, %dx%d, bounce %d', materials, roulette, width, height, bounce) AS place,
       iif(ratio, 1.0 * active_paths / paths_before, NULL) AS launched,
       iif(ratio, 1.0 * active_paths * warps_before / (active_warps * paths_before), NULL) AS active,
       iif(ratio, NULL, 100 * abs(1.0 * active_paths / (warp_width * active_warps) / (alive / some) - 1)) AS off,
       -- twice the standard deviation of the number of active warps, in terms of it: a ratio may be further off than the formula
       iif(2 * sqrt((1 - some) / (some * launched)) > iif(ratio, 0.05, 0.01),
           printf('chance alone may change it by more than %d %%', iif(ratio, 5, 1)), '') AS excluded,
       counted AS trials
FROM expected CROSS JOIN (SELECT 0 AS ratio UNION ALL SELECT 1)
WHERE half OR NOT ratio
ORDER BY ratio, label, materials, roulette, width, bounce

-- [C29]
-- 4: how much faster than 64 registers and blocks of 64 the best other choice is, of register caps and of block sizes: by itself
-- and as far as it exceeds the noise, where both were varied. It is about all kernels, and not decided by some of them.
WITH compared AS (                  -- the paper's choice beside each other, the fastest first
    SELECT o.*, p.seconds / o.seconds AS faster, quadrature(p.relative_ci, o.relative_ci) AS ci, max(p.noise_floor, o.noise_floor) AS noise,
           p.words || '|' || o.words AS all_words, p.trials || ', ' || o.trials AS all_trials,
           row_number() OVER (PARTITION BY p.setting ORDER BY o.seconds IS NULL, o.seconds) AS place_of,
           max(o.block <> 64) OVER (PARTITION BY p.setting) + max(o.registers IS NOT 64) OVER (PARTITION BY p.setting) AS varied
    FROM usual_case AS p
    JOIN usual_case AS o ON o.scene = p.scene AND o.camera = p.camera AND o.width = p.width AND o.height = p.height AND o.family = p.family AND
                            o.device_name = p.device_name AND o.variant = p.variant AND o.tile_m IS p.tile_m AND o.setting <> p.setting AND
                            o.dummy_flops = 0 AND o.traversal = 'while_while' AND o.light_search = 'alias' AND
                            substr(o.schedule, instr(o.schedule, 'lane map')) = substr(p.schedule, instr(p.schedule, 'lane map'))
    WHERE p.block = 64 AND p.registers IS 64 AND p.dummy_flops = 0 AND p.traversal = 'while_while' AND p.light_search = 'alias'
)
SELECT printf('%s, %s, %dx%d, %s: %s, block %d', variant, label, width, height, device_name, coalesce(registers || ' registers', 'registers free'),
              block) AS place,
       variant || ', ' || vote AS vote,
       sum(in_document AND NOT fitted AND instr(all_words, 'underfilled') = 0) OVER (PARTITION BY width, height) + 0.5 * literal AS literal,
       in_document, iif((SELECT count(DISTINCT variant) FROM compared
            WHERE faster NOTNULL AND variant IN ('naive', 'whole_frame', 'tiled_global', 'tiled_shared')) < 4,
           'not all four kernels were compared', '') AS excluded,
       100 * (faster - 1 - noise) AS faster, 100 * faster * ci AS faster_half, 100 * (faster - 1) AS best, 100 * faster * ci AS best_half,
       all_words AS flags, all_trials AS trials
FROM compared
WHERE place_of = 1 AND varied = 2
ORDER BY variant, label, width

-- [C30]
-- 3.5 and Figure 2: how much fuller the warps of tiled_global are at M = 8 than at M = 1; and how what is saved goes with M.
WITH tile AS (
    SELECT c.*, n.counted AS naive_trials, 100.0 * c.paths / (c.warp_width * c.warps) AS utilisation,
           1.0 * n.warps / c.warps - lag(1.0 * n.warps / c.warps) OVER (PARTITION BY c.work, c.variant ORDER BY c.tile_m) AS step
    FROM counted_case AS c
    JOIN counted_case AS n ON n.work = c.work AND n.variant = 'naive' AND n.lane_map = 'linear'
    WHERE c.variant IN ('tiled_global', 'tiled_shared') AND c.max_bounces = 8
)
SELECT printf('%s, %s, M %d to %d', variant, place, min(tile_m), max(tile_m)) AS place,
       variant || ', ' || vote AS vote, literal, in_document, iif(variant = 'tiled_global' AND open, max(iif(tile_m = 8, utilisation,
       NULL)) - max(iif(tile_m = 1, utilisation, NULL)), NULL) AS fuller,
       min(step) AS step, iif(fitted, 'fitted', '') AS flags, group_concat(trials, ', ') || ', ' || naive_trials AS trials
FROM tile
GROUP BY work, variant
HAVING count(*) > 1
ORDER BY 1
-- [C30]
-- how much slower a tile height whose tiles are fewer than the blocks that the device holds is than the fastest
SELECT printf('%s, %s, M %d', variant, place, tile_m) AS place, variant || ', ' || vote || ', ' || tile_m AS vote, literal, in_document,
       100 * (fastest / speedup - 1) AS slower,
       iif(speedup = fastest, 0, 100 * max(speedup_ci, noise_floor) * fastest / speedup) AS slower_half, iif(fitted, 'fitted', '') AS flags,
       both_trials AS trials
FROM tile_curve
WHERE width * height / (64 * tile_m) < (SELECT min(k.resident_warps) / 2 FROM kernels AS k
                                        WHERE k.trial = tile_curve.trial AND k.auxiliary = 0 AND k.collection = 'frame')
ORDER BY 1
-- [C30]
-- how the speed goes with M
SELECT printf('%s, %s, M %d to %d', variant, place, min(tile_m), max(tile_m)) AS place, variant || ', ' || vote AS vote, literal, in_document,
       100 * (max(inner) / max(outer) - 1) AS peak,
       100 * (max(iif(at_end, NULL, speedup_ci)) + max(iif(at_end, speedup_ci, NULL))) * max(inner) / max(outer) AS peak_half,
       group_concat(iif(fitted, 'fitted|', '') || speedup_flags, '|') AS flags, group_concat(both_trials, ', ') AS trials
FROM (SELECT *, iif(at_end, NULL, speedup) AS inner, iif(at_end, speedup, NULL) AS outer FROM tile_curve)
GROUP BY work, device_name, variant
HAVING count(*) > 2
ORDER BY 1

-- [C31]
-- 3.5: the greatest M whose tile of 64 x M paths fits into a block's shared memory: on the paper's GPU at 88 bytes per path, with the 16 bytes of
-- radiance beside them too.
SELECT c.example || printf(', %d bytes per path, %d bytes', b.column1, c.shared_block) AS place, c.shared_block / (64 * b.column1) AS most,
       iif(b.column1 = 88, '', 'with the radiance of a path, which is kept elsewhere') AS excluded
FROM compute_capability AS c CROSS JOIN (VALUES (88), (104)) AS b
WHERE c.version = 20
-- [C31]
-- at the kernel's own size on GPUs here
WITH kernel_of AS (
    SELECT s.device_name, min(1.0 * k.block_bytes / (s.block * s.tile_m)) AS bytes, group_concat(DISTINCT s.trial) AS trials,
           (SELECT CAST(substr(r.provenance, instr(r.provenance, 'sm_') + 3, 3) AS INTEGER) FROM result AS r
            WHERE r.device_name = s.device_name AND instr(r.provenance, 'sm_') LIMIT 1) AS version
    FROM setup AS s
    JOIN kernels AS k ON k.trial = s.trial AND k.auxiliary = 0 AND k.block_bytes > 0
    WHERE s.variant = 'tiled_shared' AND s.block = 64 AND s.plain AND s.unthrottled AND s.device_kind = 'gpu'
    GROUP BY s.device_name
)
SELECT printf('%s, %.0f bytes per path, %d bytes', k.device_name, k.bytes, c.shared_block) AS place,
       CAST(c.shared_block / (64 * k.bytes) AS INTEGER) AS most, k.trials, 'another GPU' AS excluded
FROM kernel_of AS k
JOIN compute_capability AS c ON c.version = (SELECT max(x.version) FROM compute_capability AS x
                                             WHERE x.version <= k.version AND x.version / 10 = k.version / 10)

-- [C32]
-- 3, 3.2 and 1: samples of whole_frame's warps that lie in the traversal, shadow rays included, of all of a frame, and over all others. Lines
-- that the traversal shares with others, arithmetic on vectors, count half; none and all of them are the ends of the interval. alone: the same
-- without shadow rays on either side, which take of the traversal as much as of the nodes and triangles that are visited.
WITH sampled AS (
    SELECT t.spec, k.trial, sum(iif(k.file GLOB 'trees/*', k.samples, 0)) AS tracing,
           0.5 * sum(iif(k.file IN ('lib/vec.h', 'lib/platform_cuda.h'), k.samples, 0)) AS half, 1.0 * sum(k.samples) AS samples,
           row_number() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM (SELECT a.trial, f.name AS file, l.samples
          FROM done_attempt AS a
          CROSS JOIN stall_line AS l ON l.attempt = a.id
          LEFT JOIN source_file AS f ON f.id = l.file
          WHERE a.collection = 'stalls') AS k
    JOIN trial_record AS t ON t.id = k.trial
    WHERE t.variant = 'whole_frame' AND (:run = '' OR t.id IN (SELECT trial FROM asked))
    GROUP BY k.trial
),
fill AS (                           -- by its frames, which another experiment timed
    SELECT spec, max(instr(flags, 'underfilled')) AS underfilled FROM timed WHERE seconds IS NOT NULL GROUP BY spec
),
shadow AS (                         -- share of shadow rays in what the traversal visits
    SELECT c.work, 1.0 * sum(b.shadow_nodes + b.shadow_triangles) / sum(b.nodes + b.triangles + b.shadow_nodes + b.shadow_triangles) AS share
    FROM counted_case AS c
    CROSS JOIN result AS r ON r.trial = c.counted AND r.collection = 'counts'
    CROSS JOIN bounce_counts AS b ON b.attempt = r.attempt AND b.bounce >= 0
    WHERE c.variant = 'whole_frame' AND c.counts_as
    GROUP BY c.work
)
SELECT s.label || printf(', %dx%d, %s', s.width, s.height, s.device_name) AS place, s.vote, s.literal, s.in_document,
       100 * (k.tracing + k.half) / k.samples AS share, 100 * k.half / k.samples AS share_half,
       (k.tracing + k.half) / (k.samples - k.tracing - k.half) AS ratio,
       (1 - h.share) * (k.tracing + k.half) / (k.samples - k.tracing - k.half) AS alone,
       iif(s.fitted, 'fitted|', '') || iif(coalesce(f.underfilled, 1), 'underfilled', '') AS flags, k.trial AS trials
FROM setup AS s
JOIN sampled AS k ON k.spec = s.spec AND k.nth = 1
LEFT JOIN shadow AS h ON h.work = s.work
LEFT JOIN fill AS f ON f.spec = s.spec
WHERE s.usual AND s.matte AND s.first_camera AND s.max_bounces = 8
GROUP BY s.spec
ORDER BY s.place_in_paper, s.label, s.width

-- [C33]
-- 4.2.3: bytes a lane that the compiler spills of naive at 64 registers at most, in clean kernels with the paper's sampler, roulette and lights, not
-- in those that another document's experiments build.
SELECT 'naive, 64 registers at most, ' || s.device_name AS place, min(k.spill_bytes) AS spilled, group_concat(DISTINCT s.trial) AS trials
FROM setup AS s
JOIN kernels AS k ON k.trial = s.trial AND k.auxiliary = 0 AND k.collection <> 'counts' AND k.spill_bytes IS NOT NULL
WHERE s.variant = 'naive' AND s.usual AND s.matte AND s.registers = 64 AND s.unlike = 0
GROUP BY s.device_name

-- [C34]
-- 4.2.4: time of a path over that at bounce 0, compaction on: the most of all bounces, and in how many of those from 2 on it exceeds 2.5.
WITH path AS (
    SELECT *, ratio * base_paths / paths_per_warp AS cost, half * base_paths / paths_per_warp AS error,
           min(underfilled) OVER (PARTITION BY work, device_name, bounce >= 2) AS idle
    FROM rise WHERE compaction = 'on' AND base = 0 AND bounce > 0
)
SELECT place, vote, literal, in_document, both_words AS flags, trials, cost AS most, error AS most_half, over AS above, NULL AS above_half
FROM (SELECT *, row_number() OVER (PARTITION BY work, device_name ORDER BY cost DESC) AS nth,
             100 * avg(iif(bounce >= 2, cost > 2.5, NULL)) OVER (PARTITION BY work, device_name) AS over
      FROM path WHERE underfilled = idle)
WHERE nth = 1
-- [C34]
-- at bounce 8 the instructions of a full warp over those of one without compaction, by the share of the cycles in which each kernel issues, in
-- terms of what it takes longer
WITH issued AS (
    SELECT t.spec, k.trial, avg(k.value) AS share, row_number() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM counter AS k JOIN trial_record AS t ON t.id = k.trial
    WHERE k.metric = 'issue_active' AND k.bounce = 8 AND NOT k.auxiliary AND (:run = '' OR t.id IN (SELECT trial FROM asked))
    GROUP BY k.trial
)
SELECT o.place || ', bounce 8' AS place, o.vote, o.literal, o.in_document, o.both_words AS flags,
       o.both_trials || ', ' || n.trial || ', ' || f.trial AS trials,
       n.share / f.share AS instructions, NULL AS instructions_half
FROM on_off AS o
JOIN issued AS n ON n.spec = o.spec AND n.nth = 1
JOIN issued AS f ON f.spec = o.off_spec AND f.nth = 1
WHERE o.bounce = 8

-- [C35]
-- Tables 1 to 3: active warps times the time per warp, summed over the bounces, against the time of the frame: of the printed tables.
WITH printed AS (                   -- off: one row of naive warps, and the 7 to 8 % that storing and loading paths costs (Q16)
    SELECT sum(t.off_time * w.naive_warps) * 1e-6 * f.naive / 1.075 AS off, sum(t.on_time * w.active_paths / 32) * 1e-6 * f.whole_frame AS compacted
    FROM published_table3 AS t
    JOIN published_table2 AS w ON w.bounce = t.bounce
    JOIN published_table1 AS f ON f.scene = 'fairy'
)
SELECT 'printed, compaction on' AS place, 100 * abs(compacted - 1) AS printed FROM printed
UNION ALL
SELECT 'printed, compaction off, storing and loading counted as 7.5 %', 100 * abs(off - 1) FROM printed
-- [C35]
-- the bounces of kernels measured here against the sum of the same launches: of each scene the setting that is farthest off
SELECT variant || ', ' || label || printf(', %dx%d, %s', width, height, device_name) AS place, vote, in_document, max(off) AS off,
       iif(fitted, 'fitted', '') AS flags, trials
FROM (SELECT s.*, 100 * abs(sum(b.seconds) / p.path_seconds - 1) AS off
      FROM setup AS s
      JOIN frame_parts AS p ON p.setting = s.setting AND p.times
      JOIN bounce_time AS b ON b.setting = s.setting
      WHERE s.variant IN ('whole_frame', 'whole_frame_off') AND s.usual AND s.matte AND s.first_camera AND s.max_bounces = 8
      GROUP BY s.setting)
GROUP BY scene
ORDER BY place_in_paper, label

-- [C36]
-- 5: what is saved on every view that most paths leave, in Lambertian 0.7 and in own materials. That none saves as much can only be told of several
-- open scenes.
WITH viewed AS (
    SELECT s.* FROM saved AS s JOIN leaving AS l ON l.work = s.work WHERE s.roulette = 'weight5' AND l.share > 0.5
)
SELECT place || iif(matte, '', ', own materials') AS place, vote || ', ' || eye || iif(matte, '', ', own') AS vote, literal, iif(fitted, 'fitted',
       '') AS flags, both_trials AS trials, saved,
       iif(saved < 2.95 AND (SELECT count(DISTINCT scene) FROM viewed WHERE matte AND NOT fitted) < 3, 'fewer than three open scenes', '') AS excluded
FROM viewed
ORDER BY saved DESC, 1
-- [C36]
-- the most that Table 2 prints
SELECT 'Table 2' AS place, max(saved) AS printed FROM published_table2

-- [C37]
-- 4.2.4, 5: speedup of whole_frame at all of the resident warps and at an eighth of them (residency.yaml of
-- experiments/wald2011/interventions), and the share of its stall samples that wait for memory or its queues, in points.
-- against: what one speedup exceeds the other by where these shares are 20 points apart or more; where they are not, latencies are hidden alike.
WITH residency AS (
    SELECT w.*, n.seconds / w.seconds AS ratio, n.seconds / w.seconds * quadrature(n.relative_ci, w.relative_ci) AS half,
           (SELECT 100.0 * sum(iif(k.reason IN ('long_scoreboard', 'lg_throttle'), k.samples, 0)) / sum(k.samples)
            FROM trial_record AS t JOIN stalls AS k ON k.trial = t.id AND NOT k.auxiliary WHERE t.spec = w.spec) AS memory,
           w.words || '|' || n.words AS all_words, w.trials || ', ' || n.trials AS all_trials
    FROM timed_case AS w
    JOIN timed_case AS n USING (work, device_name, shared_pad, carveout)
    WHERE n.variant = 'naive' AND w.variant = 'whole_frame' AND w.max_bounces = 8
)
SELECT f.place, f.vote, f.literal, f.in_document, f.ratio AS speedup, f.half AS speedup_half, f.ratio - e.ratio AS rise, quadrature(f.half,
       e.half) AS rise_half,
       f.memory - e.memory AS stalls,
       iif(abs(f.memory - e.memory) >= 20, f.ratio - e.ratio, NULL) AS against, quadrature(f.half, e.half) AS against_half,
       f.all_words || '|' || e.all_words AS flags,
       f.all_trials || ', ' || e.all_trials AS trials
FROM residency AS f
JOIN residency AS e ON e.work = f.work AND e.device_name = f.device_name AND e.carveout = f.carveout
WHERE f.shared_pad = 0 AND e.held * 8 = f.held
ORDER BY f.place_in_paper, f.place

-- [C38]
-- 4.2.6: active lanes inside the traversal of whole_frame, whose warps are full, the most from bounce 2 on; and the warp
-- instructions of such a warp over those of a warp of whole_frame_off, of the bounces from 2 on where that has at most 6 live
-- lanes. Warps of whole_frame_off that find no live lane count by their instructions alone, which makes the ratio smaller.
WITH bounce AS MATERIALIZED (
    SELECT s.*, b.bounce, t.id AS counted, b.active_paths <= 6 * b.active_warps AS sparse, b.active_warps,
           sum(iif(c.site = 3, c.instructions, 0)) AS instructions,
           sum(w.weight * c.thread_instructions) / (a.warp_width * sum(w.weight * c.instructions)) AS lanes
    FROM faithful AS s
    JOIN (SELECT *, max(trial) FROM bounces WHERE bounce >= 2 GROUP BY spec, bounce) AS b ON b.timed_setting = s.setting
    JOIN trial_record AS t ON t.spec = s.spec
    JOIN done_attempt AS a ON a.trial = t.id AND a.collection = 'counters'
    JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.bounce = b.bounce AND NOT l.auxiliary
    JOIN site_count AS c ON c.attempt = a.id AND c.launch = l.number AND c.site > 0
    LEFT JOIN step_weight AS w ON w.step = CASE c.site WHEN 1 THEN 'inner' WHEN 2 THEN 'triangle' END
    WHERE s.variant IN ('whole_frame', 'whole_frame_off') AND s.max_bounces = 8 AND s.unthrottled AND s.times_as
    GROUP BY s.setting, b.bounce
)
SELECT f.place || ', ' || f.device_name AS place, f.vote, f.literal, f.in_document, 100 * max(f.lanes) AS efficiency,
       sum(iif(o.sparse, f.instructions, 0)) / sum(iif(o.sparse, 1.0 * f.active_warps, 0)) /
           (sum(iif(o.sparse, o.instructions, 0)) / sum(iif(o.sparse, 1.0 * o.active_warps, 0))) AS instructions,
       iif(f.fitted, 'fitted', '') AS flags, group_concat(DISTINCT f.counted) || ',' || group_concat(DISTINCT o.counted) AS trials
FROM bounce AS f
JOIN bounce AS o ON o.variant = 'whole_frame_off' AND o.work = f.work AND o.device_name = f.device_name AND o.bounce = f.bounce
WHERE f.variant = 'whole_frame'
GROUP BY f.work, f.device_name
ORDER BY f.width * f.height, f.place_in_paper, f.place

-- [C39]
-- 4.1: occupancy that blocks of 64 lanes with 64 registers lose on the paper's GPU between 6 KB of shared memory each and the next amount that can
-- be had.
SELECT printf('compute capability %d.%d (%s)', version / 10, version % 10, example) AS place,
       100 * (occupancy(version, 64, 64, 6144) - occupancy(version, 64, 64, 6144 + shared_unit)) AS lost
FROM compute_capability
WHERE version = 20
-- [C39]
-- the speed of tiled_shared at the best M that leaves it the resident warps of naive
SELECT place || printf(', M = %d', tile_m) AS place, vote,
       sum(NOT fitted AND instr(both_words, 'underfilled') = 0) OVER (PARTITION BY width, height) + 0.5 * literal AS literal, in_document,
       both_words AS flags, pair_trials AS trials, speed, noise AS speed_half
FROM (SELECT *, max(ratio) AS speed FROM pair
      WHERE variant = 'tiled_shared' AND other = 'naive' AND unthrottled AND held >= other_held AND max_bounces = 8 AND place_in_paper < 99
      GROUP BY work, device_name)
