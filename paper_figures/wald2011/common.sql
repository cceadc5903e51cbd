-- SPDX-License-Identifier: MIT
-- After ../common.sql: the choices that this paper studies, comparison with the naive kernel, and counts.

-- Settings with the choices that this paper studies. vote, literal, in_document: how a claim counts them, each scene once and at the paper's size
-- where it was measured; the stand-ins for the scenes of Table 1 decide. plain: all that is no column of its own is as in the paper; nearly_plain: as far as
-- `options` does not say otherwise; distance: how many choices differ from the paper's
CREATE TEMP VIEW setup AS
SELECT *, coalesce(nullif(stands_for, ''), label) AS vote, width = 1280 AND height = 768 AS literal, place_in_paper < 99 AS in_document,
       nearly_plain AND options = '' AS plain,
       nearly_plain AND options = '' AND unthrottled AND dummy_flops = 0 AND traversal = 'while_while' AS usual
FROM (SELECT *, materials = 'lambert07' AND lighting = 'direct' AND light_search = 'alias' AS matte,
             -- as the paper's tables say it, then what else differs from the default
             printf('block %d, %s, lane map %s, pixel order %s, leaf size %d, bins %d%s', block,
                    coalesce(registers || ' registers at most', 'registers as the compiler chooses'), lane_map, pixel_order, leaf_size, bins,
                    iif(far_first, ', farther child first', '')) || iif(heeded <> '', ', ' || heeded, '') AS schedule,
             compact_every = 1 AND loop = 'reconverged' AND NOT far_first AS nearly_plain,
             shared_pad = 0 AND carveout IS NULL AND resident_blocks IS NULL AS unthrottled,
             (block <> 64) + (registers IS NOT 64) + (lane_map <> 'linear') + (pixel_order <> 'tile') + (leaf_size <> 4) + (bins <> 32) +
                 (seed <> 1) + (spp <> 1) + unlike AS distance
      FROM (SELECT c.setting, c.spec, c.label, c.stands_for, c.fitted, c.listed, c.main_camera, c.first_camera, c.place_in_paper, c.trial,
                   c.newest, c.trials, c.work, c.scene, c.camera, c.variant, c.device, c.device_kind, c.device_name, c.width, c.height, c.spp,
                   c.seed, c.max_bounces, c.materials, c.lighting, c.light_search, c.family, c.schedule AS heeded, t.registers, t.carveout,
                   t.resident_blocks, coalesce(t.warp_width, 32) AS chosen_width, t.tile_m, t.leaf_size, t.bins,
                   coalesce(t.block, 64) AS block, coalesce(t.lane_map, 'linear') AS lane_map,
                   coalesce(t.pixel_order, 'tile') AS pixel_order, coalesce(t.traversal, 'while_while') AS traversal,
                   coalesce(t.loop, 'reconverged') AS loop, coalesce(t.shared_pad, 0) AS shared_pad, coalesce(t.dummy_flops, 0) AS dummy_flops,
                   coalesce(t.far_first, 'no') = 'yes' AS far_first, coalesce(t.compact_every, 1) AS compact_every,
                   coalesce(t.path_bytes, '88') AS path_bytes,
                   (t.sampler <> 'counter') + (t.roulette <> 'weight5') + (t.tree <> 'binary') + coalesce(t.opacity <> 'full', 0) AS unlike,
                   iif(t.path_bytes <> '88', ', ' || t.path_bytes || ' bytes per path', '') ||
                       iif(t.path_layout <> 'aos', ', ' || t.path_layout, '') || iif(t.scan <> 'all', ', short scan', '') ||
                       iif(t.grid <> 'full', ', short grid', '') || iif(t.storage <> 'indices', ', moves paths', '') AS options
            FROM configured AS c
            JOIN trial_record AS t ON t.id = c.trial));

-- settings whose frames were asked for. seconds NULL: not measured, and flags tell why. counts: of settings that do the same in the same way, the
-- newest timed one, which stands for all
CREATE TEMP VIEW timed AS
SELECT s.*, f.seconds, f.relative_ci, f.noise_floor, f.flags,
       row_number() OVER (PARTITION BY s.work, s.device_name, s.schedule, s.options, s.variant, s.tile_m, s.traversal, s.loop, s.compact_every,
                                       s.dummy_flops, s.shared_pad, s.carveout, s.resident_blocks
                          ORDER BY f.seconds IS NULL, s.newest DESC) = 1 AS counts
FROM setup AS s JOIN setting_time AS f ON f.setting = s.setting;

-- against the naive kernel on the same work, device, tree, map, block, registers and dummy work: how many times as fast, half of the relative
-- interval of that, and the change in percent
CREATE TEMP VIEW versus AS
SELECT *, 100 * (speedup - 1) AS change, 100 * (speedup * (1 - speedup_ci) - 1) AS change_low, 100 * (speedup * (1 + speedup_ci) - 1) AS change_high
FROM (SELECT v.*, n.setting AS naive_setting, n.trials AS naive_trials, n.seconds AS naive_seconds, n.flags AS naive_flags,
             n.relative_ci AS naive_ci, n.seconds / v.seconds AS speedup, quadrature(v.relative_ci, n.relative_ci) AS speedup_ci,
             v.trials || ', ' || n.trials AS both_trials,
             CASE WHEN n.setting IS NULL THEN 'no_naive' ELSE
                 v.flags || '|' || n.flags ||
                 CASE WHEN max(n.seconds / v.seconds, v.seconds / n.seconds) - 1 <= max(v.noise_floor, n.noise_floor)
                      THEN '|unclear' ELSE '' END END AS speedup_flags
      FROM timed AS v
      LEFT JOIN timed AS n ON n.variant = 'naive' AND n.loop = 'reconverged' AND n.unthrottled AND n.counts AND n.work = v.work AND
                              n.device_name = v.device_name AND n.schedule = v.schedule AND n.traversal = v.traversal AND
                              n.dummy_flops = v.dummy_flops);

-- occupancy by hardware counters in percent, by spec: mostly of another experiment than the times
CREATE TEMP VIEW achieved AS
SELECT t.spec, max(c.value) AS percent
FROM counter AS c
JOIN trial_record AS t ON t.id = c.trial
WHERE c.launch IS NULL AND c.metric = 'achieved_occupancy' AND ((SELECT run FROM report_option) = '' OR t.id IN (SELECT trial FROM asked))
GROUP BY t.spec;

-- counts over all bounces, by spec of a setting (of its replicate 0): they may come from another experiment than the times
CREATE TEMP VIEW totals AS
SELECT *, row_number() OVER (PARTITION BY spec ORDER BY last_run DESC, trial DESC) AS nth
FROM (SELECT t.spec, t.last_run, t.id AS trial, max(a.warp_width) AS warp_width, sum(b.active_paths) AS paths,
             sum(b.active_warps) AS warps, sum(b.nodes + b.triangles) AS fetches,
             sum(iif(b.bounce = 0, b.active_paths, NULL)) AS first_paths,
             sum(iif(b.bounce = t.max_bounces, b.active_paths, 0)) AS last_paths,
             sum(iif(b.bounce = 0, b.active_warps, NULL)) AS first_warps,
             sum(iif(b.bounce = t.max_bounces, b.active_warps, 0)) AS last_warps
      FROM result AS a
      CROSS JOIN trial_record AS t ON t.id = a.trial
      CROSS JOIN bounce_counts AS b ON b.attempt = a.attempt AND b.bounce >= 0
      WHERE a.collection = 'counts' AND t.replicate = 0 AND ((SELECT run FROM report_option) = '' OR t.id IN (SELECT trial FROM asked))
      GROUP BY a.trial);

-- counts of the naive kernel, beside which those of a compacted one of as wide warps stand
CREATE TEMP VIEW counted_naive AS
SELECT s.work, s.device_name, s.schedule, CAST(o.trial AS TEXT) AS trials, o.paths, o.warps, o.warp_width, o.first_paths, o.last_paths,
       row_number() OVER (PARTITION BY s.work, s.device_name, s.schedule, o.warp_width ORDER BY s.newest DESC) AS place
FROM setup AS s JOIN totals AS o ON o.spec = s.spec AND o.nth = 1
WHERE s.variant = 'naive' AND s.usual;

-- counts and times by bounce, beside the specification that both belong to, of what launches were asked for
CREATE TEMP VIEW bounces AS
SELECT b.*, t.spec
FROM (SELECT DISTINCT s.spec FROM setup AS s JOIN state AS w ON w.setting = s.setting AND w.collection = 'launches') AS s
CROSS JOIN trial_record AS t ON t.spec = s.spec
CROSS JOIN table3 AS b ON b.trial = t.id
WHERE (SELECT run FROM report_option) = '' OR b.trial IN (SELECT trial FROM asked);

-- numbers of bounces, and one more
CREATE TEMP VIEW step AS
WITH RECURSIVE number(bounce) AS (SELECT 0 UNION ALL SELECT bounce + 1 FROM number WHERE bounce <= (SELECT max(max_bounces) FROM trial_record))
SELECT bounce FROM number;

-- ---- what claims share with each other and with the tables of section 4.2.7

-- timed settings as in the paper but for one choice: dummy work, traversal, light search, or block and registers
CREATE TEMP VIEW usual_case AS
SELECT *, label || printf(', %dx%d, %s', width, height, device_name) AS place, iif(fitted, 'fitted|', '') || flags AS words,
       iif(fitted, 'fitted|', '') || speedup_flags AS speedup_words
FROM versus
WHERE counts AND plain AND unthrottled AND materials = 'lambert07' AND lighting = 'direct' AND first_camera AND max_bounces = 8 AND
      lane_map = 'linear' AND pixel_order = 'tile';

-- whole_frame on every view and set of materials: what it saves against naive, and, where that was timed, what it gains. Of warps of 32 lanes
-- where their width can be chosen.
CREATE TEMP VIEW saving AS
SELECT c.*, c.label || iif(c.first_camera AND c.main_camera NOT IN ('', 'main'), ', ' || c.main_camera, '') AS view,
       iif(c.first_camera, c.main_camera, c.camera) AS eye,
       1.0 * n.last_paths / n.first_paths AS alive, 1.0 * n.paths / (n.warp_width * n.warps) AS utilisation,
       n.trials AS counted_trials, 1.0 * n.warps / o.warps AS saved, coalesce(o.trial, c.trials) || coalesce(', ' || n.trials, '') AS both_trials,
       iif(n.warps IS NULL OR o.warps IS NULL, 'not_asked|', '') || iif(c.fitted, 'fitted', '') AS saved_flags,
       coalesce(c.speedup_flags, 'not_asked') || iif(c.fitted, '|fitted', '') AS change_flags
FROM (SELECT s.*, v.seconds, v.speedup, v.change, v.change_low, v.change_high, v.speedup_flags, coalesce(v.both_trials, s.trials) AS timed_trials,
             row_number() OVER (PARTITION BY s.scene, iif(s.first_camera, '', s.camera), s.materials, s.width, s.height, s.max_bounces,
                                             s.family, s.schedule, s.device_name ORDER BY v.seconds IS NULL, s.newest DESC) AS nth
      FROM setup AS s
      LEFT JOIN versus AS v ON v.setting = s.setting
      WHERE s.variant = 'whole_frame' AND s.usual AND s.lighting = 'direct' AND s.light_search = 'alias' AND s.chosen_width = 32) AS c
LEFT JOIN totals AS o ON o.spec = c.spec AND o.nth = 1
LEFT JOIN counted_naive AS n ON n.work = c.work AND n.device_name = c.device_name AND n.schedule = c.schedule AND n.place = 1 AND
                                n.warp_width = coalesce(o.warp_width, 32)
WHERE c.nth = 1;

-- the same as a table shows it; realised: the share of what is saved that becomes a gain
CREATE TEMP VIEW saving_line AS
SELECT label, view, place_in_paper, scene AS of_scene, materials AS surfaces, matte, first_camera, alive, utilisation, counted_trials, saved,
       saved_flags, both_trials, change, change_low, change_high, change_flags, timed_trials,
       iif(saved > 1.05, (speedup - 1) / (saved - 1), NULL) AS realised,
       iif(saved <= 1.05, 'little_saved' || iif(fitted, '|fitted', ''), change_flags) AS realised_flags,
       timed_trials || ', ' || both_trials AS all_trials, distance, -abs(max_bounces - 8) AS near, newest, trials AS of_trials, device, device_name,
       width, height, max_bounces, family, family AS work, schedule
FROM saving;

-- what is saved in 8 bounces, once for each view, set of materials, roulette and image size, on whatever device it was
-- counted: in the schedule that is nearest to the paper's
CREATE TEMP VIEW saved_any AS
SELECT *
FROM (SELECT s.*, t.roulette, coalesce(t.opacity = 'scene', 0) AS pierced, s.view || printf(', %dx%d', s.width, s.height) AS place,
             row_number() OVER (PARTITION BY s.scene, s.eye, s.materials, t.roulette, t.opacity, s.width, s.height
                                ORDER BY s.distance, s.device_kind <> 'gpu', s.newest DESC) AS pick
      FROM saving AS s
      JOIN trial_record AS t ON t.id = s.trial
      WHERE s.saved IS NOT NULL AND s.max_bounces = 8)
WHERE pick = 1;

-- the same where rays pass no surface by its opacity
CREATE TEMP VIEW saved AS
SELECT * FROM saved_any WHERE NOT pierced;

-- of the views of `saved_any`: of naive's warps at each later bounce the share that loses some of its paths and not all. mirrors: of its
-- evaluations of materials those of perfect mirrors. Only where this was counted.
CREATE TEMP VIEW fate AS
SELECT s.scene, s.eye, s.materials, s.roulette, s.pierced, s.width, s.height, s.matte, s.fitted, s.work, s.place, s.place_in_paper,
       s.counted_trials AS trial,
       b.bounce, sum(b.branch_warps_end) AS warps, 1.0 * sum(b.branch_parts_end) / sum(b.branch_warps_end) AS mixed,
       (SELECT 1.0 * sum(m.shaded_chrome) / sum(m.shaded_lambert + m.shaded_blinn + m.shaded_glass + m.shaded_chrome + m.shaded_carpaint +
                                                m.shaded_glossy + m.shaded_reflective + m.shaded_transparent + m.shaded_blend)
        FROM bounce_counts AS m WHERE m.attempt = a.attempt AND m.bounce < 0) AS mirrors
FROM saved_any AS s
CROSS JOIN result AS a ON a.trial = s.counted_trials AND a.collection = 'counts'
CROSS JOIN bounce_counts AS b ON b.attempt = a.attempt AND b.bounce > 0
GROUP BY a.attempt, b.bounce
HAVING sum(b.branch_warps_end) > 0;

-- of the views of `saved`: the share of the paths that leave the scene, and of those of bounce 1 that are left at bounce 2 and at the last
CREATE TEMP VIEW leaving AS
SELECT s.work, 1.0 * sum(b.deaths_miss) / s.first_paths AS share,
       1.0 * sum(iif(b.bounce = 2, b.active_paths, 0)) / sum(iif(b.bounce = 1, b.active_paths, 0)) AS second,
       1.0 * s.last_paths / sum(iif(b.bounce = 1, b.active_paths, 0)) AS lasting
FROM (SELECT s.work, o.trial, o.first_paths, o.last_paths FROM saved AS s JOIN totals AS o ON o.spec = s.spec AND o.nth = 1
      GROUP BY s.work) AS s
CROSS JOIN result AS a ON a.trial = s.trial AND a.collection = 'counts'
CROSS JOIN bounce_counts AS b ON b.attempt = a.attempt AND b.bounce >= 0
GROUP BY s.work;

-- ---- what claims are judged by: cases in the paper's own configuration, and pairs of them

-- settings like the paper's in all but scene, size, bounce limit, variant and throttle. Of a scene that was made in two ways, that
-- with more of them: what is compared must be of one
CREATE TEMP VIEW faithful AS
SELECT *, printf('%s, %dx%d', label, width, height) || iif(max_bounces = 8, '', printf(', limit %d', max_bounces)) AS place,
       distance - (coalesce(registers, 0) <> 64) = 0 AS counts_as, -- registers change no count
       distance = 0 AS times_as
FROM (SELECT *, dense_rank() OVER (PARTITION BY scene, width, height, max_bounces ORDER BY settings DESC, last DESC, work) AS way
      FROM (SELECT *, count(*) OVER same AS settings, max(newest) OVER same AS last
            FROM setup
            WHERE first_camera AND matte AND plain AND dummy_flops = 0 AND traversal = 'while_while' AND
                  distance - (coalesce(registers, 0) <> 64) - (lane_map <> 'linear') = 0
            WINDOW same AS (PARTITION BY work)))
WHERE way = 1;

-- counts, one of each scene, size, bounce limit, variant, lane map and tile. Devices count alike: see claim C09.
-- open: of 8 camera paths at most one is left at bounce 8
CREATE TEMP VIEW counted_case AS
SELECT *, max(iif(variant = 'naive' AND lane_map = 'linear' AND max_bounces = 8, first_paths >= 8 * last_paths, NULL))
              OVER (PARTITION BY scene, width, height, family) AS open
FROM (SELECT f.*, o.warp_width, o.paths, o.warps, o.first_paths, o.last_paths, o.first_warps, o.last_warps, o.trial AS counted,
             row_number() OVER (PARTITION BY f.work, f.variant, f.lane_map, f.tile_m ORDER BY f.newest DESC) AS nth
      FROM faithful AS f JOIN totals AS o ON o.spec = f.spec AND o.nth = 1
      WHERE f.unthrottled AND o.warp_width = 32)
WHERE nth = 1;

-- naive beside whole_frame, of the linear map. once: one size of each scene, the paper's where it was counted
CREATE TEMP VIEW counted_pair AS
SELECT n.*, row_number() OVER (PARTITION BY n.vote, n.max_bounces ORDER BY w.counted IS NULL, n.literal DESC, n.width, n.counted) = 1 AS once,
       iif(n.fitted, 'fitted', '') AS words, n.counted || coalesce(', ' || w.counted, '') AS both_trials, w.counted AS other,
       1.0 * n.warps / w.warps AS saved
FROM counted_case AS n
LEFT JOIN counted_case AS w ON w.work = n.work AND w.variant = 'whole_frame' AND w.counts_as
WHERE n.variant = 'naive' AND n.counts_as;

-- times, one of each scene, size, device, bounce limit, variant, tile and throttle; held: warps, as many as a multiprocessor holds
CREATE TEMP VIEW timed_case AS
SELECT v.*, f.place || ', ' || v.device_name AS place, iif(v.fitted, 'fitted|', '') || v.flags AS words,
       (SELECT min(k.multiprocessor_warps) FROM kernels AS k WHERE k.trial = v.trial AND k.auxiliary = 0 AND k.collection = 'frame') AS held
FROM versus AS v JOIN faithful AS f ON f.setting = v.setting AND f.times_as
WHERE v.counts;

-- two of them on the same work and device, the second without a throttle or, but for naive, with the same carve-out alone: how many times as
-- fast the first is, with half of the interval, and with that or the noise floor, whichever is wider
CREATE TEMP VIEW pair AS
SELECT a.*, b.variant AS other, b.tile_m AS other_m, b.seconds AS other_seconds, b.held AS other_held, b.carveout AS other_carveout,
       b.seconds / a.seconds AS ratio, b.seconds / a.seconds * quadrature(a.relative_ci, b.relative_ci) AS half,
       b.seconds / a.seconds * max(quadrature(a.relative_ci, b.relative_ci), coalesce(a.noise_floor, 0), coalesce(b.noise_floor, 0)) AS noise,
       a.words || '|' || b.words AS both_words, a.trials || ', ' || b.trials AS pair_trials
FROM timed_case AS a
JOIN timed_case AS b ON b.work = a.work AND b.device_name = a.device_name AND b.shared_pad = 0 AND b.resident_blocks IS NULL AND
                         (b.carveout IS NULL OR b.carveout = a.carveout AND b.variant <> 'naive');

-- times per warp and bounce at the limit of 8, of each scene, size and device: compaction on (whole_frame) and off (whole_frame_off);
-- empty: the most that an empty launch takes of it, by the shortest launch of these variants on the device
CREATE TEMP VIEW bounce_case AS
SELECT n.scene, n.vote, n.literal, n.in_document, n.fitted, n.work, n.spec, n.device_name, n.width, n.height, n.place || ', ' || n.device_name AS place,
       n.trials, iif(n.variant = 'whole_frame', 'on', 'off') AS compaction, b.bounce, b.active_paths, b.paths_per_warp,
       b.microseconds_per_warp AS time, b.relative_ci AS ci, coalesce(b.underfilled, 0) AS underfilled,
       1e6 * s.seconds * b.paths_per_warp / b.active_paths AS empty,
       iif(n.fitted, 'fitted|', '') || iif(b.underfilled, 'bounce_idle|', '') ||
           CASE WHEN b.microseconds_per_warp IS NOT NULL THEN iif(b.replicates < 5, 'few_replicates', '') || iif(b.throttled, '|throttled', '')
                WHEN EXISTS (SELECT 1 FROM bounce_time AS k WHERE k.setting = n.setting) THEN 'untimed' ELSE n.reason END AS words
FROM (SELECT f.*, w.reason, row_number() OVER (PARTITION BY f.work, f.device_name, f.variant
                                               ORDER BY f.setting NOT IN (SELECT setting FROM bounce_time), f.newest DESC) AS nth
      FROM faithful AS f JOIN state AS w ON w.setting = f.setting AND w.collection = 'launches' AND NOT w.outdated
      WHERE f.variant IN ('whole_frame', 'whole_frame_off') AND f.max_bounces = 8 AND f.times_as AND f.unthrottled) AS n
JOIN bounces AS b ON b.spec = n.spec
LEFT JOIN (SELECT r.device_name, min(l.seconds) AS seconds FROM result AS r CROSS JOIN launch AS l ON l.attempt = r.attempt
           WHERE r.trial IN (SELECT id FROM trial_record WHERE variant IN ('whole_frame', 'whole_frame_off')) GROUP BY r.device_name)
    AS s ON s.device_name = n.device_name
WHERE n.nth = 1;

-- two bounces of one kernel: the time of a warp in terms of that at the other bounce, `base`; per path; and without an empty launch
CREATE TEMP VIEW rise AS
SELECT e.*, b.bounce AS base, e.time / b.time AS ratio, e.time / b.time * quadrature(e.ci, b.ci) AS half, e.time - b.time AS more,
       e.time - e.empty - b.time + b.empty AS more_alone, b.paths_per_warp AS base_paths, b.words || '|' || e.words AS both_words
FROM bounce_case AS e
JOIN bounce_case AS b ON b.work = e.work AND b.device_name = e.device_name AND b.compaction = e.compaction;

-- both kernels at one bounce: on over off; those bounces that do not fill the device count where none does
CREATE TEMP VIEW on_off AS
SELECT *, min(idle) OVER (PARTITION BY work, device_name) = idle AS counts
FROM (SELECT n.*, f.paths_per_warp AS off_paths, n.time / f.time AS ratio, n.time / f.time * quadrature(n.ci, f.ci) AS half,
             n.underfilled OR f.underfilled AS idle,
             n.words || '|' || f.words AS both_words, n.trials || ', ' || f.trials AS both_trials, f.spec AS off_spec
      FROM bounce_case AS n
      JOIN bounce_case AS f ON f.work = n.work AND f.device_name = n.device_name AND f.bounce = n.bounce AND f.compaction = 'off'
      WHERE n.compaction = 'on');

-- dummy arithmetic at every measured amount, of configurations that have several. multiple: naive time over that without any; saved: executions of
-- the extension by warps, naive over compacted; first: the least amount
CREATE TEMP VIEW dummy_amount AS
SELECT *, naive_seconds / naive_0 AS multiple, max(naive_seconds / naive_0) OVER panel IS NOT NULL AS measured
FROM (SELECT v.*, w.saved, max(iif(dummy_flops = 0, naive_seconds, NULL)) OVER panel AS naive_0,
             max(iif(dummy_flops = 0, seconds, NULL)) OVER panel AS whole_0, count(*) OVER panel AS amounts,
             dummy_flops = min(dummy_flops) OVER panel AS first, min(distance) OVER panel AS least, max(newest) OVER panel AS last,
             -abs(max_bounces - 8) AS near, group_concat(both_trials, ', ') OVER panel AS all_trials
      FROM versus AS v
      LEFT JOIN (SELECT s.work, 1.0 * max(iif(s.variant = 'naive', o.warps, NULL)) / max(iif(s.variant = 'whole_frame', o.warps, NULL)) AS saved
                 FROM setup AS s JOIN totals AS o ON o.spec = s.spec AND o.nth = 1 AND o.warp_width = 32
                 WHERE s.lane_map = 'linear' AND s.pixel_order = 'tile' AND s.plain AND s.block = 64
                 GROUP BY s.work) AS w ON w.work = v.work
      WHERE v.variant = 'whole_frame' AND v.counts AND v.plain AND v.unthrottled AND v.traversal = 'while_while' AND v.matte
      WINDOW panel AS (PARTITION BY v.work, v.device_name, v.schedule))
WHERE amounts > 1 OR (SELECT everything FROM report_option)
WINDOW panel AS (PARTITION BY work, device_name, schedule);

-- tiled_shared against naive: as it was launched, at M = 4; at its fastest M; held to the fewest warps at M = 4. degree: how many scenes fill
-- the device at this size as it was launched
CREATE TEMP VIEW tile_slowdown AS
SELECT *, 1 / ratio AS slowdown, half / pow(ratio, 2) AS slowdown_half, unthrottled AND tile_m = 4 AS launched, unthrottled AND rank = 1 AS best,
       rarest = 1 AND tile_m = 4 AS quarter,
       sum(in_document AND NOT fitted AND unthrottled AND tile_m = 4 AND instr(both_words, 'underfilled') = 0) OVER (PARTITION BY width, height) +
           0.5 * literal AS degree,
       printf('%s, M %d', place, tile_m) || iif(unthrottled, '', iif(shared_pad > 0, ', ' || shared_pad || ' unused bytes', '') ||
           coalesce(', at most ' || resident_blocks || ' blocks', '')) AS name
FROM (SELECT *, row_number() OVER (PARTITION BY work, device_name, unthrottled ORDER BY ratio DESC) AS rank,
             row_number() OVER (PARTITION BY work, device_name, tile_m ORDER BY held, carveout IS NOT NULL, resident_blocks IS NOT NULL) AS rarest
      FROM pair
      WHERE variant = 'tiled_shared' AND other = 'naive' AND max_bounces = 8 AND place_in_paper < 99);

-- a launch per bounce against naive at each bounce limit, in percent; any_idle: whether none of its limits fills the device
CREATE TEMP VIEW off_overhead AS
SELECT *, min(idle) OVER (PARTITION BY scene, device_name, width, height) AS any_idle
FROM (SELECT *, 100 * (1 / ratio - 1) AS overhead, 100 * half / pow(ratio, 2) AS error, instr(both_words, 'underfilled') > 0 AS idle
      FROM pair
      WHERE variant = 'whole_frame_off' AND other = 'naive' AND unthrottled AND max_bounces BETWEEN 1 AND 8 AND stands_for = 'fairy');

-- the tiled kernels' speed against M: the fastest, and which are the ends of the sweep
CREATE TEMP VIEW tile_curve AS
SELECT *, tile_m IN (min(tile_m) OVER tiles, max(tile_m) OVER tiles) AS at_end, max(speedup) OVER tiles AS fastest
FROM timed_case
WHERE variant IN ('tiled_global', 'tiled_shared') AND max_bounces = 8 AND unthrottled
WINDOW tiles AS (PARTITION BY work, device_name, variant ORDER BY tile_m ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING);

-- Idle multiprocessors of a bounce's launches, by their time, as words of a footnote; of counters or, without them, of a timeline.
CREATE TEMP VIEW idle_bounce AS
SELECT spec, bounce, iif(idle IS NULL, NULL, printf('|%.0f %% of multiprocessor time idle', 100 * idle)) AS words
FROM (SELECT t.spec, l.bounce, CASE count(*) WHEN 1 THEN max(l.idle_multiprocessors) WHEN count(l.seconds) THEN
                 sum(l.idle_multiprocessors * l.seconds) / nullif(sum(l.seconds), 0) END AS idle,
             row_number() OVER (PARTITION BY t.spec, l.bounce ORDER BY l.source, t.last_run DESC, t.id DESC) AS nth
      FROM launch_idle AS l
      JOIN trial_record AS t ON t.id = l.trial
      WHERE NOT l.auxiliary AND l.bounce NOTNULL
      GROUP BY t.id, l.source, l.bounce)
WHERE nth = 1;
