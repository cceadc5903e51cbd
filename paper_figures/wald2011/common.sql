-- SPDX-License-Identifier: MIT
-- Made once before the tables and claims of this paper: trials in question, their settings, times and counts, as temporary tables.
-- Parameters: :run and :scene are '' for any. Parameters that a variant ignores stand as they act on it.

-- trials of the runs asked for
CREATE TEMP TABLE asked AS
SELECT DISTINCT trial FROM experiment_trial WHERE label = :run;

-- what a row says of a scene, the order of the paper's scenes, and which to list where only those are wanted
CREATE TEMP TABLE place AS
SELECT *, place_in_paper IS NOT NULL OR :all = 1 OR :scene <> '' OR max(place_in_paper) OVER () IS NULL AS listed
FROM (SELECT i.*, (SELECT p.rowid FROM published_table1 AS p WHERE p.scene = i.stands_for) AS place_in_paper FROM stand_in AS i);

-- trials that differ in the replicate alone
CREATE TEMP TABLE setup AS
SELECT t.setting, min(iif(t.replicate = 0, t.spec, NULL)) AS spec, t.scene || iif(t.camera IN ('', i.camera), '', ', ' || t.camera) ||
           iif(i.stands_for <> '', ' (' || i.stands_for || ')', '') AS label,
       i.stands_for, i.fitted, i.listed, i.camera AS main_camera, t.camera IN ('', i.camera) AS first_camera, coalesce(i.place_in_paper, 99) AS place_in_paper, min(t.id) AS trial, max(t.id) AS newest, group_concat(t.id, ', ') AS trials, t.work, t.scene, t.camera,
       t.variant, t.device, t.device_name, t.width, t.height, t.spp, t.seed, t.max_bounces, t.materials, t.lighting,
       t.light_search, coalesce(t.block, 64) AS block, t.registers, coalesce(t.lane_map, 'linear') AS lane_map,
       coalesce(t.pixel_order, 'tile') AS pixel_order, coalesce(t.traversal, 'while_while') AS traversal,
       coalesce(t.loop, 'reconverged') AS loop, coalesce(t.shared_pad, 0) AS shared_pad, t.carveout, t.resident_blocks,
       coalesce(t.dummy_flops, 0) AS dummy_flops, t.tile_m, coalesce(t.path_bytes, '88') AS path_bytes,
       -- what is computed, but for scene, size, bounce limit, materials and light
       printf('%d paths per pixel, seed %d, sampler %s, roulette %s', t.spp, t.seed, t.sampler, t.roulette) AS family,
       t.materials = 'lambert07' AND t.lighting = 'direct' AND t.light_search = 'alias' AS matte,
       -- how it is spread over lanes, as far as every variant heeds it: equal in settings that are compared
       printf('block %d, %s, lane map %s, pixel order %s, leaf size %d, bins %d%s', coalesce(t.block, 64),
              coalesce(t.registers || ' registers at most', 'registers as the compiler chooses'),
              coalesce(t.lane_map, 'linear'), coalesce(t.pixel_order, 'tile'), t.leaf_size, t.bins,
              iif(coalesce(t.far_first, 'no') = 'yes', ', farther child first', '')) AS schedule,
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
           (t.sampler <> 'counter') + (t.roulette <> 'weight5') AS distance
FROM trial_record AS t
JOIN place AS i ON i.scene = t.scene
WHERE (:scene = '' OR t.scene = :scene) AND (:run = '' OR t.id IN (SELECT trial FROM asked))
GROUP BY t.setting;

CREATE INDEX temp.setup_setting ON setup (setting);
CREATE INDEX temp.setup_spec ON setup (spec);
CREATE INDEX temp.setup_work ON setup (work);

-- of run_trial.collections; counts are exact, and need no state
CREATE TEMP TABLE collection_bit AS
SELECT column1 AS bit, column2 AS collection FROM (VALUES (1, 'frame'), (2, 'launches'), (3, 'counters'), (4, 'stalls'));

-- of every setting and collection that was asked for: outdated by a newer one, or why there is none
CREATE TEMP TABLE state AS
SELECT s.setting, c.collection AS collection,
       EXISTS (SELECT 1 FROM trial_record AS o JOIN trial_record AS n ON n.spec = o.spec AND (n.last_run, n.id) > (o.last_run, o.id)
               WHERE o.id = s.trial AND (:run = '' OR n.id IN (SELECT trial FROM asked)) AND
                     EXISTS (SELECT 1 FROM result AS x WHERE x.trial = n.id AND x.collection = c.collection)) AS outdated,
       coalesce((SELECT 'not measured: ' || a.status || coalesce(': ' || a.reason, '') FROM attempt AS a
                 WHERE a.trial = s.trial AND a.collection = c.collection AND a.status <> 'done' AND NOT a.superseded
                 ORDER BY a.id DESC LIMIT 1), 'not_run') AS reason
FROM setup AS s
CROSS JOIN collection_bit AS c
WHERE EXISTS (SELECT 1 FROM run_trial AS l WHERE l.trial = s.trial AND l.collections >> c.bit & 1);

CREATE INDEX temp.state_setting ON state (setting, collection);

-- settings whose frames were asked for. seconds NULL: not measured, and flags tell why
CREATE TEMP TABLE timed AS
SELECT s.*, CASE WHEN f.times THEN f.seconds END AS seconds, CASE WHEN f.times THEN f.relative_ci END AS relative_ci,
       CASE WHEN f.times THEN f.noise_floor END AS noise_floor,
       CASE WHEN f.setting IS NULL THEN w.reason ELSE replace(q.flags, ',', '|') END AS flags
FROM setup AS s
JOIN state AS w ON w.setting = s.setting AND w.collection = 'frame' AND NOT w.outdated
LEFT JOIN frame_seconds AS f ON f.setting = s.setting
LEFT JOIN quality AS q ON q.setting = s.setting;

-- the newest timed one of the settings that others are compared with
CREATE TEMP TABLE naive AS
SELECT *, row_number() OVER (PARTITION BY work, device_name, schedule, traversal, dummy_flops ORDER BY seconds IS NULL, newest DESC) AS place
FROM timed
WHERE variant = 'naive' AND loop = 'reconverged' AND unthrottled;

-- against the naive kernel on the same work, device, tree, map, block, registers and dummy work
CREATE TEMP TABLE versus AS
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
CREATE TEMP TABLE achieved AS
SELECT t.spec, max(c.value) AS percent
FROM counter AS c
JOIN trial_record AS t ON t.id = c.trial
WHERE c.launch IS NULL AND c.metric = 'achieved_occupancy' AND (:run = '' OR t.id IN (SELECT trial FROM asked))
GROUP BY t.spec;

-- counts over all bounces, by spec of a setting (of its replicate 0): they may come from another experiment than the times
CREATE TEMP TABLE totals AS
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
      WHERE a.collection = 'counts' AND t.replicate = 0 AND (:run = '' OR t.id IN (SELECT trial FROM asked))
      GROUP BY a.trial);

CREATE INDEX temp.totals_spec ON totals (spec);

-- counts of the naive kernel, beside which those of a compacted one stand
CREATE TEMP TABLE counted_naive AS
SELECT s.work, s.device_name, s.schedule, CAST(o.trial AS TEXT) AS trials, o.paths, o.warps, o.warp_width, o.first_paths, o.last_paths,
       row_number() OVER (PARTITION BY s.work, s.device_name, s.schedule ORDER BY s.newest DESC) AS place
FROM setup AS s JOIN totals AS o ON o.spec = s.spec AND o.nth = 1
WHERE s.variant = 'naive' AND s.plain AND s.unthrottled AND s.dummy_flops = 0 AND s.traversal = 'while_while';

-- counts and times by bounce, beside the specification that both belong to, of what launches were asked for
CREATE TEMP TABLE bounces AS
SELECT b.*, t.spec
FROM (SELECT DISTINCT s.spec FROM setup AS s JOIN state AS w ON w.setting = s.setting AND w.collection = 'launches') AS s
CROSS JOIN trial_record AS t ON t.spec = s.spec
CROSS JOIN table3 AS b ON b.trial = t.id
WHERE :run = '' OR b.trial IN (SELECT trial FROM asked);
