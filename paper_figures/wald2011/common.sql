-- SPDX-License-Identifier: MIT
-- After ../common.sql: the choices that this paper studies, comparison with the naive kernel, and counts.

-- settings with the choices that this paper studies. plain: all that is no column of its own is as in the paper, nearly_plain: as far as
-- `options` does not say otherwise
CREATE TEMP VIEW setup AS
SELECT *, nearly_plain AND options = '' AS plain, nearly_plain AND options = '' AND unthrottled AND dummy_flops = 0 AND traversal = 'while_while' AS usual
FROM (SELECT *, materials = 'lambert07' AND lighting = 'direct' AND light_search = 'alias' AS matte,
             -- as the paper's tables say it, then what else differs from the default
             printf('block %d, %s, lane map %s, pixel order %s, leaf size %d, bins %d%s', block,
                    coalesce(registers || ' registers at most', 'registers as the compiler chooses'), lane_map, pixel_order, leaf_size, bins,
                    iif(far_first, ', farther child first', '')) || iif(heeded <> '', ', ' || heeded, '') AS schedule,
             compact_every = 1 AND loop = 'reconverged' AND NOT far_first AS nearly_plain,
             shared_pad = 0 AND carveout IS NULL AND resident_blocks IS NULL AS unthrottled,
             -- how many choices differ from the paper's
             (block <> 64) + (registers IS NOT 64) + (lane_map <> 'linear') + (pixel_order <> 'tile') + (leaf_size <> 4) + (bins <> 32) +
                 (seed <> 1) + (spp <> 1) + unlike AS distance
      FROM (SELECT c.setting, c.spec, c.label, c.stands_for, c.fitted, c.listed, c.main_camera, c.first_camera, c.place_in_paper, c.trial, c.newest,
                   c.trials, c.work, c.scene, c.camera, c.variant, c.device, c.device_kind, c.device_name, c.width, c.height, c.spp, c.seed, c.max_bounces, c.materials,
                   c.lighting, c.light_search, c.family, c.schedule AS heeded, coalesce(t.block, 64) AS block, t.registers, coalesce(t.lane_map, 'linear') AS lane_map,
                   coalesce(t.pixel_order, 'tile') AS pixel_order, coalesce(t.traversal, 'while_while') AS traversal, coalesce(t.loop, 'reconverged') AS loop,
                   coalesce(t.shared_pad, 0) AS shared_pad, t.carveout, t.resident_blocks, coalesce(t.dummy_flops, 0) AS dummy_flops, t.tile_m,
                   t.leaf_size, t.bins, coalesce(t.far_first, 'no') = 'yes' AS far_first, coalesce(t.compact_every, 1) AS compact_every,
                   coalesce(t.path_bytes, '88') AS path_bytes, (t.sampler <> 'counter') + (t.roulette <> 'weight5') + (t.tree <> 'binary') AS unlike,
                   iif(t.path_bytes <> '88', ', ' || t.path_bytes || ' bytes per path', '') || iif(t.path_layout <> 'aos', ', ' || t.path_layout, '') ||
                       iif(t.scan <> 'all', ', short scan', '') || iif(t.grid <> 'full', ', short grid', '') ||
                       iif(t.storage <> 'indices', ', moves paths', '') AS options
            FROM configured AS c
            JOIN trial_record AS t ON t.id = c.trial));

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
WHERE s.variant = 'naive' AND s.usual;

-- counts and times by bounce, beside the specification that both belong to, of what launches were asked for
CREATE TEMP VIEW bounces AS
SELECT b.*, t.spec
FROM (SELECT DISTINCT s.spec FROM setup AS s JOIN state AS w ON w.setting = s.setting AND w.collection = 'launches') AS s
CROSS JOIN trial_record AS t ON t.spec = s.spec
CROSS JOIN table3 AS b ON b.trial = t.id
WHERE (SELECT run FROM report_option) = '' OR b.trial IN (SELECT trial FROM asked);
