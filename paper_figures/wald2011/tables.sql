-- SPDX-License-Identifier: MIT
-- Wald 2011: the query of each table, under its id; views that they share are those of common.sql.

-- [table1]
-- Table 1: frames per second of each scene, and the change against the naive kernel. One panel per device, image size, bounce limit and schedule; a
-- row is a scene in its first camera, of scenes those that stand for one of the paper's table, a series a variant. Unless :all is 1, a size and
-- bounce limit is shown in the schedule with the most cells, nearest to the paper's, and only where it has at least half as many cells as the
-- fullest panel. Behind ../device_panel.sql.
cell AS (
    SELECT *
    FROM versus
    WHERE variant IN ('naive', 'whole_frame', 'tiled_shared', 'tiled_global') AND usual AND matte AND coalesce(tile_m, 4) = 4 AND
          first_camera AND listed
    ORDER BY trial
),
configuration AS (
    SELECT device_name, width, height, max_bounces, family, schedule, count(DISTINCT scene || '/' || variant) AS cells,
           max(newest) AS newest, min(distance) AS distance, min(device) AS device, group_concat(trials, ', ') AS trials
    FROM cell
    GROUP BY device_name, width, height, max_bounces, family, schedule
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY device_name, width, height, max_bounces ORDER BY cells DESC, distance, newest DESC) +
               iif(2 * cells < max(cells) OVER (PARTITION BY device_name), 1000, 0) AS place
    FROM configuration
),
newest AS (                         -- one setting per cell, of a scene that was made in two ways that with more of them
    SELECT p.panel, p.trials AS panel_trials, p.device AS panel_device, p.left_out, c.*,
           row_number() OVER (PARTITION BY p.panel, c.scene, c.variant
                              ORDER BY c.seconds IS NULL, (SELECT count(k.seconds) FROM cell AS k
                                                           WHERE k.work = c.work AND k.device_name = c.device_name AND
                                                                 k.schedule = c.schedule) DESC,
                                       c.newest DESC) AS nth
    FROM cell AS c
    JOIN panel AS p USING (device_name, width, height, max_bounces, family, schedule)
),
gained AS (                         -- the change with whole-frame compaction, in percent, on images that fill the device and on others
    SELECT device_name, min(iif(idle, NULL, change)) AS least, max(iif(idle, NULL, change)) AS most,
           min(iif(idle, change, NULL)) AS idle_least, max(iif(idle, change, NULL)) AS idle_most
    FROM (SELECT device_name, change, instr(speedup_flags, 'underfilled') > 0 AS idle, width * height = 1280 * 768 AS own
          FROM newest
          WHERE nth = 1 AND variant = 'whole_frame' AND max_bounces = 8 AND NOT fitted)
    WHERE own OR NOT idle
    GROUP BY device_name
)
SELECT n.panel, n.label AS scene_for, iif(n.max_bounces = 8, nullif(n.stands_for, ''), NULL) AS paper_scene, n.variant,
       n.spp / n.seconds AS rate, n.spp / n.seconds / (1 + n.relative_ci) AS rate_low,
       n.spp / n.seconds * (1 + n.relative_ci) AS rate_high, n.flags, n.trials AS of_trials, n.change, n.change_low, n.change_high,
       n.speedup * q.naive / CASE n.variant WHEN 'whole_frame' THEN q.whole_frame ELSE q.tiled_shared END AS change_ratio,
       n.speedup_flags || iif(n.fitted, '|fitted', '') AS change_flags, n.both_trials, g.least, g.most, g.idle_least, g.idle_most,
       (SELECT min(whole_frame_change) FROM published_table1) AS least_published,
       (SELECT max(whole_frame_change) FROM published_table1) AS most_published,
       n.panel_device AS device, n.device_name, n.width, n.height, n.max_bounces, n.family AS work, n.schedule, n.panel_trials AS trials,
       n.left_out
FROM newest AS n
LEFT JOIN gained AS g ON g.device_name = n.device_name
LEFT JOIN published_table1 AS q ON q.scene = n.stands_for AND n.max_bounces = 8
WHERE n.nth = 1
ORDER BY n.panel, n.place_in_paper, n.scene

-- [table2]
-- Table 2: active paths and active warps per bounce, naive and whole-frame compaction. A panel per configuration: trials that compute the same paths
-- (`work`) on one device with one warp width and one map from lanes to pixels. Block sizes that are whole warps give the same warps; any other is a
-- configuration of its own. Of each scene, camera and device the configuration is shown that is nearest to the paper's, and of scenes those that
-- stand for one of its Table 1, if there are any. A bounce without a stored row has no active path and no active warp.
WITH candidate AS MATERIALIZED (    -- of trials that outdate each other, the last with finished counts
    SELECT p.trial, p.variant, p.work, t.scene, p.lane_map, p.pixel_order, p.block_class, p.attempt, p.warp_width, p.device_name,
           a.counts_digest
    FROM path_placement AS p
    JOIN trial_record AS t ON t.id = p.trial
    JOIN attempt AS a ON a.id = p.attempt
    WHERE (p.variant = 'naive' OR (p.variant = 'whole_frame' AND coalesce(t.compact_every, 1) = 1)) AND p.loop = 'reconverged' AND
          t.id IN requested AND
          NOT EXISTS (SELECT 1 FROM trial_record AS n
                      WHERE n.spec = t.spec AND (n.last_run, n.id) > (t.last_run, t.id) AND (:run = '' OR n.id IN asked) AND
                            EXISTS (SELECT 1 FROM result AS x WHERE x.trial = n.id AND x.collection = 'counts'))
),
configuration AS MATERIALIZED (
    SELECT scene, device_name, warp_width, lane_map, pixel_order, block_class, max(trial) AS newest,
           max(iif(variant = 'naive', attempt, NULL)) AS latest_naive, max(iif(variant = 'whole_frame', attempt, NULL)) AS compacted,
           group_concat(iif(variant = 'naive', trial, NULL), ', ') AS naive_trials,
           group_concat(iif(variant = 'whole_frame', trial, NULL), ', ') AS compacted_trials, group_concat(trial, ', ') AS trials,
           count(DISTINCT counts_digest) AS digests
    FROM candidate
    GROUP BY work, scene, device_name, warp_width, lane_map, pixel_order, block_class
),
ranked AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY scene, eye, device_name
                                 ORDER BY listed IS 0, whole DESC, near DESC, own_width DESC, own_map DESC, small_block DESC, own_size DESC, newest DESC) +
              (listed IS 0) AS place
    FROM (SELECT c.*, t.camera, t.device, t.width, t.height, t.spp, t.seed, t.max_bounces, t.width * t.height * t.spp AS paths,
                 iif(t.camera = i.camera, '', t.camera) AS eye, :scene <> '' OR i.in_paper AND t.camera IN ('', i.camera) OR NOT i.any_in_paper AS listed,
                 'sampler ' || t.sampler || ', materials ' || t.materials || ', roulette ' || t.roulette || ', lighting ' || t.lighting AS work,
                 'lane map ' || c.lane_map || ', pixel order ' || c.pixel_order AS schedule, c.latest_naive IS NOT NULL AND c.compacted IS NOT NULL AS whole,
                 -abs(t.max_bounces - 8) AS near, c.warp_width = 32 AS own_width, (c.lane_map = 'linear') * 2 + (c.pixel_order = 'tile') AS own_map,
                 -c.block_class AS small_block, -abs(t.width * t.height - 1280 * 768) AS own_size
          FROM configuration AS c
          JOIN trial_record AS t ON t.id = c.newest
          JOIN (SELECT *, max(in_paper) OVER () AS any_in_paper
                FROM (SELECT scene, camera, stands_for IN (SELECT scene FROM published_table1) AS in_paper FROM stand_in
                      WHERE scene IN (SELECT scene FROM configuration))) AS i ON i.scene = t.scene)
),
panel AS MATERIALIZED (             -- what is shown, with the naive trial that table2 compares with, where it is of the runs asked for
    SELECT c.*, (SELECT count(*) FROM ranked WHERE place > 1 AND :all = 0) AS left_out,
           coalesce((SELECT naive_attempt FROM naive_pairing
                     WHERE attempt = c.compacted AND naive_attempt IN (SELECT attempt FROM candidate)), c.latest_naive) AS naive,
           (SELECT max(l.grid * l.block) - c.width * c.height FROM launch AS l
            WHERE l.attempt = coalesce(c.latest_naive, c.compacted) AND l.repetition = 0 AND l.auxiliary = 0) AS padding
    FROM ranked AS c
    WHERE c.place = 1 OR :all = 1
),
counted AS (
    SELECT attempt, bounce, sum(active_paths) AS paths, sum(active_warps) AS warps
    FROM bounce_counts WHERE bounce >= 0 AND attempt IN (SELECT naive FROM panel UNION SELECT compacted FROM panel)
    GROUP BY attempt, bounce
),
running AS (
    SELECT *, sum(active_paths) OVER sofar AS paths_sum, sum(naive_warps) OVER sofar AS naive_sum,
           sum(compacted_warps) OVER sofar AS compacted_sum
    FROM (SELECT p.*, s.bounce, coalesce(n.paths, c.paths, 0) AS active_paths, iif(p.naive IS NULL, NULL, coalesce(n.warps, 0)) AS naive_warps,
                 iif(p.compacted IS NULL, NULL, coalesce(c.warps, 0)) AS compacted_warps
          FROM panel AS p
          JOIN step AS s ON s.bounce <= p.max_bounces
          LEFT JOIN counted AS n ON n.attempt = p.naive AND n.bounce = s.bounce
          LEFT JOIN counted AS c ON c.attempt = p.compacted AND c.bounce = s.bounce)
    WINDOW sofar AS (PARTITION BY newest, warp_width, schedule, block_class ORDER BY bounce)
),
printed AS (                        -- the paper's naive warps are whole numbers: their sums are exact
    SELECT *, sum(naive_warps) OVER (ORDER BY bounce) AS naive_sum FROM published_table2
)
SELECT r.bounce, r.active_paths, r.paths_sum AS active_paths_cumulative, 1.0 * r.active_paths / r.paths AS alive,
       1.0 * q.active_paths / origin.active_paths AS alive_published,
       iif(r.bounce > 0, 1.0 * q.active_paths / origin.active_paths *
           (1.0 * q.active_paths_half / q.active_paths + 1.0 * origin.active_paths_half / origin.active_paths), 0) AS alive_published_half,
       r.naive_warps, r.naive_sum AS naive_warps_cumulative, 1.0 * r.active_paths / nullif(r.naive_warps, 0) AS naive_paths_per_warp,
       1.0 * r.paths_sum / nullif(r.naive_sum, 0) AS naive_paths_per_warp_cumulative,
       1.0 * r.active_paths / nullif(r.naive_warps * r.warp_width, 0) AS naive_utilisation,
       1.0 * r.paths_sum / nullif(r.naive_sum * r.warp_width, 0) AS naive_utilisation_cumulative,
       q.active_paths / (32.0 * q.naive_warps) AS naive_utilisation_published,
       q.active_paths_half / (32.0 * q.naive_warps) AS naive_utilisation_published_half,
       q.active_paths_cumulative / (32.0 * q.naive_sum) AS naive_utilisation_cumulative_published,
       q.active_paths_cumulative_half / (32.0 * q.naive_sum) AS naive_utilisation_cumulative_published_half,
       r.compacted_warps, r.compacted_sum AS compacted_warps_cumulative, 1.0 * r.naive_sum / nullif(r.compacted_sum, 0) AS saved,
       1.0 * r.naive_warps * r.warp_width / r.paths AS naive_share, 1.0 * q.naive_warps / origin.naive_warps AS naive_share_published,
       1.0 * r.compacted_warps * r.warp_width / r.paths AS compacted_share, 1.0 * q.compacted_warps / origin.naive_warps AS compacted_share_published,
       1.0 * q.compacted_warps_half / origin.naive_warps AS compacted_share_published_half,
       r.whole, r.near, r.own_width, r.own_map, r.small_block, r.own_size, r.newest, r.listed, r.eye, r.block_class, r.left_out,
       r.scene, r.camera, r.device, r.device_name, r.warp_width, r.width, r.height, r.spp, r.seed, r.max_bounces, r.paths,
       r.padding, r.work, r.schedule, r.naive_trials, r.compacted_trials, r.trials,
       iif(r.naive IS NOT NULL AND r.compacted IS NOT NULL, r.trials, NULL) AS both_trials, iif(r.digests > 1, 1, NULL) AS unequal
FROM running AS r
LEFT JOIN printed AS q ON q.bounce = r.bounce
LEFT JOIN printed AS origin ON origin.bounce = 0
ORDER BY r.scene, r.camera, r.device_name, r.newest, r.bounce

-- [table3]
-- Table 3: time of a bounce's kernel over its active warps, compaction off (whole_frame_off) and on (whole_frame). A panel per configuration; a row
-- is a bounce, a series whether paths are compacted.
WITH cell AS (
    SELECT s.*, iif(s.variant = 'whole_frame', 'on', 'off') AS compaction, w.reason, s.setting IN (SELECT setting FROM bounce_time) AS timed,
           row_number() OVER (PARTITION BY s.work, s.device_name, s.schedule, s.traversal, s.variant
                              ORDER BY s.setting NOT IN (SELECT setting FROM bounce_time), s.newest DESC) AS nth
    FROM setup AS s
    JOIN state AS w ON w.setting = s.setting AND w.collection = 'launches' AND NOT w.outdated
    WHERE s.variant IN ('whole_frame', 'whole_frame_off') AND s.plain AND s.unthrottled AND s.dummy_flops = 0
),
line AS (
    SELECT c.*, s.bounce, b.paths_per_warp, b.microseconds_per_warp AS time, b.nanoseconds_per_path AS path_time, b.relative_ci AS ci, b.waves,
           count(*) OVER panel AS kernels, min(c.distance) OVER panel AS least, max(c.newest) OVER panel AS last,
           group_concat(iif(s.bounce = 0, c.trials, NULL), ', ') OVER panel AS all_trials,
           CASE WHEN b.bounce IS NULL AND s.bounce > 0 THEN ''
                WHEN b.microseconds_per_warp IS NULL THEN iif(c.timed, 'untimed', c.reason)
                ELSE iif(b.replicates < 5, 'few_replicates|', '') || iif(b.throttled, 'throttled|', '') ||
                     iif(b.underfilled, 'few_waves' || coalesce(i.words, ''), '')
           END AS flags
    FROM cell AS c
    JOIN step AS s ON s.bounce <= c.max_bounces
    LEFT JOIN bounces AS b ON b.spec = c.spec AND b.bounce = s.bounce
    LEFT JOIN idle_bounce AS i ON i.spec = c.spec AND i.bounce = s.bounce
    WHERE c.nth = 1
    WINDOW panel AS (PARTITION BY c.work, c.device_name, c.schedule, c.traversal ORDER BY c.variant
                     ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
)
SELECT n.bounce, n.compaction, n.paths_per_warp, n.time, n.path_time, n.ci, n.flags, n.waves, n.trials AS of_trials,
       n.time / f.time AS on_off, quadrature(f.ci, n.ci) AS on_off_ci, ltrim(f.flags || '|' || n.flags, '|') AS on_off_flags,
       f.trials || ', ' || n.trials AS both_trials, q.on_time / q.off_time AS on_off_published,
       q.on_time / q.off_time * (q.on_time_half / q.on_time + q.off_time_half / q.off_time) AS on_off_half,
       iif(n.compaction = 'on', 1000 * q.on_time / q.on_paths_per_warp, 1000 * q.off_time / q.off_paths_per_warp) AS path_published,
       n.kernels > 1 + n.max_bounces AS whole, -abs(n.max_bounces - 8) AS near, n.matte, n.traversal = 'while_while' AS usual_traversal,
       -n.least AS close, n.last, n.work AS frame, n.scene, n.camera, n.device, n.device_name, n.width, n.height, n.max_bounces,
       n.family AS work, n.schedule || ', ' || n.traversal AS schedule, n.all_trials AS trials
FROM line AS n
LEFT JOIN line AS f ON n.compaction = 'on' AND f.compaction = 'off' AND f.work = n.work AND f.device_name = n.device_name AND
                       f.schedule = n.schedule AND f.traversal = n.traversal AND f.bounce = n.bounce
LEFT JOIN published_table3 AS q ON q.bounce = n.bounce
ORDER BY n.scene, n.camera, n.device_name, n.width * n.height, n.work, n.bounce, n.compaction

-- [table3_counters]
-- 4.2.4 and 5: what limits a warp, per bounce of Table 3's kernels: hardware counters and reasons why warps waited, compaction off (whole_frame_off)
-- and on (whole_frame), and naive, whose one launch has all bounces. A panel per configuration; a row is a launch, a series a metric or a reason.
-- Counters and samples of one specification may come from several experiments: the newest value of each counts.
WITH cell AS (
    SELECT s.*, w.reason, CASE s.variant WHEN 'whole_frame_off' THEN 'off' WHEN 'whole_frame' THEN 'on' ELSE 'naive' END AS compaction,
           coalesce(c.reason, 'not_asked') AS stall_reason,
           row_number() OVER (PARTITION BY s.work, s.device_name, s.schedule, s.variant ORDER BY c.reason IS NULL, s.newest DESC) AS nth
    FROM setup AS s
    JOIN state AS w ON w.setting = s.setting AND w.collection = 'counters' AND NOT w.outdated
    LEFT JOIN state AS c ON c.setting = s.setting AND c.collection = 'stalls' AND NOT c.outdated
    WHERE s.variant IN ('naive', 'whole_frame', 'whole_frame_off') AND s.usual AND s.matte
),
chosen AS (
    SELECT *, max(variant <> 'naive') OVER panel AS compacted, count(*) OVER panel AS kernels, min(distance) OVER panel AS least,
           group_concat(trials, ', ') OVER panel AS all_trials, iif(variant = 'naive', NULL, max_bounces) AS last
    FROM cell WHERE nth = 1
    WINDOW panel AS (PARTITION BY work, device_name, schedule)
),
line AS (                           -- bounce -1: a launch of mixed bounces
    SELECT c.*, iif(c.last IS NULL, -1, s.bounce) AS bounce
    FROM chosen AS c JOIN step AS s ON s.bounce <= coalesce(c.last, 0)
    WHERE c.compacted OR :all = 1
),
counted AS MATERIALIZED (
    SELECT spec, bounce, metric, value, trial
    FROM (SELECT t.spec, coalesce(k.bounce, -1) AS bounce, k.metric, k.value, k.trial,
                 row_number() OVER (PARTITION BY t.spec, k.bounce, k.metric ORDER BY t.last_run DESC, t.id DESC) AS nth
          FROM counter AS k JOIN trial_record AS t ON t.id = k.trial
          WHERE k.launch IS NOT NULL AND NOT k.auxiliary AND (:run = '' OR t.id IN (SELECT trial FROM asked)) AND
                k.metric IN ('simd_efficiency', 'achieved_occupancy', 'fp32_utilisation', 'l1_hit_rate', 'l2_hit_rate'))
    WHERE nth = 1
),
counters AS (
    SELECT spec, bounce, replace(group_concat(DISTINCT trial), ',', ', ') AS trials FROM counted GROUP BY spec, bounce
),
sampled AS MATERIALIZED (           -- memory: waiting for it, 'long_scoreboard'; other: the other reasons to wait, the most frequent first
    SELECT *, iif(reason IN ('long_scoreboard', 'selected'), NULL,
                  row_number() OVER (PARTITION BY spec, bounce, reason IN ('long_scoreboard', 'selected') ORDER BY samples DESC, reason)) AS other
    FROM (SELECT t.spec, coalesce(k.bounce, -1) AS bounce, k.reason, k.samples, k.share, k.trial,
                 dense_rank() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
          FROM stalls AS k JOIN trial_record AS t ON t.id = k.trial
          WHERE NOT k.auxiliary AND (:run = '' OR t.id IN (SELECT trial FROM asked)))
    WHERE nth = 1
),
reason AS (                         -- of launches: those that are more than 3 % of some launch of the panel; the others go into one
    SELECT l.spec, s.bounce, s.share, s.trial,
           iif(max(s.share) OVER (PARTITION BY l.work, l.device_name, l.schedule, s.reason) >= 0.03 AND
               s.reason IN ('long_scoreboard', 'wait', 'not_selected', 'selected', 'math_pipe_throttle', 'branch_resolving', 'short_scoreboard',
                            'dispatch_stall', 'no_instructions', 'lg_throttle'), 'r_' || s.reason, 'r_other') AS series
    FROM line AS l JOIN sampled AS s ON s.spec = l.spec AND s.bounce = l.bounce
),
part AS (
    SELECT l.spec, l.bounce, m.column1 AS series, k.value, NULL AS next_share, c.trials AS trial,
           CASE WHEN k.value IS NOT NULL THEN '' WHEN l.spec NOT IN (SELECT spec FROM counted) THEN l.reason
                WHEN c.spec IS NOT NULL THEN 'not_asked' ELSE '' END AS flags
    FROM line AS l
    CROSS JOIN (VALUES ('simd_efficiency'), ('achieved_occupancy'), ('fp32_utilisation'), ('l1_hit_rate'), ('l2_hit_rate')) AS m
    LEFT JOIN counters AS c ON c.spec = l.spec AND c.bounce = l.bounce
    LEFT JOIN counted AS k ON k.spec = l.spec AND k.bounce = l.bounce AND k.metric = m.column1
    UNION ALL
    SELECT l.spec, l.bounce, 'memory', s.memory, s.others, s.trial, iif(l.spec IN (SELECT spec FROM sampled), '', l.stall_reason)
    FROM line AS l
    LEFT JOIN (SELECT spec, bounce, sum(iif(reason = 'long_scoreboard', share, 0)) AS memory, max(iif(other, share, NULL)) AS others,
                      max(trial) AS trial
               FROM sampled GROUP BY spec, bounce) AS s ON s.spec = l.spec AND s.bounce = l.bounce
    UNION ALL
    SELECT l.spec, l.bounce, 'next', s.share, NULL, s.trial, coalesce('stall_' || s.reason, iif(l.spec IN (SELECT spec FROM sampled), '', l.stall_reason))
    FROM line AS l LEFT JOIN sampled AS s ON s.spec = l.spec AND s.bounce = l.bounce AND s.other = 1
    UNION ALL
    SELECT spec, bounce, series, sum(share), NULL, NULL, '' FROM reason GROUP BY spec, bounce, series
    UNION ALL
    SELECT spec, bounce, 'r_other', 0, NULL, NULL, '' FROM reason GROUP BY spec, bounce HAVING sum(series = 'r_other') = 0
)
SELECT iif(l.bounce < 0, 'all, naive', l.bounce || ', ' || l.compaction) AS place, p.series, p.value, p.flags,
       p.trial AS counter_trials, p.trial AS stall_trials,
       nullif(l.bounce, -1) AS bounce, CASE l.compaction WHEN 'on' THEN 1 WHEN 'off' THEN 0 END AS compacted,
       nullif(count(iif(p.series = 'memory' AND l.bounce >= 0, p.value, NULL)) OVER panel, 0) AS launches,
       sum(p.series = 'memory' AND l.bounce >= 0 AND p.value > p.next_share) OVER panel AS bound,
       max(iif(p.series = 'fp32_utilisation' AND l.compaction = 'on' AND l.bounce >= 2, p.value, NULL)) OVER panel AS busiest,
       l.kernels, -abs(l.max_bounces - 8) AS near, -l.least AS close, l.newest, l.work AS frame,
       l.scene, l.camera, l.device, l.device_name, l.width, l.height, l.max_bounces, l.family AS work, l.schedule, l.all_trials AS trials
FROM line AS l
JOIN part AS p ON p.spec = l.spec AND p.bounce = l.bounce
WINDOW panel AS (PARTITION BY l.work, l.device_name, l.schedule)
ORDER BY l.scene, l.camera, l.device_name, l.width * l.height, l.work, l.schedule, l.bounce < 0, l.bounce, l.compaction

-- [simd_efficiency]
-- 4.2.1 goes no further than lanes alive in a warp. Here per bounce, of the lanes of active warps: alive at the entry of the extension, and at work
-- inside the traversal (both kinds of rays), by the lockstep model and by the hardware's counts. A panel per configuration and device, of devices
-- those with hardware counts where there are any; variants of a panel run the same paths on the same map. A row is a bounce, the last all of them; a
-- series a variant and what is counted.
WITH attempts AS MATERIALIZED (
    SELECT s.work, s.schedule, s.device_name, s.device, s.scene, s.camera, s.width, s.height, s.max_bounces, s.family, s.matte, s.distance, s.newest,
           s.loop, CASE s.variant WHEN 'whole_frame' THEN 'on' WHEN 'whole_frame_off' THEN 'off' ELSE s.variant END AS kernel,
           a.id AS attempt, a.trial AS of_trial, a.warp_width, a.collection,
           row_number() OVER (PARTITION BY s.work, s.schedule, s.variant, s.device_name, a.warp_width, a.collection ORDER BY a.id DESC) AS nth
    FROM setup AS s
    JOIN trial_record AS t ON t.setting = s.setting
    JOIN done_attempt AS a ON a.trial = t.id
    WHERE s.variant IN ('naive', 'whole_frame', 'whole_frame_off') AND s.usual AND (:run = '' OR t.id IN (SELECT trial FROM asked)) AND
          (a.collection = 'counts' OR
           a.collection = 'counters' AND EXISTS (SELECT 1 FROM site_count AS c WHERE c.attempt = a.id AND c.site IN (1, 2)))
),
counted AS MATERIALIZED (           -- the warps are the same on every device of that width
    SELECT *, EXISTS (SELECT 1 FROM lockstep AS l WHERE l.attempt = attempts.attempt) AS has_model FROM attempts WHERE collection = 'counts'
),
candidate AS (
    SELECT c.work, c.schedule, c.device_name, c.warp_width, min(c.device) AS device, c.scene, c.camera, c.width, c.height, c.max_bounces, c.family,
           c.matte, min(c.distance) AS distance, max(c.newest) AS newest,
           (c.work, c.schedule, c.device_name) IN (SELECT work, schedule, device_name FROM attempts WHERE collection = 'counters') AS has_hardware,
           (c.work, c.schedule, c.warp_width) IN (SELECT work, schedule, warp_width FROM counted WHERE has_model) AS has_model
    FROM counted AS c
    WHERE c.nth = 1
    GROUP BY c.work, c.schedule, c.device_name, c.warp_width
    HAVING has_hardware OR has_model
),
ranked AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY scene, camera, device_name, width, height
                                 ORDER BY listed DESC, has_hardware DESC, near DESC, matte DESC, own_width DESC, distance, newest DESC,
                                          work, schedule, warp_width) + NOT listed AS place
    FROM (SELECT *, has_hardware OR NOT max(has_hardware) OVER (PARTITION BY scene, camera, width, height) AS listed,
                 -abs(max_bounces - 8) AS near, -abs(warp_width - 32) AS own_width
          FROM candidate)
),
configuration AS MATERIALIZED (     -- those that are shown: lanes are added up of no others. GROUP BY makes SQLite expect many rows, and build an index
    SELECT *, (SELECT count(*) FROM ranked WHERE place > 1 AND :all = 0) AS left_out FROM ranked
    GROUP BY work, schedule, device_name, warp_width HAVING place = 1 OR :all = 1
),
chosen_model AS (                   -- of any device that has the model
    SELECT p.work, p.schedule, p.device_name, p.warp_width, c.kernel, max(c.attempt) AS attempt
    FROM configuration AS p
    JOIN counted AS c ON c.work = p.work AND c.schedule = p.schedule AND c.warp_width = p.warp_width AND c.has_model
    WHERE c.loop = 'reconverged'
    GROUP BY p.work, p.schedule, p.device_name, p.warp_width, c.kernel
),
part AS (                           -- lanes at work and warps, both weighted
    SELECT c.work, c.schedule, c.device_name, c.warp_width, c.kernel || ' alive' AS series, b.bounce, c.of_trial, b.active_paths AS live,
           b.active_warps AS warps
    FROM counted AS c
    JOIN bounce_counts AS b ON b.attempt = c.attempt AND b.bounce >= 0
    WHERE c.nth = 1
    UNION ALL
    SELECT m.work, m.schedule, m.device_name, m.warp_width, m.kernel || ' model', l.bounce, a.trial,
           w.weight * iif(w.step = 'inner', l.inner_live, l.triangle_live), w.weight * iif(w.step = 'inner', l.inner_steps, l.triangle_steps)
    FROM chosen_model AS m
    JOIN attempt AS a ON a.id = m.attempt
    JOIN lockstep AS l ON l.attempt = m.attempt AND l.bounce >= 0
    JOIN step_weight AS w ON w.step IN ('inner', 'triangle')
    UNION ALL
    SELECT m.work, m.schedule, m.device_name, m.warp_width, m.kernel || ' hardware', l.bounce, m.of_trial, w.weight * c.thread_instructions,
           w.weight * c.instructions
    FROM attempts AS m
    JOIN launch AS l ON l.attempt = m.attempt AND l.repetition = 0 AND NOT l.auxiliary
    JOIN site_count AS c ON c.attempt = m.attempt AND c.launch = l.number
    JOIN step_weight AS w ON w.step = CASE c.site WHEN 1 THEN 'inner' WHEN 2 THEN 'triangle' END
    WHERE m.nth = 1 AND m.collection = 'counters'
),
line AS (                           -- NULL: all bounces together; a launch of mixed bounces has no other row
    SELECT p.*, c.series, iif(g.column1, NULL, c.bounce) AS bounce, max(c.of_trial) AS trial,
           1.0 * sum(c.live) / nullif(p.warp_width * sum(c.warps), 0) AS lanes
    FROM configuration AS p
    JOIN part AS c ON c.work = p.work AND c.schedule = p.schedule AND c.device_name = p.device_name AND c.warp_width = p.warp_width
    CROSS JOIN (VALUES (0), (1)) AS g
    WHERE g.column1 OR c.bounce >= 0
    GROUP BY p.work, p.schedule, p.device_name, p.warp_width, c.series, iif(g.column1, NULL, c.bounce)
    UNION ALL                       -- a row of every bounce
    SELECT p.*, 'bounce', s.bounce, NULL, NULL FROM configuration AS p JOIN step AS s ON s.bounce <= p.max_bounces
    UNION ALL
    SELECT p.*, 'naive hardware', s.bounce, NULL, NULL FROM configuration AS p JOIN step AS s ON s.bounce <= p.max_bounces
    WHERE p.has_hardware
),
whole AS (                          -- hardware: whether it counted both kernels
    SELECT *, naive_hardware + on_hardware IS NOT NULL AS hardware
    FROM (SELECT work, schedule, device_name, warp_width, max(iif(series = 'naive alive', lanes, NULL)) AS naive_alive,
                 max(iif(series = 'on alive', lanes, NULL)) AS on_alive, max(iif(series = 'naive model', lanes, NULL)) AS naive_model,
                 max(iif(series = 'on model', lanes, NULL)) AS on_model, max(iif(series = 'naive hardware', lanes, NULL)) AS naive_hardware,
                 max(iif(series = 'on hardware', lanes, NULL)) AS on_hardware,
                 group_concat(DISTINCT iif(series LIKE '% alive', NULL, trial)) AS trials
          FROM (SELECT * FROM line WHERE bounce IS NULL ORDER BY trial)
          GROUP BY work, schedule, device_name, warp_width)
)
SELECT coalesce(l.bounce, 'all') AS place, l.series, l.lanes, l.trial, l.bounce, iif(l.lanes IS NULL, 'one_launch', '') AS flags,
       h.naive_alive, h.on_alive, iif(h.hardware, h.naive_hardware, h.naive_model) AS naive_busy,
       iif(h.hardware, h.on_hardware, h.on_model) AS on_busy, iif(h.hardware, 'hardware', 'model') AS source,
       l.has_hardware, l.near, l.matte, l.own_width, -l.distance AS close, l.newest, l.listed, l.left_out,
       l.work AS frame, l.scene, l.camera, l.device, l.device_name, l.warp_width, l.width, l.height, l.max_bounces, l.family AS work, l.schedule,
       h.trials
FROM line AS l
JOIN whole AS h USING (work, schedule, device_name, warp_width)
ORDER BY l.scene, l.camera, l.device_name, l.width * l.height, l.work, l.schedule, l.warp_width, l.bounce IS NULL, l.bounce,
         l.lanes IS NOT NULL

-- [speedup_saving]
-- 4.2: why a frame gains less than the warps saved promise. Everything in percent of the naive frame; the parts add up to the measured frame with
-- compaction (docs/metrics.md 10 has the formulas and what each assumes). A panel per device and image size; a row is a scene in its first camera.
-- Shown are the bounce limit nearest to the paper's, scenes of the paper, no device without times where another has them, and no panel of one row.
WITH cell AS (                      -- settings with compaction, one per cell: those whose launches were timed first
    SELECT s.*, v.seconds, v.relative_ci, v.naive_seconds, v.naive_setting, v.naive_trials, v.naive_flags, v.naive_ci, v.speedup, v.speedup_ci,
           v.speedup_flags, iif(f.times, f.path_seconds, NULL) AS path_seconds, iif(f.times, f.auxiliary_seconds, NULL) AS auxiliary_seconds,
           f.path_ci, f.auxiliary_ci,
           row_number() OVER (PARTITION BY s.scene, s.device_name, s.width, s.height, s.max_bounces, s.family, s.schedule
                              ORDER BY f.times IS NOT 1 OR v.seconds IS NULL, v.seconds IS NULL, s.newest DESC) AS nth
    FROM setup AS s
    LEFT JOIN versus AS v ON v.setting = s.setting
    LEFT JOIN frame_parts AS f ON f.setting = s.setting
    WHERE s.variant = 'whole_frame' AND s.usual AND s.matte AND s.first_camera AND s.listed
),
latest_steps AS MATERIALIZED (      -- steps inside the traversal: by the hardware at the marked places, by the lockstep model on whichever device has it
    SELECT *, row_number() OVER (PARTITION BY work, schedule, variant, device_name, warp_width, source ORDER BY attempt DESC) AS nth
    FROM (SELECT s.work, s.schedule, s.variant, iif(a.collection = 'counters', s.device_name, NULL) AS device_name, a.warp_width,
                 iif(a.collection = 'counters', 'hardware', 'model') AS source, a.id AS attempt, a.trial
          FROM setup AS s
          CROSS JOIN trial_record AS t ON t.setting = s.setting
          CROSS JOIN done_attempt AS a ON a.trial = t.id AND a.collection IN ('counts', 'counters')
          WHERE s.variant IN ('naive', 'whole_frame') AND s.usual AND s.loop = 'reconverged' AND
                (:run = '' OR t.id IN (SELECT trial FROM asked)) AND
                iif(a.collection = 'counters', EXISTS (SELECT 1 FROM site_count AS c WHERE c.attempt = a.id AND c.site IN (1, 2)),
                    EXISTS (SELECT 1 FROM lockstep AS c WHERE c.attempt = a.id)))
),
counted_steps AS MATERIALIZED (     -- both kinds of rays
    SELECT *, CASE source
                  WHEN 'hardware' THEN
                      (SELECT sum(c.instructions * w.weight)
                       FROM launch AS l
                       CROSS JOIN site_count AS c ON c.attempt = l.attempt AND c.launch = l.number
                       JOIN step_weight AS w ON w.step = CASE c.site WHEN 1 THEN 'inner' WHEN 2 THEN 'triangle' END
                       WHERE l.attempt = latest_steps.attempt AND l.repetition = 0 AND NOT l.auxiliary)
                  ELSE
                      (SELECT sum(c.inner_steps) * (SELECT weight FROM step_weight WHERE step = 'inner') +
                              sum(c.triangle_steps) * (SELECT weight FROM step_weight WHERE step = 'triangle')
                       FROM lockstep AS c
                       WHERE c.attempt = latest_steps.attempt AND c.bounce >= 0)
              END AS steps
    FROM latest_steps
    WHERE nth = 1
),
steps AS MATERIALIZED (             -- compacted over naive, both from one source
    SELECT c.work, c.schedule, c.device_name, c.warp_width, c.source, c.steps / n.steps AS ratio, c.trial || ', ' || n.trial AS trials
    FROM counted_steps AS c
    JOIN counted_steps AS n ON n.work = c.work AND n.schedule = c.schedule AND n.source = c.source AND n.device_name IS c.device_name AND
                               n.warp_width = c.warp_width
    WHERE c.variant = 'whole_frame' AND n.variant = 'naive'
),
waiting AS MATERIALIZED (           -- share of the samples that waited for memory, by spec, latest
    SELECT spec, trial, 1.0 * sum(iif(reason = 'long_scoreboard', samples, 0)) / sum(samples) AS share,
           row_number() OVER (PARTITION BY spec ORDER BY last_run DESC, trial DESC) AS nth
    FROM (SELECT t.spec, t.last_run, k.trial, k.reason, k.samples
          FROM stalls AS k JOIN trial_record AS t ON t.id = k.trial
          WHERE NOT k.auxiliary AND (:run = '' OR t.id IN (SELECT trial FROM asked)))
    GROUP BY spec, trial
),
part AS MATERIALIZED (              -- shares of the naive frame
    SELECT c.*, n.trials AS count_trials, o.trial AS compacted_trial, 1.0 * n.warps / o.warps AS saved, 1.0 * o.warps / n.warps AS ideal,
           coalesce(h.ratio, m.ratio) AS steps, coalesce(h.trials, m.trials) AS step_trials, h.ratio IS NULL AS modelled,
           coalesce(h.ratio, m.ratio) - 1.0 * o.warps / n.warps AS divergence,
           f.seconds / c.naive_seconds - 1 AS store_load, f.trials AS off_trials, f.flags AS off_flags,
           c.auxiliary_seconds / c.naive_seconds AS compaction,
           (c.seconds - c.path_seconds - c.auxiliary_seconds) / c.naive_seconds AS gaps,
           (c.path_seconds - f.seconds) / c.naive_seconds + 1 - coalesce(h.ratio, m.ratio) AS rest,
           c.seconds / c.naive_seconds AS measured,
           f.seconds / c.naive_seconds * quadrature(f.relative_ci, c.naive_ci) AS store_load_half,
           c.auxiliary_seconds / c.naive_seconds * quadrature(c.auxiliary_ci, c.naive_ci) AS compaction_half,
           sqrt(pow(c.seconds * c.relative_ci, 2) + pow(c.path_seconds * c.path_ci, 2) + pow(c.auxiliary_seconds * c.auxiliary_ci, 2)) /
               c.naive_seconds AS gaps_half,
           sqrt(pow(c.path_seconds * c.path_ci, 2) + pow(f.seconds * f.relative_ci, 2) + pow((c.path_seconds - f.seconds) * c.naive_ci, 2)) /
               c.naive_seconds AS rest_half,
           w.share AS memory_on, w.trial AS memory_trial, x.share AS memory_naive, x.trial AS memory_naive_trial
    FROM cell AS c
    LEFT JOIN totals AS o ON o.spec = c.spec AND o.nth = 1
    LEFT JOIN counted_naive AS n ON n.work = c.work AND n.device_name = c.device_name AND n.schedule = c.schedule AND n.place = 1 AND
                                    n.warp_width = o.warp_width
    LEFT JOIN timed AS f ON f.variant = 'whole_frame_off' AND f.usual AND f.counts AND f.work = c.work AND f.device_name = c.device_name AND
                            f.schedule = c.schedule
    LEFT JOIN setup AS b ON b.setting = c.naive_setting
    LEFT JOIN steps AS h ON h.work = c.work AND h.schedule = c.schedule AND h.device_name = c.device_name AND h.warp_width = o.warp_width AND
                            h.source = 'hardware'
    LEFT JOIN steps AS m ON m.work = c.work AND m.schedule = c.schedule AND m.warp_width = o.warp_width AND m.source = 'model'
    LEFT JOIN waiting AS w ON w.spec = c.spec AND w.nth = 1
    LEFT JOIN waiting AS x ON x.spec = b.spec AND x.nth = 1
    WHERE c.nth = 1 AND (o.warps IS NOT NULL OR c.seconds IS NOT NULL)
),
shown AS (
    SELECT *, iif(rest IS NULL, NULL, measured - ideal) AS lost, 100 * (1 - measured) / (1 - ideal) AS gained, count(rest) OVER panel AS split,
           count(*) OVER panel AS scenes, count(seconds) OVER panel AS timed, min(distance) OVER panel AS least,
           group_concat(trials, ', ') OVER panel AS all_trials
    FROM part
    WINDOW panel AS (PARTITION BY device_name, width, height, max_bounces, family, schedule)
),
kernels_published AS (              -- of the paper's fairy, in seconds: kernels of all bounces, compaction off and on, from Tables 2 and 3
    SELECT sum(t.off_time * w.naive_warps) * 1e-6 AS off, sum(t.on_time * w.compacted_warps) * 1e-6 AS compacted,
           1.0 * sum(w.compacted_warps) / sum(w.naive_warps) AS ideal
    FROM published_table3 AS t
    JOIN published_table2 AS w ON w.bounce = t.bounce
),
published AS (                      -- only of that scene, but for the frame
    SELECT q.scene, q.naive / q.whole_frame AS measured, q.whole_frame / q.naive AS speedup, k.ideal, k.off * q.naive - 1 AS store_load,
           q.naive / q.whole_frame - k.compacted * q.naive AS overhead, (k.compacted - k.off) * q.naive + 1 - k.ideal AS inside
    FROM published_table1 AS q
    LEFT JOIN kernels_published AS k ON q.scene = 'fairy'
),
said AS (                           -- of the panel, for its sentences: in percent of the time not saved
    SELECT *, min(gained) OVER panel AS gained_least, max(gained) OVER panel AS gained_most,
           min(100 * divergence / lost) OVER panel AS divergence_least, max(100 * divergence / lost) OVER panel AS divergence_most,
           min(100 * rest / lost) OVER panel AS rest_least, max(100 * rest / lost) OVER panel AS rest_most,
           min(100 * (store_load + compaction + gaps) / lost) OVER panel AS cost_least,
           max(100 * (store_load + compaction + gaps) / lost) OVER panel AS cost_most
    FROM shown
    WINDOW panel AS (PARTITION BY device_name, width, height, max_bounces, family, schedule)
)
SELECT t.label, t.saved, iif(t.saved IS NULL, 'not_asked|', '') || iif(t.fitted, 'fitted', '') AS saved_flags,
       t.count_trials || ', ' || t.compacted_trial AS count_trials,
       iif(q.ideal, (SELECT saved FROM published_table2 ORDER BY bounce DESC LIMIT 1), NULL) AS saved_published, 0.05 AS saved_half,
       t.speedup, t.speedup_ci, coalesce(t.speedup_flags, 'not_asked') || iif(t.fitted, '|fitted', '') AS speedup_flags,
       t.trials || coalesce(', ' || t.naive_trials, '') AS both_trials, q.speedup AS speedup_published, t.ideal, 100 * q.ideal AS ideal_published,
       t.divergence, iif(t.divergence IS NULL, 'no_steps', iif(t.modelled, 'modelled_steps', '')) AS divergence_flags, t.step_trials, t.steps,
       t.store_load, t.store_load_half, 100 * q.store_load AS store_load_published,
       CASE WHEN t.store_load IS NOT NULL THEN t.off_flags || '|' || t.naive_flags WHEN t.seconds IS NULL THEN coalesce(t.speedup_flags, 'not_asked')
            ELSE coalesce(nullif(t.off_flags, ''), 'no_parts') END AS store_load_flags,
       t.off_trials || coalesce(', ' || t.naive_trials, '') AS store_load_trials, t.compaction, t.compaction_half, t.gaps, t.gaps_half,
       iif(t.gaps IS NULL, iif(t.seconds IS NULL, coalesce(t.speedup_flags, 'not_asked'), 'no_parts'), '') AS gaps_flags,
       t.compaction + t.gaps AS overhead, 100 * q.overhead AS overhead_published, t.rest, t.rest_half,
       CASE WHEN t.rest IS NOT NULL THEN '' WHEN t.seconds IS NULL THEN coalesce(t.speedup_flags, 'not_asked')
            ELSE iif(t.gaps + t.store_load IS NULL, 'no_parts', '') || iif(t.divergence IS NULL, '|no_steps', '') END AS rest_flags,
       t.trials || coalesce(', ' || t.naive_trials, '') || coalesce(', ' || t.off_trials, '') || coalesce(', ' || t.step_trials, '') AS rest_trials,
       t.divergence + t.rest AS inside, 100 * q.inside AS inside_published,
       iif(t.rest IS NULL, t.measured - t.ideal - coalesce(t.divergence, 0) - coalesce(t.store_load, 0) - coalesce(t.compaction, 0) -
                           coalesce(t.gaps, 0), NULL) AS unsplit, -- what is left where a part was not measured
       t.measured, 100 * q.measured AS measured_published, t.memory_naive, t.memory_on, iif(t.memory_on IS NULL, 'no_steps', '') AS memory_flags,
       t.memory_trial || coalesce(', ' || t.memory_naive_trial, '') AS memory_trials,
       iif(t.split > 1, t.split, NULL) AS several, t.gained_least, t.gained_most, t.divergence_least, t.divergence_most, t.rest_least, t.rest_most,
       t.cost_least, t.cost_most, 100 * (1 - f.measured) / (1 - f.ideal) AS gained_published, f.scene AS published_scene,
       iif(t.gained_least > 100 * (1 - f.measured) / (1 - f.ideal), 1, NULL) AS more_gained,
       iif(t.divergence_least > t.rest_most, 'divergence', iif(t.rest_least > t.divergence_most, 'memory', NULL)) AS outweighing,
       iif(t.divergence_least > t.rest_most, 'memory', 'divergence') AS outweighed, -abs(t.max_bounces - 8) AS near, -t.least AS close, t.newest,
       t.scenes >= min(2, max(t.scenes) OVER ()) AND (t.timed OR max(t.timed) OVER (PARTITION BY t.width, t.height) = 0) AS listed,
       t.device, t.device_name, t.width, t.height, t.max_bounces, t.family, t.family AS work, t.schedule, t.all_trials AS trials
FROM said AS t
LEFT JOIN published AS q ON q.scene = t.stands_for AND t.max_bounces = 8
LEFT JOIN published AS f ON f.ideal IS NOT NULL
ORDER BY t.device_name, t.width * t.height, t.max_bounces, t.family, t.schedule, t.place_in_paper, t.scene

-- [figure2_left]
-- Figure 2, left: speed of the tiled kernels against the rows M of a tile, in terms of the naive kernel's. A panel per configuration; a row is an M, a
-- series a kernel. A curve has more than one point.
WITH cell AS (
    SELECT *, min(distance) OVER panel AS least, group_concat(both_trials, ', ') OVER panel AS all_trials,
           min(tile_m) OVER panel < max(tile_m) OVER panel AS several
    FROM versus
    WHERE variant IN ('tiled_shared', 'tiled_global') AND usual AND counts
    WINDOW panel AS (PARTITION BY work, device_name, schedule)
)
SELECT c.tile_m, c.variant, c.speedup, c.speedup_ci, c.speedup_flags, c.both_trials,
       (SELECT max(k.block_bytes) FROM kernels AS k WHERE k.trial = c.trial AND k.auxiliary = 0) / 1024.0 AS shared,
       o.percent / 100 AS achieved, iif(o.percent IS NULL, 'no_counter', '') AS achieved_flags,
       c.matte, -abs(c.max_bounces - 8) AS near, -c.least AS close, c.newest, c.work AS frame, c.scene, c.camera, c.device, c.device_name,
       c.width, c.height, c.max_bounces, c.family AS work, c.schedule, c.all_trials AS trials
FROM cell AS c
LEFT JOIN achieved AS o ON o.spec = c.spec
WHERE c.several OR :all = 1
ORDER BY c.scene, c.camera, c.device_name, c.width * c.height, c.work, c.schedule, c.tile_m, c.variant

-- [figure2_right]
-- Figure 2, right: predicted occupancy of a kernel with 64 registers and blocks of 64 lanes against the shared memory of its tile of 64 x M paths at
-- 96 bytes (88 of state, 8 of list and flags). A panel for the paper's GPU, and for every GPU of the database, there beside what its own kernels may
-- reach by their registers, and what the hardware counted; a row is an M. M = 0: no shared memory, and the naive kernel.
WITH shown AS (                     -- of GPUs the compute capability, from the compiler's options
    SELECT 0 AS place, example AS device, NULL AS gpu, * FROM compute_capability WHERE version = 20
    UNION ALL
    SELECT 1, d.device_name, d.device_name, c.*
    FROM (SELECT DISTINCT device_name, CAST(substr(provenance, instr(provenance, 'sm_') + 3, 3) AS INTEGER) AS version
          FROM result WHERE instr(provenance, 'sm_')) AS d
    JOIN compute_capability AS c ON c.version = (SELECT max(x.version) FROM compute_capability AS x
                                                 WHERE x.version <= d.version AND x.version / 10 = d.version / 10)
),
held AS (
    SELECT *, column1 AS tile_m, 64 * 96 * column1 AS bytes, occupancy_warps(version, 64, 64, 64 * 96 * column1) / 2 AS blocks
    FROM shown CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (12), (16), (24), (32))
),
kernel_of AS MATERIALIZED (         -- kernels of the database: the nearest to the paper's of each device and tile
    SELECT m.*, row_number() OVER (PARTITION BY device_name, tile_m ORDER BY distance, size DESC, achieved IS NULL, newest DESC) AS nth
    FROM (SELECT s.device_name, iif(s.variant = 'naive', 0, s.tile_m) AS tile_m, s.distance, s.width * s.height AS size, s.newest,
                 s.trials, max(k.registers) AS registers, max(k.multiprocessor_warps) AS warps,
                 (SELECT percent FROM achieved AS a WHERE a.spec = s.spec) AS achieved
          FROM setup AS s
          JOIN kernels AS k ON k.trial = s.trial AND k.auxiliary = 0 AND k.collection <> 'counts'
          WHERE s.variant IN ('naive', 'tiled_shared') AND s.block = 64 AND s.plain AND s.unthrottled AND s.dummy_flops = 0
          GROUP BY s.setting) AS m
)
SELECT *, iif(why = '' AND achieved IS NULL, 'no_counter', why) AS achieved_flags
FROM (SELECT h.place, h.tile_m, iif(h.place = 0, h.tile_m, NULL) AS paper_tile, h.bytes / 1024.0 AS shared, h.blocks,
             2 * h.blocks AS warps, 100.0 * 2 * h.blocks / h.max_warps AS occupancy, iif(h.blocks = 0, 'no_room', '') AS occupancy_flags,
             m.registers AS kernel_registers, 100.0 * m.warps / h.max_warps AS kernel_occupancy, m.achieved, m.trials AS kernel_trials,
             CASE WHEN h.place = 0 THEN 'other_gpu' WHEN h.blocks = 0 THEN 'no_room' WHEN m.trials IS NULL THEN 'no_kernel' ELSE '' END AS why,
             h.device, printf('compute capability %d.%d: %d warps, %d blocks, %d registers, %d KB shared memory a multiprocessor',
                              h.version / 10, h.version % 10, h.max_warps, h.max_blocks, h.registers, h.shared_multiprocessor / 1024)
                 AS device_name
      FROM held AS h
      LEFT JOIN kernel_of AS m ON m.device_name = h.gpu AND m.tile_m = h.tile_m AND m.nth = 1
      WHERE h.blocks > 0 OR h.place = 0 AND h.tile_m <= 8)
ORDER BY place, device, device_name, tile_m

-- [compaction]
-- 4.2.2: share of a frame that compaction takes, whole-frame compaction. A panel per device, image size and schedule; a row is a scene. One row
-- compares nothing.
WITH cell AS (
    SELECT s.*, f.times, f.path_seconds, f.auxiliary_seconds, f.gap_seconds, f.parts_seconds, f.auxiliary_share, f.compaction_share,
           row_number() OVER (PARTITION BY s.work, s.device_name, s.schedule, s.options ORDER BY f.times IS NOT 1, s.newest DESC) AS nth,
           CASE WHEN f.setting IS NULL THEN w.reason WHEN NOT f.times THEN 'untimed'
                ELSE iif(f.replicates < 5, 'few_replicates|', '') || iif(x.underfilled, 'underfilled' || q.idle_words, '') END AS flags
    FROM setup AS s
    JOIN state AS w ON w.setting = s.setting AND w.collection = 'launches' AND NOT w.outdated
    LEFT JOIN frame_parts AS f ON f.setting = s.setting
    LEFT JOIN frame_waves AS x ON x.setting = s.setting
    LEFT JOIN frame_quality AS q ON q.setting = s.setting
    WHERE s.variant = 'whole_frame' AND s.nearly_plain AND s.unthrottled AND s.dummy_flops = 0 AND s.traversal = 'while_while' AND s.matte AND
          s.first_camera
),
shown AS (
    SELECT *, count(*) OVER panel AS settings, sum(options = '') OVER panel AS scenes, min(distance) OVER panel AS least,
           group_concat(trials, ', ') OVER panel AS all_trials
    FROM cell WHERE nth = 1
    WINDOW panel AS (PARTITION BY device_name, width, height, max_bounces, family, schedule)
)
SELECT label || options AS label, iif(times, parts_seconds, NULL) AS frame, iif(times, path_seconds, NULL) AS path_time,
       iif(times, auxiliary_seconds, NULL) AS compaction_time, iif(times, gap_seconds, NULL) AS gap_time,
       iif(times, auxiliary_share, NULL) AS compaction_share, iif(times, compaction_share, NULL) AS compaction_and_gaps, flags,
       trials AS row_trials, scenes, -abs(max_bounces - 8) AS near, -least AS close, newest, settings >= min(2, max(settings) OVER ()) AS listed,
       device, device_name, width, height, max_bounces, family, family AS work, schedule, all_trials AS trials
FROM shown
ORDER BY device_name, width * height, max_bounces, family, schedule, place_in_paper, scene, options

-- [storeload]
-- 4.2.3: what it costs to store and load paths between bounces: whole_frame_off against naive, by bounce limit and, beside the paper's, other sizes
-- and layouts of a path's state. A panel per scene, camera, device and image size. One row compares nothing.
WITH cell AS (
    SELECT *, 1 / speedup - 1 AS overhead, nearly_plain AND unthrottled AND dummy_flops = 0 AND traversal = 'while_while' AND matte AS shown
    FROM versus
    WHERE counts AND variant IN ('whole_frame_off', 'whole_frame')
),
panel AS (
    SELECT *, count(*) OVER panel AS settings, min(distance) OVER panel AS least, group_concat(both_trials, ', ') OVER panel AS all_trials,
           100 * (max(iif(plain, 1 / speedup, NULL)) OVER panel - min(iif(plain, 1 / speedup, NULL)) OVER panel) AS span,
           count(iif(plain, speedup, NULL)) OVER panel AS limits,
           dense_rank() OVER (PARTITION BY scene, camera, device_name, width, height, family, schedule ORDER BY max_bounces) AS limit_place
    FROM cell WHERE variant = 'whole_frame_off' AND shown
    WINDOW panel AS (PARTITION BY scene, camera, device_name, width, height, family, schedule ORDER BY work, options
                     ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
),
published AS (                      -- of 8 bounces: a frame from Tables 2 and 3, in microseconds, over one from Table 1
    SELECT sum(t.off_time * w.naive_warps) * 1e-6 * n.naive - 1 AS overhead
    FROM published_table3 AS t
    JOIN published_table2 AS w ON w.bounce = t.bounce
    JOIN published_table1 AS n ON n.scene = 'fairy'
)
SELECT c.max_bounces || ', ' || c.path_bytes || ' bytes' || replace(c.options, ', ' || c.path_bytes || ' bytes per path', '') AS limit_bounces,
       c.naive_seconds AS naive, c.naive_flags, c.naive_trials, c.seconds AS split, c.flags AS split_flags, c.trials AS split_trials,
       w.seconds AS compacted, w.flags AS compacted_flags, w.trials AS compacted_trials, 100 * c.overhead AS overhead,
       100 * (1 / c.speedup * (1 - c.speedup_ci) - 1) AS overhead_low, 100 * (1 / c.speedup * (1 + c.speedup_ci) - 1) AS overhead_high,
       c.speedup_flags AS overhead_flags, c.both_trials, 100 * q.overhead AS overhead_published,
       iif(100 * c.overhead BETWEEN 7 AND 8, 1, 0) AS overhead_half, -- the text's "7-8 %" (Q16), which is sharper than Table 3
       1 / c.speedup / (1 + q.overhead) AS overhead_ratio, iif(c.limits > 1, c.span, NULL) AS span, c.limit_place, -c.least AS close, c.newest,
       c.settings >= min(2, max(c.settings) OVER ()) AS listed, c.scene, c.camera, c.device, c.device_name, c.width, c.height, c.family,
       c.family AS work, c.schedule, c.all_trials AS trials
FROM panel AS c
LEFT JOIN cell AS w ON w.variant = 'whole_frame' AND w.shown AND w.work = c.work AND w.device_name = c.device_name AND w.schedule = c.schedule AND
                       w.options = c.options
LEFT JOIN published AS q ON c.plain AND c.max_bounces = 8 AND c.stands_for = 'fairy'
ORDER BY c.scene, c.camera, c.device_name, c.width * c.height, c.family, c.schedule, c.max_bounces, CAST(c.path_bytes AS INTEGER), c.options

-- [resolution]
-- 4.2.4: how the time per warp rises with the bounce. A panel per scene, camera and device; a row is an image size, a series a bounce, with compaction.
WITH timed AS MATERIALIZED (
    SELECT s.*, s.variant = 'whole_frame' AS compacted, b.bounce, b.microseconds_per_warp AS time, b.relative_ci AS ci, b.waves,
           iif(b.underfilled, 'few_waves', '') AS few_waves, iif(min(b.replicates) OVER image < 5, 'few_replicates', '') AS few,
           iif(count(b.microseconds_per_warp) OVER image = 0, 'untimed', '') AS untimed,
           sum(s.distance) OVER (PARTITION BY s.scene, s.camera, s.device_name, s.family, s.schedule, s.max_bounces) AS far
    FROM setup AS s
    JOIN state AS w ON w.setting = s.setting AND w.collection = 'launches' AND NOT w.outdated
    JOIN bounces AS b ON b.spec = s.spec
    WHERE s.variant IN ('whole_frame', 'whole_frame_off') AND s.usual AND s.matte AND s.max_bounces >= 8 AND b.bounce IN (0, 1, 2, 8)
    WINDOW image AS (PARTITION BY s.scene, s.camera, s.device_name, s.family, s.schedule, s.max_bounces, s.width, s.height)
),
printed AS (
    SELECT max(iif(bounce = 8, on_time, NULL)) / max(iif(bounce = 2, on_time, NULL)) AS rise, max(iif(bounce = 8, on_time / off_time, NULL)) AS on_off,
           max(iif(bounce = 1, on_time, NULL)) / max(iif(bounce = 0, on_time, NULL)) AS first_rise
    FROM published_table3
)
SELECT t.width || 'x' || t.height AS image, round(1.0 * t.width * t.height / (1280 * 768), 2) AS pixels, t.bounce, t.time, t.waves,
       t.few_waves AS waves_flags, t.few || '|' || t.untimed || '|' || max(iif(t.bounce = 8, t.few_waves, '')) OVER image AS flags,
       t.time / b.time AS rise, quadrature(b.ci, t.ci) AS rise_ci, t.time / f.time AS on_off, quadrature(f.ci, t.ci) AS on_off_ci,
       iif(t.bounce = 8, q.rise, q.first_rise) AS rise_published, q.on_off AS on_off_published,
       t.trials || coalesce(', ' || f.trials, '') AS trials, t.trials AS of_trials, -abs(t.max_bounces - 8) AS near, -t.far AS close,
       t.newest, t.scene, t.camera, t.device, t.device_name, t.max_bounces, t.family, t.family AS work, t.schedule
FROM timed AS t
LEFT JOIN timed AS b ON b.setting = t.setting AND b.bounce = CASE t.bounce WHEN 8 THEN 2 WHEN 1 THEN 0 END
LEFT JOIN timed AS f ON NOT f.compacted AND f.work = t.work AND f.device_name = t.device_name AND f.schedule = t.schedule AND f.bounce = t.bounce
LEFT JOIN printed AS q ON t.width = 1280 AND t.height = 768
WHERE t.compacted
WINDOW image AS (PARTITION BY t.scene, t.camera, t.device_name, t.family, t.schedule, t.max_bounces, t.width, t.height)
ORDER BY t.scene, t.camera, t.device_name, t.max_bounces, t.family, t.schedule, t.width * t.height, t.bounce

-- [dummy]
-- 4.2.5: dummy arithmetic in every BRDF evaluation, as measured at each amount.
SELECT dummy_flops AS operations, naive_seconds AS naive, naive_flags, naive_trials, multiple, seconds AS whole_frame,
       flags AS whole_frame_flags, trials AS row_trials, speedup, speedup_ci, speedup_flags, both_trials,
       naive_seconds / (whole_0 + (naive_seconds - naive_0) / saved) AS model, saved,
       near, -least AS close, newest, work AS frame, scene, camera, device, device_name, width, height, max_bounces, family AS work, schedule,
       all_trials AS trials
FROM dummy_amount
ORDER BY scene, camera, device_name, width * height, frame, schedule, dummy_flops

-- [dummy_speedup]
-- 4.2.5: speedup where dummy arithmetic makes the naive kernel take 1 to 4 times as long, between the measured amounts next to it, where both frame
-- times are linear, for they go with the amount; and what a cost of so much a warp would give.
WITH wanted AS (                    -- between the last amount that takes at most as long and the first that takes at least as long
    SELECT p.*, w.column1 AS wanted,
           (SELECT g.trial FROM dummy_amount AS g WHERE g.work = p.work AND g.device_name = p.device_name AND g.schedule = p.schedule AND
                                                        g.multiple <= w.column1 * (1 + 1e-9) ORDER BY g.multiple DESC LIMIT 1) AS below,
           (SELECT g.trial FROM dummy_amount AS g WHERE g.work = p.work AND g.device_name = p.device_name AND g.schedule = p.schedule AND
                                                        g.multiple >= w.column1 * (1 - 1e-9) ORDER BY g.multiple LIMIT 1) AS above
    FROM (SELECT * FROM dummy_amount WHERE first) AS p CROSS JOIN (VALUES (1.0), (1.5), (2.0), (3.0), (4.0)) AS w
),
between_two AS (                    -- times in terms of naive without any; at the least and most within their intervals
    SELECT w.*, b.multiple / b.speedup AS from_whole, a.multiple / a.speedup AS to_whole, b.speedup_ci AS from_ci, a.speedup_ci AS to_ci,
           b.speedup_flags || '|' || a.speedup_flags AS both_flags, b.both_trials || ', ' || a.both_trials AS of_trials,
           iif(a.multiple > b.multiple, (w.wanted - b.multiple) / (a.multiple - b.multiple), 0) AS part, iif(b.trial, w.saved, NULL) AS warps
    FROM wanted AS w
    LEFT JOIN dummy_amount AS b ON b.trial = w.below
    LEFT JOIN dummy_amount AS a ON a.trial = w.above
),
printed AS (                        -- fairy's frame times and executions, from Tables 1 and 2
    SELECT 1 / t.naive AS naive, 1 / t.whole_frame AS whole, 1.0 * (SELECT sum(naive_warps) FROM published_table2) /
           (SELECT sum(active_paths) / 32 FROM published_table2) AS saved
    FROM published_table1 AS t WHERE t.scene = 'fairy'
)
SELECT printf('%.1f', b.wanted) AS naive_multiple, b.wanted / (b.from_whole + b.part * (b.to_whole - b.from_whole)) AS speedup,
       b.wanted / (from_whole / (1 - from_ci) + part * (to_whole / (1 - to_ci) - from_whole / (1 - from_ci))) AS speedup_low,
       b.wanted / (from_whole / (1 + from_ci) + part * (to_whole / (1 + to_ci) - from_whole / (1 + from_ci))) AS speedup_high,
       coalesce(b.both_flags, iif(b.measured, 'outside', 'untimed')) AS speedup_flags, b.of_trials AS both_trials,
       b.wanted * b.naive_0 / (b.whole_0 + (b.wanted - 1) * b.naive_0 / b.warps) AS model,
       b.wanted * q.naive / (q.whole + (b.wanted - 1) * q.naive / q.saved) AS model_published,
       CASE b.wanted WHEN 1 THEN q.naive / q.whole ELSE 1 + 0.01 * d.gain END AS speedup_published,
       b.warps AS saved, (SELECT saved FROM published_table2 ORDER BY bounce DESC LIMIT 1) AS saved_published, 0.05 AS saved_half,
       b.amounts, b.near, -b.least AS close, b.last, b.work AS frame, b.scene, b.camera, b.device, b.device_name, b.width, b.height, b.max_bounces,
       b.family AS work, b.schedule, b.all_trials AS trials
FROM between_two AS b
CROSS JOIN printed AS q
LEFT JOIN published_dummy AS d ON d.naive_multiple = b.wanted
ORDER BY b.scene, b.camera, b.device_name, b.width * b.height, frame, b.schedule, b.wanted

-- [envcdf]
-- 4.2.5: light sampling by searching a large table in place of an alias table, which is bound by memory and costs every lane the same. A panel per
-- configuration; a row is a kind of search.
WITH shown AS (
    SELECT *, min(light_search) OVER panel < max(light_search) OVER panel AS several, min(distance) OVER panel AS least,
           group_concat(both_trials, ', ') OVER panel AS all_trials, pow(speedup * speedup_ci, 2) AS variance,
           max(iif(light_search = 'alias', naive_seconds, NULL)) OVER panel AS alias_naive,
           max(iif(light_search = 'alias', speedup, NULL)) OVER panel AS alias_speedup,
           max(iif(light_search = 'alias', pow(speedup * speedup_ci, 2), NULL)) OVER panel AS alias_variance
    FROM versus
    WHERE variant = 'whole_frame' AND usual AND counts AND materials = 'lambert07' AND lighting = 'direct'
    WINDOW panel AS (PARTITION BY scene, camera, device_name, width, height, max_bounces, family, schedule)
)
SELECT CASE light_search WHEN 'alias' THEN 'alias table' WHEN 'cdf' THEN 'search, 2000x1000' WHEN 'cdf_large' THEN 'search, 16384x8192'
                         ELSE light_search END AS search,
       naive_seconds AS naive, naive_flags, naive_trials, 100 * (naive_seconds / alias_naive - 1) AS naive_rise, seconds AS whole_frame,
       flags AS whole_frame_flags, trials AS row_trials, speedup, speedup_ci, speedup_flags, both_trials,
       iif(light_search <> 'alias', speedup - alias_speedup, NULL) AS difference, sqrt(variance + alias_variance) AS difference_half,
       CASE light_search WHEN 'cdf' THEN 0 END AS difference_published, -abs(max_bounces - 8) AS near, -least AS close, newest,
       scene, camera, device, device_name, width, height, max_bounces, family, family AS work, schedule, all_trials AS trials
FROM shown
WHERE several OR :all = 1
ORDER BY scene, camera, device_name, width * height, max_bounces, family, schedule, light_search

-- [speculative]
-- 4.2.6: speculative traversal in place of while-while. Fetches: inner nodes and triangles of closest-hit rays. A panel per device, image size and
-- schedule; a row is a scene, a series a kernel with one of the traversals.
WITH cell AS (
    SELECT *, variant || ' ' || iif(traversal = 'while_while', 'ww', 'spec') AS series,
           min(traversal) OVER frame < max(traversal) OVER frame AS both_ways, group_concat(flags, '|') OVER kernel AS kernel_flags,
           group_concat(trials, ', ') OVER kernel AS kernel_trials, group_concat(flags, '|') OVER frame AS frame_flags,
           group_concat(trials, ', ') OVER frame AS frame_trials
    FROM versus
    WHERE variant IN ('naive', 'whole_frame') AND counts AND plain AND unthrottled AND dummy_flops = 0 AND matte AND first_camera
    WINDOW frame AS (PARTITION BY work, device_name, schedule ORDER BY traversal, variant
                     ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING),
           kernel AS (PARTITION BY work, device_name, schedule, variant ORDER BY traversal
                     ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
),
hardware AS MATERIALIZED (          -- active lanes in the traversal over a frame: as the hardware counted at both places together
    SELECT t.spec, 1.0 * sum(s.thread_instructions) / (32.0 * sum(s.instructions)) AS lanes
    FROM site_count AS s JOIN result AS a ON a.attempt = s.attempt JOIN trial_record AS t ON t.id = a.trial
    JOIN launch AS l ON l.attempt = s.attempt AND l.repetition = 0 AND l.number = s.launch AND NOT l.auxiliary
    WHERE s.site IN (1, 2)
    GROUP BY t.spec
),
modelled AS MATERIALIZED (          -- or as the lockstep model has it
    SELECT t.spec, 1.0 * sum(l.inner_live + l.triangle_live) / (max(a.warp_width) * sum(l.inner_steps + l.triangle_steps)) AS lanes
    FROM (SELECT DISTINCT spec FROM cell WHERE both_ways AND variant = 'naive') AS c
    CROSS JOIN trial_record AS t ON t.spec = c.spec
    CROSS JOIN result AS a ON a.trial = t.id
    CROSS JOIN lockstep AS l ON l.attempt = a.attempt AND l.bounce >= 0
    GROUP BY t.spec
)
SELECT c.label, c.series, c.seconds / w.seconds AS time, quadrature(w.relative_ci, c.relative_ci) AS time_ci, c.kernel_flags, c.kernel_trials,
       c.speedup, c.frame_flags, c.frame_trials, 1.0 * o.fetches / o.paths AS fetches, coalesce(h.lanes, m.lanes) AS lanes,
       iif(h.lanes IS NULL AND m.lanes IS NOT NULL, 'modelled', '') AS lanes_flags, -abs(c.max_bounces - 8) AS near,
       -min(c.distance) OVER panel AS close, c.newest, c.device, c.device_name, c.width, c.height, c.max_bounces, c.family, c.family AS work,
       c.schedule, group_concat(c.trials, ', ') OVER panel AS trials
FROM cell AS c
LEFT JOIN cell AS w ON c.traversal <> 'while_while' AND w.traversal = 'while_while' AND w.work = c.work AND w.device_name = c.device_name AND
                       w.schedule = c.schedule AND w.variant = c.variant
LEFT JOIN totals AS o ON o.spec = c.spec AND o.nth = 1
LEFT JOIN hardware AS h ON h.spec = c.spec
LEFT JOIN modelled AS m ON m.spec = c.spec
WHERE c.both_ways
WINDOW panel AS (PARTITION BY c.device_name, c.width, c.height, c.max_bounces, c.family, c.schedule ORDER BY c.work, c.traversal, c.variant
                 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
ORDER BY c.device_name, c.width * c.height, c.max_bounces, c.family, c.schedule, c.place_in_paper, c.scene, c.series

-- [traversal]
-- Whether compaction pays more, the better the traversal is. A panel per device and image size; a row is a scene, a series a tree, over which one
-- kernel and compaction over the whole frame were timed.
WITH cell AS (
    SELECT n.*, CASE t.tree WHEN 'wide4' THEN t.splits ELSE t.tree END AS series, w.speedup AS gain, w.speedup_ci AS gain_ci, w.flags AS whole_flags,
           w.trials AS whole_trials,
           row_number() OVER (PARTITION BY n.scene, n.width, n.height, n.max_bounces, t.spp, n.device_name, t.tree, t.splits
                              ORDER BY n.distance, w.speedup IS NULL, n.newest DESC) AS nth
    FROM versus AS n
    JOIN trial_record AS t ON t.id = n.trial
    LEFT JOIN versus AS w ON w.variant = 'whole_frame' AND w.naive_setting = n.setting AND w.block = n.block AND w.registers IS n.registers AND
                             w.counts AND w.plain AND w.unthrottled AND w.dummy_flops = n.dummy_flops
    WHERE n.variant = 'naive' AND n.counts AND n.plain AND n.unthrottled AND n.dummy_flops = 0 AND n.matte AND n.first_camera AND
          t.light_search = 'alias' AND t.sampler = 'counter' AND t.registers = 64 AND t.block = 64 AND n.seconds > 0 AND
          t.traversal = iif(t.tree = 'wide4', 'voted', 'while_while') AND t.tree IN ('binary', 'wide4', 'optix')
),
side AS (
    SELECT *, max(iif(series = 'binary', gain, NULL)) OVER scene AS of_binary, max(iif(series = 'whole', gain, NULL)) OVER scene AS of_whole,
           max(iif(series = 'spatial', gain, NULL)) OVER scene AS of_split, count(gain) OVER scene AS trees
    FROM cell
    WHERE nth = 1
    WINDOW scene AS (PARTITION BY scene, width, height, max_bounces, device_name)
)
SELECT label, series, seconds, relative_ci, flags, trials AS of_trials, gain, gain_ci, coalesce(flags || '|' || whole_flags, 'not_asked') AS gain_flags,
       trials || coalesce(', ' || whole_trials, '') AS gain_trials, min(of_binary) OVER panel AS binary_least, max(of_binary) OVER panel AS binary_most,
       100 * (min(of_whole / of_binary) OVER panel - 1) AS whole_least, 100 * (max(of_whole / of_binary) OVER panel - 1) AS whole_most,
       100 * (min(of_split / of_binary) OVER panel - 1) AS split_least, 100 * (max(of_split / of_binary) OVER panel - 1) AS split_most,
       newest, device, device_name, width, height, max_bounces, max(family) OVER panel AS work, trials || coalesce(', ' || whole_trials, '') AS trials
FROM side
WHERE trees > 1
WINDOW panel AS (PARTITION BY device_name, width, height, max_bounces)
ORDER BY device_name, width * height, max_bounces, place_in_paper, scene, series

-- [gpus]
-- Section 5: whether device memory limits the kernels. The same frames on two GPUs, first the one whose frames take longer in all. A panel per pair of
-- GPUs, image size and schedule; a row is a scene and a kernel.
WITH share AS (                     -- of the peak of device memory, over a frame
    SELECT t.spec, t.device_name, max(c.value) / 100 AS dram
    FROM counter AS c JOIN trial_record AS t ON t.id = c.trial
    WHERE c.metric = 'dram_throughput' AND c.launch IS NULL AND ((SELECT run FROM report_option) = '' OR t.id IN (SELECT trial FROM asked))
    GROUP BY t.spec, t.device_name
),
pair AS (
    SELECT a.*, b.device_name AS second_name, b.seconds AS second, b.relative_ci AS second_ci, b.flags AS second_flags, b.trials AS second_trials,
           b.spec AS second_spec, sum(a.seconds) OVER gpus AS all_first, sum(b.seconds) OVER gpus AS all_second
    FROM timed AS a
    JOIN timed AS b ON b.work = a.work AND b.schedule = a.schedule AND b.variant = a.variant AND b.tile_m IS a.tile_m AND b.usual AND b.counts AND
                       b.matte AND b.device_name <> a.device_name AND b.seconds > 0
    WHERE a.usual AND a.counts AND a.matte AND a.first_camera AND a.device_kind = 'gpu' AND b.device_kind = 'gpu' AND a.seconds > 0 AND
          a.distance = 0 AND a.max_bounces = 8
    WINDOW gpus AS (PARTITION BY a.device_name, b.device_name)
)
SELECT p.scene || ': ' || p.variant || iif(p.variant GLOB 'tiled*', ', tile height ' || p.tile_m, '') AS line, p.second_name, p.seconds AS first,
       p.relative_ci AS first_ci, p.flags AS first_flags, p.trials AS first_trials, p.second, p.second_ci, p.second_flags, p.second_trials,
       f.dram AS first_dram, iif(f.dram IS NULL, 'no_dram', '') AS first_dram_flags, g.dram AS second_dram,
       iif(g.dram IS NULL, 'no_dram', '') AS second_dram_flags, 100 * (min(p.seconds / p.second) OVER gpus - 1) AS least,
       100 * (max(p.seconds / p.second) OVER gpus - 1) AS most, count(*) OVER gpus AS frames, p.newest, p.device,
       p.device_name || ' and ' || p.second_name AS device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule,
       p.trials || ', ' || p.second_trials AS trials
FROM pair AS p
LEFT JOIN share AS f ON f.spec = p.spec AND f.device_name = p.device_name
LEFT JOIN share AS g ON g.spec = p.second_spec AND g.device_name = p.second_name
WHERE p.all_first > p.all_second
WINDOW gpus AS (PARTITION BY p.device_name, p.second_name, p.width, p.height)
ORDER BY p.device_name, p.second_name, p.width * p.height, p.schedule, p.place_in_paper, p.scene, p.variant, p.tile_m

-- [brdf]
-- 4.2.7: surfaces that scatter less make the paths of a warp end together. A panel per device, image size and schedule; a row is a scene with a set of
-- materials.
SELECT *, -min(distance) OVER panel AS close, group_concat(of_trials, ', ') OVER panel AS trials
FROM (SELECT *, max(kind) OVER panel AS kinds
      FROM (SELECT *, dense_rank() OVER (PARTITION BY device_name, width, height, max_bounces, family, schedule ORDER BY surfaces) AS kind
            FROM saving_line WHERE first_camera)
      WINDOW panel AS (PARTITION BY device_name, width, height, max_bounces, family, schedule))
WHERE kinds > 1 OR :all = 1
WINDOW panel AS (PARTITION BY device_name, width, height, max_bounces, family, schedule ORDER BY of_scene, surfaces
                     ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
ORDER BY device_name, width * height, max_bounces, family, schedule, place_in_paper, of_scene, surfaces <> 'lambert07', surfaces

-- [views]
-- 4.2.7: open and closed scenes, and views from outside and from inside: what compaction saves and what it gains. A panel per device, image size and
-- schedule; a row is a scene and camera, the least saved first. One row compares nothing.
SELECT *, count(*) OVER panel >= (SELECT min(2, max(n)) FROM (SELECT count(*) AS n FROM saving_line WHERE matte
                                  GROUP BY device_name, width, height, max_bounces, family, schedule)) AS listed,
       -min(distance) OVER panel AS close, group_concat(of_trials, ', ') OVER panel AS trials
FROM saving_line
WHERE matte
WINDOW panel AS (PARTITION BY device_name, width, height, max_bounces, family, schedule)
ORDER BY device_name, width * height, max_bounces, family, schedule, saved IS NULL, saved, label

-- [registers]
-- Register cap and block size: what the compiler makes of them, and what it means for both schedules. A panel per scene, camera, device and image
-- size; a row is a choice of both, a series a kernel.
WITH cell AS (
    SELECT *, min(schedule) OVER panel < max(schedule) OVER panel AS several, group_concat(trials, ', ') OVER panel AS all_trials
    FROM versus
    WHERE variant IN ('naive', 'whole_frame') AND usual AND counts AND matte AND lane_map = 'linear' AND pixel_order = 'tile'
    WINDOW panel AS (PARTITION BY scene, camera, device_name, width, height, max_bounces, family, leaf_size, bins, heeded)
)
SELECT coalesce('at most ' || c.registers, 'free') || ', block ' || c.block AS choice, c.variant, c.spp / c.seconds AS rate, c.flags,
       c.trials AS of_trials, c.change, c.change_low, c.change_high, c.speedup_flags, c.both_trials,
       max(k.registers) AS registers, max(k.spill_bytes) AS spill, min(k.multiprocessor_warps) AS warps, -- of the heaviest path kernel
       -abs(c.max_bounces - 8) AS near, c.newest, c.scene, c.camera, c.device, c.device_name, c.width, c.height, c.max_bounces, c.family,
       c.family AS work, c.leaf_size, c.bins, c.heeded, c.all_trials AS trials
FROM cell AS c
LEFT JOIN kernels AS k ON k.trial = c.trial AND k.auxiliary = 0 AND k.collection <> 'counts'
WHERE c.several OR :all = 1
GROUP BY c.setting
ORDER BY c.scene, c.camera, c.device_name, c.width * c.height, c.max_bounces, c.family, c.leaf_size, c.bins, c.heeded,
         c.registers IS NOT NULL, c.registers DESC, c.block

-- [occupancy]
-- 4.1: does the fall of occupancy explain the slow tiled kernel with shared memory? The tiled kernel with global memory, held down to as few warps in
-- two ways: by shared memory that it does not use, and by fewer blocks. A panel per configuration and carve-out.
WITH shown AS (
    SELECT t.*, count(*) OVER panel AS settings, max(shared_pad > 0 OR resident_blocks IS NOT NULL) OVER panel AS throttled,
           min(distance) OVER panel AS least, group_concat(trials, ', ') OVER panel AS all_trials
    FROM timed AS t
    WHERE variant IN ('tiled_global', 'tiled_shared') AND counts AND plain AND dummy_flops = 0 AND traversal = 'while_while' AND matte
    WINDOW panel AS (PARTITION BY work, device_name, schedule, carveout)
)
SELECT 'M ' || s.tile_m || ', ' || s.variant || iif(s.shared_pad > 0, ', ' || s.shared_pad || ' unused bytes', '') ||
           coalesce(', at most ' || s.resident_blocks || ' blocks', '') AS throttle,
       max(k.block_bytes) / 1024.0 AS shared, min(k.multiprocessor_warps) AS warps, a.percent / 100 AS achieved,
       iif(a.percent IS NULL, 'no_counter', '') AS achieved_flags, s.seconds AS time, s.flags, s.trials AS row_trials,
       s.seconds / g.seconds AS slowdown, iif(s.setting = g.setting, NULL, quadrature(s.relative_ci, g.relative_ci)) AS slowdown_ci,
       s.flags || coalesce('|' || g.flags, '|no_unthrottled') AS slowdown_flags,
       s.trials || iif(s.setting = g.setting, '', coalesce(', ' || g.trials, '')) AS both_trials, s.settings, -abs(s.max_bounces - 8) AS near,
       -s.least AS close, s.newest, s.work AS frame, s.schedule || coalesce(', carve-out ' || s.carveout || ' %', '') AS schedule,
       s.scene, s.camera, s.device, s.device_name, s.width, s.height, s.max_bounces, s.family AS work, s.all_trials AS trials
FROM shown AS s
LEFT JOIN shown AS g ON g.work = s.work AND g.device_name = s.device_name AND g.schedule = s.schedule AND g.carveout IS s.carveout AND
                        g.tile_m = s.tile_m AND g.variant = 'tiled_global' AND g.shared_pad = 0 AND g.resident_blocks IS NULL
LEFT JOIN kernels AS k ON k.trial = s.trial AND k.auxiliary = 0 AND k.collection <> 'counts'
LEFT JOIN achieved AS a ON a.spec = s.spec
WHERE s.throttled OR :all = 1
GROUP BY s.setting
ORDER BY s.scene, s.camera, s.device_name, s.width * s.height, s.work, s.schedule, s.carveout, s.tile_m, s.variant,
         s.resident_blocks IS NOT NULL, s.shared_pad, s.resident_blocks DESC

-- [model_hardware]
-- Active lanes inside the traversal: what the lockstep model predicts from the emulator's counts, and what the hardware counted. Of each variant, the
-- trial nearest to the paper's; variants of one scene, size and schedule share a panel, a row is a launch.
WITH cell AS (
    SELECT s.*, e.trial AS counter_trial, e.bounce, e.model_trial, e.model_inner, e.hardware_inner, e.error_inner, e.model_triangle,
           e.hardware_triangle, e.error_triangle, e.model, e.hardware, e.error
    FROM traversal_efficiency AS e
    JOIN trial_record AS t ON t.id = e.trial
    JOIN setup AS s ON s.setting = t.setting
    JOIN state AS w ON w.setting = s.setting AND w.collection = 'counters' AND NOT w.outdated
),
ranked AS (
    SELECT counter_trial, scene, camera, device_name, width * height AS size, max_bounces, family, traversal, schedule, max(abs(error)) AS worst,
           avg(abs(error)) AS mean, group_concat(DISTINCT model_trial) AS model_trials,
           row_number() OVER (PARTITION BY scene, camera, variant, traversal, device_name
                              ORDER BY NOT matte, NOT unthrottled, dummy_flops, abs(max_bounces - 8), distance, width * height DESC,
                                       newest DESC) AS place
    FROM cell
    GROUP BY counter_trial
),
chosen AS (
    SELECT *, max(worst) OVER panel AS panel_worst, avg(mean) OVER panel AS panel_mean,
           group_concat(counter_trial || ', ' || model_trials, ', ') OVER panel AS trials,
           dense_rank() OVER (ORDER BY scene, camera, device_name, size, max_bounces, family, traversal, schedule, place) AS panel
    FROM ranked
    WHERE place = 1 OR :all = 1
    WINDOW panel AS (PARTITION BY scene, camera, device_name, size, max_bounces, family, traversal, schedule, place)
)
SELECT k.panel, c.variant || ', ' || coalesce(c.bounce, 'all') AS launch, c.model_inner, c.hardware_inner, c.error_inner, c.model_triangle,
       c.hardware_triangle, c.error_triangle, c.model, c.hardware, c.error, iif(abs(c.error) > 5, 'far_off', '') AS error_flags,
       c.counter_trial || ', ' || c.model_trial AS both_trials, replace(replace(k.trials, ', ', ','), ',', ', ') AS trials,
       k.panel_worst AS worst, k.panel_mean AS mean, c.scene, c.camera, c.device, c.device_name, c.width, c.height, c.max_bounces,
       c.family AS work, c.traversal || ', ' || c.schedule AS schedule, (SELECT count(*) FROM ranked WHERE place > 1 AND :all = 0) AS left_out
FROM cell AS c
JOIN chosen AS k ON k.counter_trial = c.counter_trial
ORDER BY k.panel, c.variant, c.bounce IS NULL, c.bounce

-- [witness]
-- Two witnesses of the same counts, per launch: instructions that the hardware counted at the extension's entry in the clean kernels, and ballots of
-- the instrumented ones. A panel per device; a row is a variant.
WITH launch_of AS (
    SELECT s.device, s.device_name, s.variant, w.trial, w.agree, c.outdated, iif(w.agree IS NULL, NULL, w.sass_paths) AS sass_paths,
           iif(w.agree IS NULL, NULL, w.ballot_paths) AS ballot_paths, iif(w.agree IS NULL, NULL, w.sass_warps) AS sass_warps,
           iif(w.agree IS NULL, NULL, w.ballot_warps) AS ballot_warps
    FROM witness AS w
    JOIN trial_record AS t ON t.id = w.trial
    JOIN setup AS s ON s.setting = t.setting
    JOIN state AS c ON c.setting = s.setting AND c.collection = 'counters'
),
summary AS (
    SELECT device_name, variant, min(device) AS device, count(DISTINCT iif(agree IS NOT NULL, trial, NULL)) AS compared_trials,
           count(agree) AS launches, sum(agree) AS equal, sum(NOT agree) AS different, sum(agree IS NULL) AS without,
           sum(sass_paths) AS sass_paths, sum(ballot_paths) AS ballot_paths, sum(sass_warps) AS sass_warps, sum(ballot_warps) AS ballot_warps,
           group_concat(DISTINCT trial) AS row_trials, group_concat(DISTINCT iif(agree = 0, trial, NULL)) AS different_trials
    FROM launch_of
    WHERE NOT outdated
    GROUP BY device_name, variant
)
SELECT s.variant, s.compared_trials, s.launches, s.equal, s.different, iif(s.different > 0, 'differ', '') || iif(s.without > 0, '|without', '') AS flags,
       s.without, s.different_trials, s.sass_paths, s.ballot_paths, s.sass_warps, s.ballot_warps, replace(s.row_trials, ',', ', ') AS row_trials,
       sum(s.launches) OVER gpu AS of_launches, nullif(sum(s.different) OVER gpu, 0) AS differing, o.left_launches, o.left_trials,
       s.device, s.device_name
FROM summary AS s
LEFT JOIN (SELECT device_name, count(*) AS left_launches, count(DISTINCT trial) AS left_trials FROM launch_of WHERE outdated GROUP BY device_name)
    AS o ON o.device_name = s.device_name
WINDOW gpu AS (PARTITION BY s.device_name)
ORDER BY s.device_name, s.variant

-- [widths]
-- Of no paper: what compaction and regeneration gain as warps get wider (experiments/widths.yaml). A row is a width; a series a document's kernel,
-- of several widths: one path a lane, or what the document puts in its place. Both do the same work, with the same choices that both have; of the
-- kernel's own choices the first.
WITH cell AS (
    SELECT t.warp_width AS simd_width, n.lanes, n.warps, n.trial AS counted, c.device_name, c.device, c.newest, c.label, c.variant,
           CASE WHEN c.variant IN ('volume_naive', 'regenerate_thread') THEN 'thesis' WHEN t.tree = 'kd16' THEN 'kdtree'
                WHEN c.lighting = 'mix' THEN 'cmu' WHEN t.roulette = 'thread' THEN 'frolov' ELSE 'wald' END AS document,
           iif(c.variant IN ('naive', 'volume_naive'), 'plain', 'filled') AS kind,
           c.work, c.schedule, c.own
    FROM configured AS c
    JOIN trial_record AS t ON t.id = c.trial
    JOIN setting_counts AS n ON n.spec = c.spec AND n.nth = 1
    WHERE c.device_kind = 'model' AND c.variant IN ('naive', 'whole_frame', 'stream_compact', 'volume_naive', 'regenerate_thread', 'two_stage')
),
swept AS (
    SELECT *, min(simd_width) OVER curve < max(simd_width) OVER curve AS several
    FROM (SELECT *, dense_rank() OVER (PARTITION BY document, kind, work, schedule, device_name ORDER BY own) AS choice FROM cell)
    WHERE choice = 1
    WINDOW curve AS (PARTITION BY document, kind, work, schedule, device_name)
)
SELECT s.simd_width, s.document || ' ' || s.kind AS series, s.lanes, s.counted, s.counted || ', ' || p.counted AS both_counted,
       1.0 * p.warps / s.warps AS saved, s.lanes / p.lanes AS fuller, '' AS flags, s.device, s.device_name, s.newest
FROM swept AS s
JOIN swept AS p ON p.document = s.document AND p.work = s.work AND p.schedule = s.schedule AND p.device_name = s.device_name AND p.simd_width = s.simd_width
               AND p.kind = 'plain'
WHERE s.several
ORDER BY s.device_name, s.simd_width, s.document, s.newest
