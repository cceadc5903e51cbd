-- SPDX-License-Identifier: MIT
-- After ../common.sql: the choices that this paper studies, comparison with the naive kernel, and counts.

-- settings with the choices that this paper studies
CREATE TEMP VIEW setup AS
SELECT c.setting, c.spec, c.label, c.stands_for, c.fitted, c.listed, c.main_camera, c.first_camera, c.place_in_paper, c.trial, c.newest, c.trials, c.work,
       c.scene, c.camera, c.variant, c.device, c.device_name, c.width, c.height, c.spp, c.seed, c.max_bounces, c.materials, c.lighting,
       c.light_search, c.family, coalesce(t.block, 64) AS block, t.registers, coalesce(t.lane_map, 'linear') AS lane_map,
       coalesce(t.pixel_order, 'tile') AS pixel_order, coalesce(t.traversal, 'while_while') AS traversal,
       coalesce(t.loop, 'reconverged') AS loop, coalesce(t.shared_pad, 0) AS shared_pad, t.carveout, t.resident_blocks,
       coalesce(t.dummy_flops, 0) AS dummy_flops, t.tile_m, coalesce(t.path_bytes, '88') AS path_bytes,
       t.materials = 'lambert07' AND t.lighting = 'direct' AND t.light_search = 'alias' AS matte,
       -- as the paper's tables say it, then what else differs from the default
       printf('block %d, %s, lane map %s, pixel order %s, leaf size %d, bins %d%s', coalesce(t.block, 64),
              coalesce(t.registers || ' registers at most', 'registers as the compiler chooses'),
              coalesce(t.lane_map, 'linear'), coalesce(t.pixel_order, 'tile'), t.leaf_size, t.bins,
              iif(coalesce(t.far_first, 'no') = 'yes', ', farther child first', '')) || iif(c.schedule <> '', ', ' || c.schedule, '') AS schedule,
       iif(coalesce(t.path_bytes, '88') <> '88', ', ' || t.path_bytes || ' bytes a path', '') ||
           iif(coalesce(t.path_layout, 'aos') <> 'aos', ', ' || t.path_layout, '') ||
           iif(coalesce(t.scan, 'all') <> 'all', ', short scan', '') ||
           iif(coalesce(t.grid, 'full') <> 'full', ', short grid', '') ||
           iif(coalesce(t.storage, 'indices') <> 'indices', ', moves paths', '') AS options,
       -- all of it as in the paper; as far as no option says otherwise
       coalesce(t.path_bytes, '88') = '88' AND coalesce(t.path_layout, 'aos') = 'aos' AND coalesce(t.scan, 'all') = 'all' AND
           coalesce(t.grid, 'full') = 'full' AND coalesce(t.storage, 'indices') = 'indices' AND
           coalesce(t.compact_every, 1) = 1 AND coalesce(t.loop, 'reconverged') = 'reconverged' AND
           coalesce(t.far_first, 'no') = 'no' AS plain,
       coalesce(t.compact_every, 1) = 1 AND coalesce(t.loop, 'reconverged') = 'reconverged' AND coalesce(t.far_first, 'no') = 'no'
           AS nearly_plain,
       coalesce(t.shared_pad, 0) = 0 AND t.carveout IS NULL AND t.resident_blocks IS NULL AS unthrottled,
       -- how many choices differ from the paper's
       (coalesce(t.block, 64) <> 64) + (coalesce(t.registers, 0) <> 64) + (coalesce(t.lane_map, 'linear') <> 'linear') +
           (coalesce(t.pixel_order, 'tile') <> 'tile') + (t.leaf_size <> 4) + (t.bins <> 32) + (t.seed <> 1) + (t.spp <> 1) +
           (t.sampler <> 'counter') + (t.roulette <> 'weight5') + (t.tree <> 'binary') AS distance
FROM configured AS c
JOIN trial_record AS t ON t.id = c.trial;

-- settings whose frames were asked for. seconds NULL: not measured, and flags tell why
CREATE TEMP VIEW timed AS
SELECT s.*, f.seconds, f.relative_ci, f.noise_floor, f.flags
FROM setup AS s JOIN setting_time AS f ON f.setting = s.setting;

-- the newest timed one of the settings that others are compared with
CREATE TEMP VIEW naive AS
SELECT *, row_number() OVER (PARTITION BY work, device_name, schedule, traversal, dummy_flops ORDER BY seconds IS NULL, newest DESC) AS place
FROM timed
WHERE variant = 'naive' AND loop = 'reconverged' AND unthrottled;

-- against the naive kernel on the same work, device, tree, map, block, registers and dummy work
CREATE TEMP VIEW versus AS
SELECT v.*, n.setting AS naive_setting, n.trials AS naive_trials, n.seconds AS naive_seconds, n.flags AS naive_flags,
       n.seconds / v.seconds AS speedup, sqrt(v.relative_ci * v.relative_ci + n.relative_ci * n.relative_ci) AS speedup_ci,
       v.trials || ', ' || n.trials AS both_trials,
       CASE WHEN n.setting IS NULL THEN 'no_naive' ELSE
           v.flags || '|' || n.flags ||
           CASE WHEN max(n.seconds / v.seconds, v.seconds / n.seconds) - 1 <= max(v.noise_floor, n.noise_floor)
                THEN '|unclear' ELSE '' END END AS speedup_flags
FROM timed AS v
LEFT JOIN naive AS n ON n.work = v.work AND n.device_name = v.device_name AND n.schedule = v.schedule AND
                        n.traversal = v.traversal AND n.dummy_flops = v.dummy_flops AND n.place = 1;

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

-- counts of the naive kernel, beside which those of a compacted one stand
CREATE TEMP VIEW counted_naive AS
SELECT s.work, s.device_name, s.schedule, CAST(o.trial AS TEXT) AS trials, o.paths, o.warps, o.warp_width, o.first_paths, o.last_paths,
       row_number() OVER (PARTITION BY s.work, s.device_name, s.schedule ORDER BY s.newest DESC) AS place
FROM setup AS s JOIN totals AS o ON o.spec = s.spec AND o.nth = 1
WHERE s.variant = 'naive' AND s.plain AND s.unthrottled AND s.dummy_flops = 0 AND s.traversal = 'while_while';

-- counts and times by bounce, beside the specification that both belong to, of what launches were asked for
CREATE TEMP VIEW bounces AS
SELECT b.*, t.spec
FROM (SELECT DISTINCT s.spec FROM setup AS s JOIN state AS w ON w.setting = s.setting AND w.collection = 'launches') AS s
CROSS JOIN trial_record AS t ON t.spec = s.spec
CROSS JOIN table3 AS b ON b.trial = t.id
WHERE (SELECT run FROM report_option) = '' OR b.trial IN (SELECT trial FROM asked);
