-- SPDX-License-Identifier: MIT
-- [schemes]
WITH said AS (                      -- what the sentence says, from the rows of single schemes
    SELECT device_name AS of_device, study || ' ' || variant AS who, count(*) AS scenes, min(speed) AS slowest,
           max(speed) AS fastest, min(lanes) AS fewest, max(lanes) AS most, min(base_lanes) AS before, max(base_lanes) AS before_most,
           count(traced) AS traced_scenes, min(traced) AS traced,
           max(traced) AS traced_most, min(moved) AS moved, max(moved) AS moved_most
    FROM scheme_case
    GROUP BY device_name, study, variant
),
full AS (                           -- of schemes over surfaces with at most a tenth of their lanes idle
    SELECT device_name AS of_device, min(traced) AS traced, max(traced) AS traced_most
    FROM scheme_case
    WHERE lanes >= 0.9 AND study <> 'volpt2018'
    GROUP BY device_name
)
SELECT c.document || ': ' || c.variant AS scheme, dense_rank() OVER (ORDER BY c.device_name) AS panel, c.device_name, min(c.device) AS device,
       count(*) AS scenes, min(c.speed) AS speed_least, max(c.speed) AS speed_most,
       replace(group_concat(DISTINCT nullif(c.flags, '')), ',', '|') AS speed_flags, min(c.lanes) AS lanes_least, max(c.lanes) AS lanes_most,
       iif(count(c.lanes) < count(*), iif(count(c.lanes), 'some_scenes', 'not_counted'), '') AS lanes_flags, min(c.traced) AS traced_least,
       max(c.traced) AS traced_most, iif(count(c.traced) < count(*), iif(count(c.traced), 'some_scenes', 'no_sites'), '') AS traced_flags,
       min(c.moved) AS moved_least, max(c.moved) AS moved_most,
       iif(count(c.moved) < count(*), iif(count(c.moved), 'some_scenes', 'no_state'), '') AS moved_flags, min(c.launches) AS launches_least,
       max(c.launches) AS launches_most, min(c.idle) AS idle_least, max(c.idle) AS idle_most,
       iif(count(c.idle) < count(*), iif(count(c.idle), 'some_scenes', 'no_timeline'), '') AS idle_flags,
       group_concat(c.trials, ', ') AS of_trials,
       w.scenes AS whole_scenes, nullif(w.traced_scenes, w.scenes) AS traced_scenes, w.before, w.before_most,
       w.fewest, w.most, w.traced AS whole_traced, w.traced_most AS whole_traced_most,
       w.slowest, w.fastest, n.traced AS naive_traced, n.traced_most AS naive_traced_most,
       t.scenes AS tiles_scenes, t.slowest AS tiles_slowest, t.fastest AS tiles_fastest,
       v.scenes AS volume_scenes, v.slowest AS volume_slowest, v.fastest AS volume_fastest, v.before AS volume_before,
       v.before_most AS volume_before_most,
       p.scenes AS stages_scenes, p.slowest AS stages_slowest, p.fastest AS stages_fastest, p.fewest AS stages_fewest, p.most AS stages_most,
       p.moved AS stages_moved, p.moved_most AS stages_moved_most, f.traced AS full_traced, f.traced_most AS full_traced_most
FROM scheme_case AS c
LEFT JOIN said AS w ON w.of_device = c.device_name AND w.who = 'wald2011 whole_frame'
LEFT JOIN said AS n ON n.of_device = c.device_name AND n.who = 'wald2011 naive'
LEFT JOIN said AS t ON t.of_device = c.device_name AND t.who = 'frolov2015 tile_regenerate'
LEFT JOIN said AS v ON v.of_device = c.device_name AND v.who = 'volpt2018 regenerate_thread'
LEFT JOIN said AS p ON p.of_device = c.device_name AND p.who = 'cmu2023 two_stage'
LEFT JOIN full AS f ON f.of_device = c.device_name
GROUP BY c.study, c.variant, c.device_name
ORDER BY panel, place_here
-- [cases]
SELECT document || ': ' || variant || '; ' || label AS line, dense_rank() OVER (ORDER BY device_name) AS panel, device_name,
       device, base_lanes, lanes, traced, speed, trials AS of_trials,
       group_concat(trials, ', ') OVER (PARTITION BY device_name) AS trials
FROM scheme_case
ORDER BY panel, place_here, label

-- [tree_gains]
-- What compaction over the whole frame gains, tree by tree, on the frames of Wald's study on which all these trees were timed.
WITH frame AS (
    SELECT m.device_name, m.device, m.scene, m.width, m.height, m.max_bounces, m.variant, m.seconds, m.flags, m.trials,
           (SELECT max(l.traced) FROM image_of AS i JOIN traversal_lanes AS l ON l.image = i.image AND l.device_name = m.device_name
            WHERE i.spec = m.spec) AS traced, t.tree || iif(t.tree = 'wide4', ', ' || t.splits, '') AS tree,
           row_number() OVER (PARTITION BY m.device_name, m.scene, m.width, m.height, m.max_bounces, m.variant, t.tree, t.splits ORDER BY m.newest DESC) AS nth
    FROM measured AS m
    JOIN trial_record AS t ON t.id = m.trial
    WHERE m.device_kind = 'gpu' AND m.seconds > 0 AND m.variant IN ('naive', 'whole_frame') AND NOT m.fitted AND m.stands_for <> '' AND
          m.first_camera AND m.own = '' AND m.flags NOT LIKE '%underfilled%' AND m.spp = 1 AND t.tree IN ('binary', 'wide4') AND t.registers = 64 AND
          t.block = 64 AND t.traversal = iif(t.tree = 'wide4', 'voted', 'while_while') AND coalesce(t.dummy_flops, 0) = 0 AND
          t.materials = 'lambert07' AND t.roulette = 'weight5' AND t.sampler = 'counter' AND t.light_search = 'alias' AND
          coalesce(t.lane_map, 'linear') = 'linear' AND coalesce(t.pixel_order, 'tile') = 'tile' AND coalesce(t.loop, 'reconverged') = 'reconverged' AND
          coalesce(t.shared_pad, 0) = 0 AND t.carveout IS NULL AND t.resident_blocks IS NULL AND coalesce(t.multiprocessors, 0) = 0
),
pair AS (
    SELECT n.*, w.seconds AS whole, w.traced AS whole_traced, n.flags || '|' || w.flags AS both_flags, n.trials || ', ' || w.trials AS both_trials
    FROM frame AS n JOIN frame AS w USING (device_name, scene, width, height, max_bounces, tree)
    WHERE n.nth = 1 AND w.nth = 1 AND n.variant = 'naive' AND w.variant = 'whole_frame'
),
beside AS (                         -- scenes with all three trees
    SELECT p.*, p.seconds / p.whole AS gain, b.seconds / p.seconds AS faster,
           count(*) OVER (PARTITION BY p.device_name, p.scene, p.width, p.height, p.max_bounces) AS trees
    FROM pair AS p
    JOIN pair AS b USING (device_name, scene, width, height, max_bounces)
    WHERE b.tree = 'binary'
)
SELECT b.tree, dense_rank() OVER (ORDER BY b.device_name) AS panel, b.device_name, min(b.device) AS device, count(*) AS scenes,
       min(b.faster) AS faster_least, max(b.faster) AS faster_most, min(b.gain) AS gain_least, max(b.gain) AS gain_most,
       replace(group_concat(DISTINCT nullif(b.both_flags, '')), ',', '|') AS gain_flags, group_concat(b.both_trials, ', ') AS of_trials,
       min(b.traced) AS traced_least, max(b.traced) AS traced_most, min(b.whole_traced) AS gathered_least, max(b.whole_traced) AS gathered_most,
       iif(count(b.traced) < count(*), iif(count(b.traced), 'some_scenes', 'no_sites'), '') AS traced_flags,
       iif(count(b.whole_traced) < count(*), iif(count(b.whole_traced), 'some_scenes', 'no_sites'), '') AS gathered_flags,
       n.binary_least, n.binary_most, n.split_least, n.split_most, n.split_faster, n.split_faster_most, n.whole_least, n.whole_most,
       n.whole_faster, n.whole_faster_most
FROM beside AS b
JOIN (SELECT device_name AS of_device, min(iif(tree = 'binary', gain, NULL)) AS binary_least, max(iif(tree = 'binary', gain, NULL)) AS binary_most,
             min(iif(tree = 'wide4, spatial', gain, NULL)) AS split_least, max(iif(tree = 'wide4, spatial', gain, NULL)) AS split_most,
             min(iif(tree = 'wide4, spatial', faster, NULL)) AS split_faster, max(iif(tree = 'wide4, spatial', faster, NULL)) AS split_faster_most,
             min(iif(tree = 'wide4, whole', gain, NULL)) AS whole_least, max(iif(tree = 'wide4, whole', gain, NULL)) AS whole_most,
             min(iif(tree = 'wide4, whole', faster, NULL)) AS whole_faster, max(iif(tree = 'wide4, whole', faster, NULL)) AS whole_faster_most
      FROM beside WHERE trees = 3 GROUP BY device_name) AS n ON n.of_device = b.device_name
WHERE b.trees = 3
GROUP BY b.device_name, b.tree
ORDER BY panel, b.tree

-- [gpus]
-- How much longer one GPU takes for the frames of another, scheme by scheme. Pools: schemes of which any frame moves state, with all of their frames.
SELECT f.document || ': ' || f.variant AS scheme, dense_rank() OVER (ORDER BY f.first_name, f.second_name) AS panel,
       f.first_name || ' and ' || f.second_name AS device_name, min(f.device) AS device, count(DISTINCT f.scene) AS scenes, count(*) AS frames,
       min(f.ratio) AS least, avg(f.ratio) AS mean, max(f.ratio) AS most, replace(group_concat(DISTINCT nullif(f.flags, '|')), ',', '|') AS flags,
       max(f.moved) AS moved, iif(count(f.moved), '', 'no_state') AS moved_flags,
       max(f.first_dram) AS first_dram, iif(count(f.first_dram), '', 'no_dram') AS first_flags, max(f.second_dram) AS second_dram,
       iif(count(f.second_dram), '', 'no_dram') AS second_flags, max(f.second_l2) AS second_l2, iif(count(f.second_l2), '', 'no_cache') AS l2_flags,
       min(f.second_hits) AS second_hits, iif(count(f.second_hits), '', 'no_cache') AS hits_flags,
       sum(f.first_bytes) / sum(f.second_bytes) AS traffic, iif(count(f.first_bytes), '', 'no_dram') AS traffic_flags,
       group_concat(f.trials, ', ') AS of_trials, w.*
FROM gpu_frame AS f
JOIN (SELECT first_name, second_name, count(iif(variant = base, ratio, NULL)) AS one_frames, min(iif(variant = base, ratio, NULL)) AS one_least,
             max(iif(variant = base, ratio, NULL)) AS one_most, count(iif(variant = 'whole_frame', ratio, NULL)) AS whole_frames,
             min(iif(variant = 'whole_frame', ratio, NULL)) AS whole_least, max(iif(variant = 'whole_frame', ratio, NULL)) AS whole_most,
             count(iif(study = 'frolov2015' AND moves > 0, ratio, NULL)) AS pool_frames,
             min(iif(study = 'frolov2015' AND moves > 0, ratio, NULL)) AS pool_least,
             max(iif(study = 'frolov2015' AND moves > 0, ratio, NULL)) AS pool_most, min(iif(study = 'frolov2015', moved, NULL)) AS pool_moved,
             max(iif(study = 'frolov2015', moved, NULL)) AS pool_moved_most,
             min(iif(study = 'frolov2015' AND moves > 0, second_dram, NULL)) AS pool_dram,
             max(iif(study = 'frolov2015' AND moves > 0, second_dram, NULL)) AS pool_dram_most,
             max(iif(variant = base, second_dram, NULL)) AS one_dram_most
      FROM (SELECT *, max(moved) OVER (PARTITION BY study, variant) AS moves FROM gpu_frame)
      GROUP BY first_name, second_name) AS w ON w.first_name = f.first_name AND w.second_name = f.second_name
GROUP BY f.study, f.variant, f.first_name, f.second_name
ORDER BY panel, f.place_here

-- [gpu_cases]
-- Without frames of pools and streams whose state was not counted.
SELECT document || ': ' || variant || '; ' || label || ', ' || width || 'x' || height AS line, document,
       dense_rank() OVER (ORDER BY first_name, second_name) AS panel, first_name || ' and ' || second_name AS device_name, device, ratio, moved,
       first_dram, second_dram, first_bytes / second_bytes AS traffic, trials AS of_trials,
       group_concat(trials, ', ') OVER (PARTITION BY first_name, second_name) AS trials
FROM (SELECT *, max(moved) OVER (PARTITION BY study, variant) AS moves FROM gpu_frame)
WHERE moved > 0 OR moves IS NULL
ORDER BY panel, place_here, label, width * height

-- [gpu_scenes]
-- Scene by scene, on scenes that stand in for a document's: the schemes and scenes whose frames have counters of device memory on either GPU.
SELECT document || ': ' || variant || '; ' || label AS line, dense_rank() OVER (ORDER BY first_name, second_name) AS panel,
       first_name || ' and ' || second_name AS device_name, min(device) AS device, count(*) AS frames, min(ratio) AS least, max(ratio) AS most,
       replace(group_concat(DISTINCT nullif(flags, '|')), ',', '|') AS flags, max(moved) AS moved, iif(count(moved), '', 'no_state') AS moved_flags,
       max(first_dram) AS first_dram, iif(count(first_dram), '', 'no_dram') AS first_flags, max(second_dram) AS second_dram,
       iif(count(second_dram), '', 'no_dram') AS second_flags, max(second_l2) AS second_l2, iif(count(second_l2), '', 'no_cache') AS l2_flags,
       min(second_hits) AS second_hits, iif(count(second_hits), '', 'no_cache') AS hits_flags, group_concat(trials, ', ') AS of_trials
FROM gpu_frame
WHERE first_camera AND stands_for <> ''
GROUP BY study, variant, scene, first_name, second_name
HAVING count(coalesce(first_dram, second_dram)) > 0
ORDER BY panel, place_here, place_in_paper, label
