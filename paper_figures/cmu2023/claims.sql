-- SPDX-License-Identifier: MIT
-- CMU report: the query of each claim, under its id; of several parts where its cases are of several kinds. A row is a case; what names it is said
-- in claims.yaml. The views are those of common.sql.

-- [C01]
-- Two stages against one kernel, scene by scene and as a geometric mean; and two stages over the wide tree against one kernel over the binary one.
SELECT label, vote, literal, in_document, device_name, width, height, spp, flags, few AS excluded, trials, gain, half AS gain_half
FROM compared
JOIN scene_vote USING (label)
WHERE role = 'naive'
-- [C01]
SELECT w.label, vote, literal, in_document, w.form AS tree, w.device_name, w.width, w.height, w.spp, m.flags || '|' || w.flags AS flags,
       w.trials || ', ' || m.trials AS trials,
       m.seconds / w.seconds AS wide, m.seconds / w.seconds * quadrature(m.relative_ci, w.relative_ci) AS wide_half
FROM in_tree AS w
JOIN in_tree AS m ON m.slice = w.slice AND m.work = w.work AND m.variant = 'naive' AND m.form = ''
JOIN scene_vote USING (label)
WHERE w.variant = 'two_stage' AND w.form = 'wide'
-- [C01]
SELECT count(*) AS scenes, group_concat(trials, ', ') AS trials, exp(avg(ln(gain))) AS mean
FROM (SELECT *, rank() OVER (PARTITION BY vote, device_name ORDER BY literal DESC) AS nth
      FROM compared JOIN scene_vote USING (label)
      WHERE role = 'naive' AND gain > 0 AND in_document AND flags NOT LIKE '%underfilled%' AND few = '')
WHERE nth = 1
GROUP BY device_name

-- [C02]
-- Three stages against two.
SELECT label, vote, literal, in_document, device_name, width, height, spp, flags, few AS excluded, trials, gain AS slower, half AS slower_half
FROM compared
JOIN scene_vote USING (label)
WHERE role = 'three_stage'
-- [C02]
-- where the scene stands for Spaceship
SELECT label, vote, literal, in_document, device_name, width, height, spp, 'Spaceship' AS place_in, flags, few AS excluded, trials, gain AS many,
       half AS many_half
FROM compared
JOIN scene_vote USING (label)
WHERE role = 'three_stage' AND lower(stands_for) = 'spaceship'
-- [C02]
-- the rank correlation of that with the share of matte material
SELECT count(*) AS scenes, iif(count(*) < 4, 'few_scenes', '') AS excluded, group_concat(c.trials, ', ') AS trials,
       rank_correlation(1.0 * w.lambert / w.shaded, c.gain) AS linked
FROM compared AS c
JOIN work_done AS w ON w.trial = c.counted AND w.shaded > 0
WHERE c.role = 'three_stage' AND c.gain > 0 AND c.few = '' AND c.flags NOT LIKE '%underfilled%'
GROUP BY c.slice

-- [C03]
-- Table 3: time with the wide tree over that with the binary one, of one kernel and of two stages.
SELECT label, vote, literal, in_document, variant, machine, size, spp, flags, trials, iif(variant = 'naive', time, NULL) AS mega, half AS mega_half,
       iif(variant = 'two_stage', time, NULL) AS wave, half AS wave_half
FROM tree_pair
JOIN scene_vote USING (label)
WHERE form = 'wide'
-- [C04]
-- Two stages whose slots keep their pixels, against one kernel and against a pool, where the iterations that pixels need vary. A slot lives in
-- round r if its pixel needs more than r, so that the slots that live in each round tell how many pixels need how many. Of a row that stands
-- for several rounds the number of slots falls: `least` and `most` bound the coefficient of variation.
SELECT t.label, vote, literal, in_document, t.device_name, t.width, t.height, t.spp, t.other_flags || '|' || m.other_flags AS flags, t.excluded,
       t.least, t.most,
       t.other_trials || coalesce(', ' || m.other_trials, '') AS trials, t.other_seconds / m.other_seconds AS slower,
       t.other_seconds / m.other_seconds * quadrature(t.other_ci, m.other_ci) AS slower_half
FROM tied AS t
JOIN compared AS m ON m.setting = t.setting AND m.role = 'naive'
JOIN scene_vote USING (label)
-- [C04]
-- what of their slots has a ray
SELECT label, vote, literal, in_document, device_name, width, height, spp, excluded, least, most, other_counted AS trials, other_live AS live
FROM tied
JOIN scene_vote USING (label)
-- [C04]
SELECT label, vote, literal, in_document, device_name, width, height, spp, 'pool' AS over, flags, excluded, least, most, trials, gain AS pool,
       half AS pool_half
FROM tied
JOIN scene_vote USING (label)

-- [C05]
-- Time and idle slots as batches shrink, in steps from each size to the next smaller one that was measured. Each step counts once: with samples
-- in the report's random order, else in sequence.
SELECT label, vote || ', ' || batch AS vote, ordered AS literal, in_document, device_name, batch, larger, iif(ordered, 'shuffled', NULL) AS order_of,
       flags, trials, slower AS rising, half AS rising_half, drained
FROM batch_step
JOIN scene_vote USING (label)
WHERE next
-- [C05]
SELECT label, vote, ordered AS literal, in_document, device_name, batch, larger, iif(ordered, 'shuffled', NULL) AS order_of, flags, trials,
       slower, half AS slower_half
FROM batch_step
JOIN scene_vote USING (label)
WHERE batch = 4 AND larger = 256
UNION ALL -- where the batch of 256 was not measured in that order
SELECT label, vote, ordered, in_document, device_name, 4, 256, iif(ordered, 'shuffled', NULL), 'not_asked', trials, NULL, NULL
FROM batch_step
JOIN scene_vote USING (label)
WHERE batch = 4
GROUP BY slice, label, ordered
HAVING max(larger) < 256

-- [C06]
-- One kernel, in the frame of a scene with most samples, against the same on a CPU. The scenes of Table 1, of which the words speak, decide.
SELECT m.label, vote, literal,
       EXISTS (SELECT 1 FROM published_table1 AS q LEFT JOIN full_name AS n ON n.scene = q.scene
               WHERE lower(coalesce(n.name, q.scene)) = lower(m.stands_for)) AS in_document,
       m.device_name, m.width, m.height, m.spp, coalesce(c.flags, 'not_asked') || '|' || m.flags AS flags,
       m.trials || coalesce(', ' || c.trials, '') AS trials, c.seconds / m.seconds AS gain,
       c.seconds / m.seconds * quadrature(c.relative_ci, m.relative_ci) AS gain_half
FROM (SELECT *, rank() OVER (PARTITION BY label, device_name, width, height ORDER BY spp DESC) AS nth FROM cell
      WHERE variant = 'naive' AND own = '' AND device_kind <> 'processor') AS m
LEFT JOIN on_cpu AS c ON c.subject = m.subject
JOIN scene_vote USING (label)
WHERE m.nth = 1

-- [C07]
-- Two stages against a CPU, in the frames of C01 and C06 where they were measured.
SELECT label, vote, literal + 0.5 * (setting IN (SELECT setting FROM compared WHERE role = 'naive' AND gain > 0)) AS literal,
       in_document, device_name, width, height, spp, flags, few AS excluded, trials, gain, half AS gain_half
FROM compared
JOIN scene_vote USING (label)
WHERE role = 'cpu'

-- [C08]
-- The third of the report's scenes that is most complex, by the ranks of its triangles and of the entropy of the materials that rays hit, and the
-- scenes that the words name, against the median of all: gain over the CPU.
SELECT label, vote, literal, in_document, device_name, width, height, spp, 'CPU' AS over, cpu_flags || '|' || other_flags AS flags,
       other_trials || coalesce(', ' || cpu_trials, '') AS trials, iif(third, over_cpu / usual_cpu, NULL) AS over_cpu,
       over_cpu / usual_cpu * quadrature(cpu_ci, other_ci) AS over_cpu_half, iif(named, over_cpu / usual_cpu, NULL) AS named_cpu,
       over_cpu / usual_cpu * quadrature(cpu_ci, other_ci) AS named_cpu_half
FROM complex
JOIN scene_vote USING (label)
WHERE third OR named
-- [C08]
-- gain of the wavefront; lanes that execute in one kernel, and the spread of path lengths
SELECT label, vote, literal, in_document, device_name, width, height, spp, flags, other_trials || ', ' || own_trials AS trials,
       iif(third, gain / usual_gain, NULL) AS over_mega, half / usual_gain AS over_mega_half,
       iif(named, gain / usual_gain, NULL) AS named_mega, half / usual_gain AS named_mega_half,
       iif(third, (lanes < usual_lanes) + (spread > usual_spread), NULL) AS causes
FROM complex
JOIN scene_vote USING (label)
WHERE third OR named

-- [C09]
-- Kinds of material where paths go on from a surface, and the lanes that evaluate them together: matte, the two that are most frequent of the
-- others, and the share of active lanes if each warp evaluates one kind after the other.
SELECT c.label, vote, literal, in_document, c.device_name, c.width, c.height, c.spp, w.trial AS trials, 1.0 * w.lambert / w.shaded AS matte,
       (SELECT 1.0 * sum(value) FROM (SELECT value FROM json_each(w.others) ORDER BY value DESC LIMIT 2)) / nullif(w.shaded - w.lambert, 0) AS two,
       w.together AS lanes
FROM compared AS c
JOIN work_done AS w ON w.trial = c.counted AND w.shaded > 0
JOIN scene_vote USING (label)
WHERE c.role = 'three_stage'
-- [C09]
SELECT c.label, vote, literal, in_document, c.device_name, c.width, c.height, c.spp, 3 AS stages, c.other_counted || ', ' || c.counted AS trials,
       w.together - o.together AS gain
FROM compared AS c
JOIN work_done AS w ON w.trial = c.other_counted AND w.shaded > 0
LEFT JOIN work_done AS o ON o.trial = c.counted AND o.shaded > 0
JOIN scene_vote USING (label)
WHERE c.role = 'three_stage'

-- [C10]
-- What queues of materials save and cost, in shares of the frame of two stages. Saved: time of the stage logic, which shades less. Added: time of
-- the stage of materials, of lists and of gaps between launches.
SELECT label, vote, literal, in_document, device_name, width, height, spp, part, flags, trials, net, half AS net_half
FROM queue_balance
JOIN scene_vote USING (label)
-- [C10]
SELECT label, vote, literal, in_document, device_name, width, height, spp, part, 'as meant' AS what, flags,
       iif(slower, '', 'not_slower') AS excluded, trials, -net AS excess,
       half AS excess_half
FROM queue_balance
JOIN scene_vote USING (label)
-- [C10]
-- where lanes evaluate materials, as in C09
SELECT p.label, vote, literal, in_document, p.device_name, p.width, p.height, p.spp, p.part, 'lanes' AS what, p.counted || ', ' || p.queued AS trials,
       b.together - a.together AS coherence
FROM queue_pair AS p
JOIN work_done AS a ON a.trial = p.counted AND a.shaded > 0
JOIN work_done AS b ON b.trial = p.queued AND b.shaded > 0
JOIN scene_vote USING (label)

-- [C11]
-- A queue of four samples of each pixel, round by round: rank correlations with the round of the share of dear materials among those that lanes
-- evaluate, and of the length of the paths that end; and the share of other materials than matte, the last quarter of rounds against the first.
-- Dear: of the kinds with a kernel of their own, those that take more time a lane than the median, while the queue lasts. Of frames of several sizes
-- the largest count.
WITH wave AS (
    SELECT c.*, n.attempt
    FROM cell AS c
    JOIN result AS n ON n.trial = c.counted AND n.collection = 'counts'
    JOIN trial_record AS t ON t.id = c.counted
    WHERE c.variant IN ('two_stage', 'three_stage') AND c.usual AND c.batch = 4 AND c.spp = 4 AND c.rounds <= t.exact_rounds
),
launched AS (
    SELECT w.setting, l.iteration AS round, l.kernel, l.stage, sum(b.live_lanes) AS lanes, sum(b.shaded_lambert) AS matte,
           sum(b.shaded_lambert + b.shaded_blinn + b.shaded_glass + b.shaded_chrome + b.shaded_carpaint + b.shaded_glossy + b.shaded_reflective +
               b.shaded_transparent + b.shaded_blend) AS shaded,
           sum(b.deaths_miss + b.deaths_depth + b.deaths_absorb + b.deaths_roulette) AS ended,
           sum((b.bounce + 1) * (b.deaths_miss + b.deaths_depth + b.deaths_absorb + b.deaths_roulette)) AS segments
    FROM wave AS w
    JOIN launch AS l ON l.attempt = w.attempt AND l.repetition = 0 AND NOT l.auxiliary
    JOIN bounce_counts AS b ON b.attempt = w.attempt AND b.launch = l.number
    GROUP BY w.setting, l.iteration, l.kernel
),
cost AS (                           -- of a lane, by kernel
    SELECT s.setting, s.kernel, s.seconds / t.lanes AS seconds
    FROM (SELECT w.setting, c.kernel, sum(c.seconds) / count(DISTINCT c.attempt || '|' || c.repetition) AS seconds
          FROM wave AS w
          JOIN last_refill AS r ON r.trial = w.counted
          JOIN launched_as AS a ON a.setting = w.setting
          JOIN clean_launch AS c ON c.setting = a.launched AND c.stage = 'material' AND c.times AND c.iteration <= r.round
          GROUP BY w.setting, c.kernel) AS s
    JOIN (SELECT l.setting, l.kernel, sum(l.lanes) AS lanes
          FROM wave AS w JOIN last_refill AS r ON r.trial = w.counted JOIN launched AS l ON l.setting = w.setting AND l.round <= r.round
          GROUP BY l.setting, l.kernel) AS t USING (setting, kernel)
),
dear AS (
    SELECT c.setting, c.kernel
    FROM cost AS c JOIN (SELECT setting, median(seconds) AS seconds FROM cost GROUP BY setting) AS m USING (setting)
    WHERE c.seconds > m.seconds
),
round AS (
    SELECT l.setting, l.round, sum(l.shaded) AS shaded, sum(l.matte) AS matte, sum(iif(d.kernel NOTNULL, l.lanes, 0)) AS dear,
           1.0 * sum(l.segments) / nullif(sum(l.ended), 0) AS segments, ntile(4) OVER (PARTITION BY l.setting, sum(l.shaded) > 0 ORDER BY l.round) AS quarter
    FROM launched AS l
    LEFT JOIN dear AS d USING (setting, kernel)
    GROUP BY l.setting, l.round
)
SELECT w.label, vote, literal, in_document, w.device_name, w.width, w.height, iif(w.variant = 'three_stage', 3, 2) AS stages,
       iif(w.width * w.height < max(w.width * w.height) OVER (), 'smaller', '') AS excluded, w.counted AS trials,
       iif(w.setting IN (SELECT setting FROM dear), rank_correlation(r.round, 1.0 * r.dear / nullif(r.shaded, 0)), NULL) AS dear,
       rank_correlation(r.round, r.segments) AS longer,
       (1.0 * sum(iif(quarter = 4, shaded - matte, 0)) / nullif(sum(iif(quarter = 4, shaded, 0)), 0)) /
           nullif(1.0 * sum(iif(quarter = 1, shaded - matte, 0)) / nullif(sum(iif(quarter = 1, shaded, 0)), 0), 0) AS other
FROM wave AS w
LEFT JOIN round AS r ON r.setting = w.setting
JOIN scene_vote USING (label)
GROUP BY w.setting

-- [C12]
-- Slots with a ray where extend begins, over the whole run, and while samples are left to begin; and slots without one for another reason than
-- that their path ended at a material for want of a valid direction. With two stages that is no reason: logic gives such a slot its next path at
-- once: three count where both were measured. Launches of many rounds stand in one row, whose stage is the first, so that deaths are summed over all
-- stages.
WITH wave AS (
    SELECT 2 AS stages, label, device_name, width, height, spp, counted AS trial, live, few FROM compared WHERE role = 'three_stage'
    UNION ALL
    SELECT 3, label, device_name, width, height, spp, other_counted, other_live, few FROM compared
    WHERE role = 'three_stage' AND other_counted NOTNULL
),
used AS (
    SELECT u.trial, sum(u.launches) AS launches, sum(iif(u.round < r.round OR u.round = r.round AND u.exact, u.live_lanes, NULL)) AS early_live,
           sum(iif(u.round < r.round OR u.round = r.round AND u.exact, u.launches, NULL)) AS early
    FROM round_use AS u JOIN last_refill AS r USING (trial)
    WHERE u.stage = 'trace'
    GROUP BY u.trial
),
absorbed AS (
    SELECT n.trial, 1.0 * sum(b.deaths_absorb) AS paths
    FROM result AS n JOIN bounce_counts AS b ON b.attempt = n.attempt
    WHERE n.collection = 'counts' AND b.bounce >= 0 AND n.trial IN (SELECT trial FROM wave)
    GROUP BY n.trial
)
SELECT w.label, vote, literal + 0.5 * (w.stages = 3) AS literal, in_document, w.device_name, w.width, w.height, w.spp, w.stages, w.few AS excluded,
       w.trial AS trials, w.live, iif(w.stages = 2, w.live, NULL) AS two,
       u.early_live / (1.0 * u.early * w.width * w.height) AS before,
       1 - w.live - iif(w.stages = 3, a.paths, 0) / (1.0 * u.launches * w.width * w.height) AS other
FROM wave AS w
JOIN scene_vote USING (label)
LEFT JOIN used AS u ON u.trial = w.trial
LEFT JOIN absorbed AS a ON a.trial = w.trial
WHERE w.trial NOTNULL

-- [C13]
-- Live lanes of the launch of logic that has the fewest, of all slots, as long as samples are left. A row of several rounds stands for their mean;
-- the one in which the last path begins counts only where it is of one round.
SELECT c.label, vote, literal, in_document, c.device_name, c.width, c.height, c.spp, c.counted AS trials,
       min(1.0 * u.live_lanes / (u.launches * 1.0 * c.width * c.height)) AS live
FROM compared AS c
JOIN last_refill AS r ON r.trial = c.counted
JOIN round_use AS u ON u.trial = c.counted AND u.stage = 'logic' AND (u.round < r.round OR u.round = r.round AND u.exact)
JOIN scene_vote USING (label)
WHERE c.role = 'naive'
GROUP BY c.setting

-- [C14]
-- The wide tree against the binary one: height, nodes visited per ray, and time of the stage trace of two stages.
SELECT label, vote, literal, in_document, variant, machine, size, spp, counted AS trials, height, nodes AS visits
FROM tree_pair
JOIN scene_vote USING (label)
WHERE form = 'wide' AND variant = 'naive' AND depth NOTNULL
-- [C14]
SELECT label, vote, literal, in_document, variant, machine, size, spp, 'trace' AS of_stage, stage_flags AS flags, stage_trials AS trials,
       stage AS traced,
       stage_half AS traced_half
FROM tree_pair
JOIN scene_vote USING (label)
WHERE form = 'wide' AND variant = 'two_stage' AND stage NOTNULL

-- [C15]
-- Children in slots by octant against children as collapsed: nodes visited per ray, which are the same with one kernel and with two stages.
SELECT label, vote, literal, in_document, variant, machine, size, spp, counted AS trials, min(visits) AS visits
FROM slotted
JOIN scene_vote USING (label)
WHERE visits NOTNULL GROUP BY label, slice
-- [C15]
-- time of the stage trace of two stages
SELECT label, vote, literal, in_document, variant, machine, size, spp, 'trace' AS of_stage, flags, trials, gain,
       half AS gain_half
FROM slotted
JOIN scene_vote USING (label)
WHERE gain NOTNULL
-- [C15]
-- the share of the tree's nodes whose children stand in slots of the least sum of costs, found by trying all sets of slots
SELECT label, vote, literal, in_document, min(variant) AS variant, machine, size, spp, 'tree' AS of_tree, min(counted) AS trials,
       1.0 * tree_assigned / tree_nodes AS least
FROM tree_pair
JOIN scene_vote USING (label)
WHERE form = 'wide' AND tree_assigned > 0
GROUP BY label

-- [C16]
-- Table 3, Landscape: time with wide trees on both levels over that with binary ones, of two stages less that of one kernel. Of scenes of
-- instances in two levels alone.
SELECT w.label, vote, literal, in_document, p.device_name, w.size, w.flags || '|' || m.flags AS flags, w.trials || ', ' || m.trials AS trials, w.time AS wave,
       w.half AS wave_half, m.time AS mega, m.half AS mega_half, w.time - m.time AS gap, quadrature(w.half, m.half) AS gap_half
FROM tree_pair AS w
JOIN tree_pair AS m ON m.slice = w.slice AND m.work = w.work AND m.form = w.form AND m.variant = 'naive'
JOIN slice AS p ON p.slice = w.slice
JOIN scene_vote USING (label)
WHERE w.variant = 'two_stage' AND w.form = 'wide' AND w.levels

-- [C17]
-- Samples of one kernel's warps that lie in the traversal, of all.
SELECT k.label, vote, literal, in_document, k.device_name, k.width, k.height, iif(k.scene_triangles > m.triangles, '', 'simple') AS excluded,
       k.sampled AS trials, k.share,
       k.half AS share_half
FROM sampled_kernel AS k
JOIN scene_vote USING (label)
LEFT JOIN (SELECT slice, median(scene_triangles) AS triangles FROM sampled_kernel GROUP BY slice) AS m ON m.slice = k.slice
-- [C17]
-- the rank correlation of that share with the scene's triangles
SELECT count(*) AS scenes, device_name, iif(count(*) < 4, 'few_scenes', '') AS excluded, group_concat(sampled, ', ') AS trials,
       rank_correlation(scene_triangles, share) AS growth
FROM sampled_kernel
WHERE scene_triangles > 0
GROUP BY slice

-- [C17]
-- the same kernel over OptiX: how many times as fast, where the GPU has RT cores
SELECT o.label, vote, literal, in_document, o.device_name, o.width, o.height, iif(o.hardware, '', 'no_rt') AS excluded,
       o.flags || '|' || o.other_flags AS flags, o.trials || ', ' || o.other_trials AS trials, o.other_seconds / o.seconds AS faster,
       o.other_seconds / o.seconds * quadrature(o.relative_ci, o.other_ci) AS faster_half
FROM over_optix AS o
JOIN scene_vote USING (label)

-- [C18]
-- Time of extend over that of the stage that takes longest of the others. Of a scene two stages decide, which the words are about, then the frame with
-- most samples; of lanes first what the hardware counts.
SELECT w.label, vote, literal + w.nearness AS literal, in_document, w.device_name, w.width, w.height, w.spp, w.stages, w.part, w.timed_flags AS flags,
       s.trials,
       s.seconds / o.seconds AS longer,
       s.seconds / o.seconds * quadrature(s.half / s.seconds, o.half / o.seconds) AS longer_half
FROM wavefront AS w
JOIN stage_time AS s ON s.setting = w.setting AND s.stage = 'trace'
JOIN (SELECT *, row_number() OVER (PARTITION BY setting ORDER BY seconds DESC) AS nth FROM stage_time
      WHERE stage NOT IN ('trace', 'gaps')) AS o ON o.setting = w.setting AND o.nth = 1
JOIN scene_vote USING (label)
-- [C18]
-- lanes that execute in it
SELECT w.label, vote, literal + w.nearness + 4 * (t.source = 'hardware') AS literal, in_document, w.device_name, w.width, w.height, w.spp, w.stages,
       w.part, t.source, t.trial AS trials, t.lanes
FROM wavefront AS w
JOIN (SELECT *, row_number() OVER (PARTITION BY setting ORDER BY rank) AS nth FROM traversing) AS t ON t.setting = w.setting AND t.nth = 1
JOIN scene_vote USING (label)
-- [C18]
-- of all instructions those of extend over the stage with the fewest
SELECT w.label, vote, literal + w.nearness AS literal, in_document, w.device_name, w.width, w.height, w.spp, w.stages, w.part,
       'all instructions' AS source,
       e.trial AS trials,
       1.0 * e.executing / e.lanes / min(1.0 * o.executing / o.lanes) AS lowest
FROM wavefront AS w
JOIN executed AS e ON e.setting = w.setting AND e.stage = 'trace'
JOIN executed AS o ON o.setting = w.setting AND o.trial = e.trial AND o.stage IN ('logic', 'material')
JOIN scene_vote USING (label)
GROUP BY w.setting, e.trial

-- [C19]
-- Memory in which results wait, for each pixel of a batch: of frames of different sizes.
SELECT a.label, vote, literal, in_document, a.variant, a.width, a.height, b.width AS other_width, b.height AS other_height,
       a.counted || ', ' || b.counted AS trials,
       (1.0 * a.bytes / (a.width * a.height)) / (1.0 * b.bytes / (b.width * b.height)) AS of_pixels
FROM kept AS a
JOIN kept AS b ON b.scene = a.scene AND b.variant = a.variant AND b.batch = a.batch AND b.device_name = a.device_name AND b.accumulate = 'buffer' AND
                  b.width * b.height < a.width * a.height
JOIN scene_vote ON scene_vote.label = a.label
WHERE a.accumulate = 'buffer' AND a.bytes > 0
-- [C19]
-- for each sample: of batches of different sizes
SELECT a.label, vote, literal, in_document, a.variant, a.batch, b.batch AS other_batch, a.counted || ', ' || b.counted AS trials,
       (1.0 * a.bytes / a.batch) / (1.0 * b.bytes / b.batch) AS of_batch
FROM kept AS a
JOIN kept AS b ON b.slice = a.slice AND b.scene = a.scene AND b.variant = a.variant AND b.batch < a.batch AND b.accumulate = 'buffer'
JOIN scene_vote ON scene_vote.label = a.label
WHERE a.accumulate = 'buffer' AND a.bytes > 0
-- [C19]
-- without a buffer, of counts that have this one
SELECT label, vote, literal, in_document, variant, batch, counted AS trials, bytes
FROM kept
JOIN scene_vote USING (label)
WHERE accumulate = 'atomic' AND EXISTS (SELECT 1 FROM kept WHERE bytes > 0)
-- [C19]
-- time of a frame without a buffer over that of one with it
SELECT a.label, vote, literal, in_document, a.variant, a.device_name, a.flags || '|' || b.flags AS flags, a.trials || ', ' || b.trials AS trials,
       a.seconds / b.seconds - 1 AS time,
       a.seconds / b.seconds * quadrature(a.relative_ci, b.relative_ci) AS time_half
FROM cell AS a
JOIN cell AS b ON b.slice = a.slice AND b.work = a.work AND b.variant = a.variant AND b.batch = a.batch AND b.tickets = a.tickets AND
                  b.choice = 'accumulate '
JOIN scene_vote ON scene_vote.label = a.label
WHERE a.choice = '' AND a.seconds NOTNULL AND b.seconds NOTNULL

-- [C20]
-- Rounds that only serve paths already begun, in batches of four samples taken dearest first, over those of batches in random order. The first
-- batch has no order yet, and does not count.
WITH wave AS (
    SELECT c.*, n.attempt
    FROM cell AS c
    JOIN result AS n ON n.trial = c.counted AND n.collection = 'counts'
    JOIN trial_record AS t ON t.id = c.counted
    WHERE c.variant = 'two_stage' AND c.tickets = 'atomic' AND c.batch = 4 AND c.spp > 4 AND c.rounds <= t.exact_rounds AND c.choice = 'pool_order '
),
batch AS (                          -- rounds from `first` to `last`
    SELECT w.counted, w.attempt, l.iteration AS first,
           coalesce(lead(l.iteration) OVER (PARTITION BY w.counted ORDER BY l.number), w.rounds) - 1 AS last,
           row_number() OVER (PARTITION BY w.counted ORDER BY l.number) AS nth
    FROM wave AS w
    JOIN launch AS l ON l.attempt = w.attempt AND l.repetition = 0 AND l.stage = 'regenerate'
),
tail AS (
    SELECT b.counted, sum(b.last - coalesce((SELECT max(l.iteration)
                                             FROM launch AS l
                                             JOIN bounce_counts AS c ON c.attempt = l.attempt AND c.launch = l.number AND c.bounce = -1
                                             WHERE l.attempt = b.attempt AND l.repetition = 0 AND c.begun > 0 AND l.stage = 'logic' AND
                                                   l.iteration BETWEEN b.first AND b.last), b.first - 1)) AS rounds
    FROM batch AS b
    WHERE b.nth > 1
    GROUP BY b.counted
)
SELECT d.label, vote, literal, in_document, d.device_name, d.width, d.height, d.counted || ', ' || r.counted AS trials,
       1.0 * a.rounds / b.rounds AS drained
FROM wave AS d
JOIN wave AS r ON r.slice = d.slice AND r.work = d.work AND r.pool_order = 'shuffled'
JOIN tail AS a ON a.counted = d.counted
JOIN tail AS b ON b.counted = r.counted
JOIN scene_vote USING (label)
WHERE d.pool_order = 'cost'

-- [C21]
-- The megakernel's times of Table 3 over those of Table 2, as printed.
SELECT b.scene AS place, b.mega_bvh / a.mega AS ratio FROM published_table3 AS b JOIN published_table2 AS a USING (scene)

-- [C22]
-- Live lanes of running warps in one kernel; live lanes of all that are launched, of two stages less those of one kernel. Of frames of
-- at least 32 samples: of fewer the end, when slots run dry, weighs more than in the report's.
SELECT label, vote, literal, in_document, device_name, width, height, spp, few AS excluded, counted || coalesce(', ' || other_counted, '') AS trials,
       other_lanes AS lanes,
       live - other_live AS balance
FROM compared
JOIN scene_vote USING (label)
WHERE role = 'naive' AND spp >= 32
-- [C22]
-- the same of lanes that execute in all instructions, as the hardware counts them, on whatever scene
WITH whole AS (SELECT setting, trial, 1.0 * sum(executing) / sum(lanes) AS share FROM executed GROUP BY setting)
SELECT c.label, vote, literal, 1 AS in_document, c.device_name, c.width, c.height, c.spp, 'executing' AS executing, w.trial || ', ' || m.trial AS trials,
       w.share - m.share AS coherence
FROM compared AS c
JOIN whole AS w ON w.setting = c.setting
JOIN whole AS m ON m.setting = c.other_setting
JOIN scene_vote USING (label)
WHERE c.role = 'naive'

-- [C23]
-- The wide tree against the binary one: lanes that execute inside the traversal (lockstep model).
SELECT label, vote, literal, in_document, variant, machine, size, spp, counted AS trials, lanes AS coherence
FROM tree_pair
JOIN scene_vote USING (label)
WHERE form = 'wide' AND lanes NOTNULL
-- [C23]
-- sectors of 32 bytes that the first-level cache misses in a frame of one kernel
SELECT label, vote, literal, in_document, variant, machine, size, spp, 'cache' AS of_what, missed_trials AS trials, misses AS missed
FROM tree_pair
JOIN scene_vote USING (label)
WHERE form = 'wide' AND misses NOTNULL
-- [C23]
-- time with nodes that are not aligned to lines over that with nodes that are
SELECT u.label, vote, literal, in_document, u.variant, u.machine, u.size, u.spp, 'aligned' AS of_what, u.flags || '|' || a.flags AS flags,
       u.trials || ', ' || a.trials AS trials,
       u.time / a.time AS aligned, u.time / a.time * quadrature(u.half / u.time, a.half / a.time) AS aligned_half
FROM tree_pair AS u
JOIN tree_pair AS a ON a.slice = u.slice AND a.work = u.work AND a.variant = u.variant AND a.form = 'wide, aligned'
JOIN scene_vote USING (label)
WHERE u.form = 'wide'
-- [C23]
-- how time, wide over binary, is ranked against the scene's triangles: of each kernel the largest set of scenes counts
SELECT variant, variant AS vote, count(*) AS literal, count(*) AS scenes, group_concat(flags, '|') AS flags, group_concat(trials, ', ') AS trials,
       rank_correlation(triangles, time) AS correlation
FROM tree_pair
WHERE form = 'wide' AND time NOTNULL AND triangles > 0
GROUP BY slice, variant
HAVING count(*) > 2

-- [C24]
-- Lanes that execute inside the traversal in one kernel less those in two stages, of warps in which equally many lanes begin to trace (lockstep
-- model): the mean over these numbers of lanes, each with the weight of the pipeline that has fewer such warps. Of older counts, which do not tell
-- them apart, of warps all of whose lanes trace a ray.
WITH entry AS (
    SELECT n.trial, e.lanes AS entering, e.warps,
           (i.weight * e.inner_live + t.weight * e.triangle_live) / (n.warp_width * (i.weight * e.inner_steps + t.weight * e.triangle_steps)) AS lanes
    FROM result AS n
    JOIN entry_lanes AS e ON e.attempt = n.attempt
    JOIN step_weight AS i ON i.step = 'inner'
    JOIN step_weight AS t ON t.step = 'triangle'
    WHERE n.collection = 'counts' AND e.inner_steps + e.triangle_steps > 0
    UNION ALL
    SELECT n.trial, n.warp_width, 1, (i.weight * n.full_inner_live + t.weight * n.full_triangle_live) /
                                         (n.warp_width * (i.weight * n.full_inner_steps + t.weight * n.full_triangle_steps))
    FROM work_done AS n
    JOIN step_weight AS i ON i.step = 'inner'
    JOIN step_weight AS t ON t.step = 'triangle'
    WHERE n.full_inner_steps > 0 AND n.trial NOT IN (SELECT a.trial FROM result AS a JOIN entry_lanes AS e ON e.attempt = a.attempt)
),
side AS (                           -- two stages with a pool, and without
    SELECT *, counted AS staged FROM compared WHERE role = 'naive'
    UNION ALL
    SELECT m.*, t.other_counted FROM compared AS m JOIN compared AS t ON t.setting = m.setting AND t.role = 'two_stage_pixel' WHERE m.role = 'naive'
)
SELECT c.label, vote, literal, in_document, c.device_name, c.width, c.height, c.spp, iif(c.staged = c.counted, NULL, 'pool') AS without,
       w.trial || ', ' || m.trial AS trials,
       sum(min(w.warps, m.warps) * (m.lanes - w.lanes)) / sum(min(w.warps, m.warps)) AS fewer
FROM side AS c
JOIN entry AS w ON w.trial = c.staged
JOIN entry AS m ON m.trial = c.other_counted AND m.entering = w.entering
JOIN scene_vote USING (label)
GROUP BY c.setting, w.trial, m.trial

-- [C25]
-- Rays sorted between stages, each key against rays that are not, of the keys the best for each: lines of 128 bytes that warps read for their lanes'
-- loads of nodes, of which there are as many (lockstep model).
SELECT label, vote, literal, in_document, device_name, width, height, part, ray_sort, 'all loads' AS loads, counted AS trials, min(in_all) AS in_all
FROM sorted_rays
JOIN scene_vote USING (label)
GROUP BY unsorted
-- [C25]
-- lines that a warp reads in a step over nodes
SELECT label, vote, literal, in_document, device_name, width, height, part, ray_sort, 'a step' AS loads, counted AS trials, min(lines) AS lines
FROM sorted_rays
JOIN scene_vote USING (label)
GROUP BY unsorted
-- [C25]
-- lanes that execute inside the traversal (lockstep model)
SELECT label, vote, literal, in_document, device_name, width, height, part, ray_sort, counted AS trials, max(lanes) AS lanes
FROM sorted_rays
JOIN scene_vote USING (label)
GROUP BY unsorted
-- [C25]
SELECT label, vote, literal, in_document, device_name, width, height, part, ray_sort, 'time' AS timed, flags, trials, min(time) AS time,
       half AS time_half
FROM sorted_rays
JOIN scene_vote USING (label)
GROUP BY unsorted
