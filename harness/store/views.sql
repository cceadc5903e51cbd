-- SPDX-License-Identifier: MIT
-- Every derived value; the rest is in views_times.sql, views_hardware.sql, views_rounds.sql, views_timeline.sql and meanings.sql. Whoever opens a
-- database makes them, temporary; for other programs the file has copies, made anew whenever one of these texts changes.
-- Definitions are those of docs/metrics.md: one extension = one segment, bounce 0 the camera's; cumulative values are running
-- sums and then ratios of sums. NULL = undefined or not measured.

-- Attempts that count: one per trial and collection. The conditions are those of the table's partial indices.
CREATE TEMP VIEW done_attempt AS
SELECT * FROM attempt WHERE status = 'done' AND superseded = 0;

-- ---- trials --------------------------------------------------------------------------------------------------------------

-- What the device of a trial is; of OpenCL its name tells.
CREATE TEMP VIEW trial_device AS
SELECT t.id AS trial, iif(t.device_name GLOB 'OpenCL on a GPU: *', 'gpu', k.kind) AS kind
FROM trial_record AS t
LEFT JOIN device_kind AS k ON k.device = rtrim(t.device, ':0123456789');

-- A trial with the state of its collections. current = 0: there are results of the same spec from other code or another scene,
-- which a later run asked for, or this one has none. launches stands first, or the parameter of that name would hide it.
CREATE TEMP VIEW trial AS
SELECT (SELECT status FROM attempt WHERE trial = t.id AND collection = 'launches' AND NOT superseded
        ORDER BY id DESC LIMIT 1) AS launches,
       t.*, (SELECT name FROM long_text WHERE id = t.programs_text) AS programs,
       (SELECT name FROM long_text WHERE id = t.policy_text) AS policy, e.name AS experiment, e.study AS study, r.label AS label,
       NOT EXISTS (SELECT 1 FROM trial_record AS n
                   WHERE n.spec = t.spec AND n.id <> t.id AND
                         (EXISTS (SELECT 1 FROM done_attempt WHERE trial = n.id), n.last_run, n.id) >
                         (EXISTS (SELECT 1 FROM done_attempt WHERE trial = t.id), t.last_run, t.id))
           AS current,
       (SELECT status FROM attempt WHERE trial = t.id AND collection = 'counts' AND NOT superseded
        ORDER BY id DESC LIMIT 1) AS counts,
       (SELECT status FROM attempt WHERE trial = t.id AND collection = 'frame' AND NOT superseded
        ORDER BY id DESC LIMIT 1) AS frame,
       (SELECT status FROM attempt WHERE trial = t.id AND collection = 'counters' AND NOT superseded
        ORDER BY id DESC LIMIT 1) AS counters,
       (SELECT status FROM attempt WHERE trial = t.id AND collection = 'stalls' AND NOT superseded
        ORDER BY id DESC LIMIT 1) AS stalls,
       (SELECT status FROM attempt WHERE trial = t.id AND collection = 'timeline' AND NOT superseded
        ORDER BY id DESC LIMIT 1) AS timeline,
       (SELECT image FROM done_attempt WHERE trial = t.id ORDER BY id DESC LIMIT 1) AS image,
       (SELECT path_hash FROM done_attempt WHERE trial = t.id AND collection = 'counts') AS path_hash,
       (SELECT group_concat(d.name || ' = ' || quote(d.value), ', ') FROM run_trial AS l JOIN derived AS d ON d.run = l.run AND d.point = l.point
        WHERE l.run = t.last_run AND l.trial = t.id) AS derived, k.kind AS device_kind
FROM trial_record AS t
JOIN trial_device AS k ON k.trial = t.id
JOIN run AS r ON r.id = t.last_run
JOIN experiment AS e ON e.id = r.experiment;

-- Which trials an experiment's runs asked for.
CREATE TEMP VIEW experiment_trial AS
SELECT e.name AS experiment, e.study, r.label, l.run, l.trial, l.point, l.ordinal, l.collections
FROM run_trial AS l
JOIN run AS r ON r.id = l.run
JOIN experiment AS e ON e.id = r.experiment;

-- The results that count: one per trial and collection.
CREATE TEMP VIEW result AS
SELECT id AS attempt, trial, collection, number, run, started, finished, stop_reason, prepare_seconds, image, path_hash,
       counts_digest, warp_width, multiprocessors, device_name, driver, times,
       (SELECT name FROM long_text WHERE id = provenance_text) AS provenance
FROM done_attempt;

-- ---- counts --------------------------------------------------------------------------------------------------------------

-- Counts of one trial and bounce, summed over launches. A bounce that no path reaches has no row, so 0 warps are those of a device
-- that does not count them. (A trial has one attempt that counts: grouped by trial, a query for one trial reads no other.)
CREATE TEMP VIEW bounce AS
SELECT a.trial, a.id AS attempt, c.bounce, a.warp_width,
       sum(c.active_paths) AS active_paths, nullif(sum(c.active_warps), 0) AS active_warps,
       sum(c.deaths_miss) AS deaths_miss, sum(c.deaths_depth) AS deaths_depth,
       sum(c.deaths_absorb) AS deaths_absorb, sum(c.deaths_roulette) AS deaths_roulette,
       sum(c.shadow_rays) AS shadow_rays, sum(c.occluded) AS occluded,
       sum(c.nodes) AS nodes, sum(c.triangles) AS triangles,
       sum(c.shadow_nodes) AS shadow_nodes, sum(c.shadow_triangles) AS shadow_triangles
FROM done_attempt AS a
CROSS JOIN bounce_counts AS c ON c.attempt = a.id
WHERE a.collection = 'counts' AND c.bounce >= 0
GROUP BY a.trial, c.bounce;

-- Hits per material and bounce; material 15 stands for itself and all beyond.
CREATE TEMP VIEW material_hits AS
SELECT a.trial, c.bounce, m.value AS material,
       sum(CASE m.value WHEN 0 THEN hits_0 WHEN 1 THEN hits_1 WHEN 2 THEN hits_2 WHEN 3 THEN hits_3 WHEN 4 THEN hits_4
                        WHEN 5 THEN hits_5 WHEN 6 THEN hits_6 WHEN 7 THEN hits_7 WHEN 8 THEN hits_8 WHEN 9 THEN hits_9
                        WHEN 10 THEN hits_10 WHEN 11 THEN hits_11 WHEN 12 THEN hits_12 WHEN 13 THEN hits_13
                        WHEN 14 THEN hits_14 ELSE hits_15 END) AS hits
FROM done_attempt AS a
CROSS JOIN bounce_counts AS c ON c.attempt = a.id
CROSS JOIN json_each('[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]') AS m
WHERE a.collection = 'counts' AND c.bounce >= 0
GROUP BY a.trial, c.bounce, m.value
HAVING hits > 0;

-- Efficiency inside the traversal, from the lockstep model. ray: closest (hit) or any (shadow rays).
CREATE TEMP VIEW lockstep_efficiency AS
SELECT a.trial, a.id AS attempt, l.bounce, l.kind, CASE l.kind WHEN 0 THEN 'closest' ELSE 'any' END AS ray, a.warp_width,
       sum(l.inner_steps) AS inner_steps, sum(l.triangle_steps) AS triangle_steps, sum(l.warps) AS warps,
       1.0 * sum(l.inner_live) / nullif(a.warp_width * sum(l.inner_steps), 0) AS inner_efficiency,
       1.0 * sum(l.triangle_live) / nullif(a.warp_width * sum(l.triangle_steps), 0) AS triangle_efficiency,
       (i.weight * sum(l.inner_live) + w.weight * sum(l.triangle_live)) /
           nullif(a.warp_width * (i.weight * sum(l.inner_steps) + w.weight * sum(l.triangle_steps)), 0) AS simd_efficiency
FROM done_attempt AS a
CROSS JOIN lockstep AS l ON l.attempt = a.id
JOIN step_weight AS i ON i.step = 'inner'
JOIN step_weight AS w ON w.step = 'triangle'
WHERE a.collection = 'counts' AND l.bounce >= 0
GROUP BY a.trial, l.bounce, l.kind;

-- Warps launched for a bounce, empty ones included. bounce -1: launches whose paths are at different bounces; NULL where rounds of a
-- pipeline share a row, which has the blocks of the largest alone.
CREATE TEMP VIEW launched_warps AS
SELECT a.trial, a.id AS attempt, l.bounce, iif(max(l.more), NULL, sum(l.grid * ((l.block + a.warp_width - 1) / a.warp_width))) AS warps
FROM done_attempt AS a
CROSS JOIN launch AS l ON l.attempt = a.id
WHERE a.collection = 'counts' AND l.repetition = 0 AND NOT l.auxiliary
GROUP BY a.trial, l.bounce;

-- What decides how paths share warps. Variants without a map place paths as 'linear' and 'tile' do; blocks of whole warps
-- (block_class 0) all give the same warps, any other size is a class of its own, and so is each warp width. current = 0: a
-- later trial of the same spec has counts too (one that was only timed outdates no counts).
CREATE TEMP VIEW path_placement AS
SELECT t.id AS trial, a.id AS attempt, t.setting, t.work, t.variant, t.device_name, t.block, a.warp_width,
       printf('%s %s %s', coalesce(t.shared_pad, 0), t.carveout, t.resident_blocks) AS throttle,
       coalesce(t.lane_map, 'linear') AS lane_map, coalesce(t.pixel_order, 'tile') AS pixel_order,
       coalesce(t.loop, 'reconverged') AS loop,
       CASE WHEN coalesce(t.block, a.warp_width) % a.warp_width = 0 THEN 0 ELSE t.block END AS block_class,
       NOT EXISTS (SELECT 1 FROM trial_record AS n CROSS JOIN result AS x ON x.trial = n.id AND x.collection = 'counts'
                   WHERE n.spec = t.spec AND (n.last_run, n.id) > (t.last_run, t.id)) AS current
FROM trial_record AS t
JOIN done_attempt AS a ON a.trial = t.id AND a.collection = 'counts';

-- The counts of every current trial, with the naive one that it is compared with: itself (its loop is the reconverged one), or one of
-- the same work that places paths alike; NULL where there is none. Which of several hardly matters, for their counts agree: the current before the
-- outdated, then the same device, block and throttle, then the latest trial. Mostly there is one that is all of these: looked for
-- alone, it is found first in the index.
CREATE TEMP VIEW naive_pairing AS
SELECT p.trial, p.attempt, p.setting, p.work, p.variant, p.warp_width,
       CASE WHEN p.variant = 'naive' AND p.loop = 'reconverged' THEN p.attempt ELSE coalesce(
           (SELECT n.attempt FROM path_placement AS n
            WHERE n.work = p.work AND n.variant = 'naive' AND n.device_name = p.device_name AND n.block IS p.block AND
                  n.throttle = p.throttle AND
                  n.loop = 'reconverged' AND n.warp_width = p.warp_width AND n.lane_map = p.lane_map AND
                  n.pixel_order = p.pixel_order AND n.current
            ORDER BY n.trial DESC LIMIT 1),
           (SELECT attempt FROM (SELECT n.attempt, n.trial, 8 * n.current + 4 * (n.device_name = p.device_name) +
                                        2 * (n.block IS p.block) + (n.throttle = p.throttle) AS likeness
                                 FROM path_placement AS n
                                 WHERE n.work = p.work AND n.variant = 'naive' AND n.loop = 'reconverged' AND
                                       n.warp_width = p.warp_width AND n.lane_map = p.lane_map AND
                                       n.pixel_order = p.pixel_order AND n.block_class = p.block_class)
            ORDER BY likeness DESC, trial DESC LIMIT 1))
       END AS naive_attempt
FROM path_placement AS p
WHERE p.current;

-- Table 2: paths and warps per bounce and their running sums. Of a bounce's rows of counts the one of its first launch stands
-- for it, and every figure is looked up where it is asked for: a query pays for the trials, bounces and columns that it wants.
CREATE TEMP VIEW table2 AS
SELECT s.study, s.experiment, s.label, s.trial, s.setting, s.scene, s.camera, s.variant, s.device, s.device_name,
       s.width, s.height, s.spp, s.seed, s.max_bounces, s.warp_width, s.bounce,
       s.active_paths, s.cum_paths, s.active_warps, s.cum_warps,
       1.0 * s.active_paths / s.active_warps AS paths_per_warp,
       1.0 * s.cum_paths / s.cum_warps AS cum_paths_per_warp,
       1.0 * s.active_paths / (s.warp_width * s.active_warps) AS util,
       1.0 * s.cum_paths / (s.warp_width * s.cum_warps) AS cum_util,
       1.0 * s.active_paths / nullif(s.warp_width * iif(s.bounce >= 64, NULL, coalesce(
           (SELECT sum(l.grid * ((l.block + s.warp_width - 1) / s.warp_width)) FROM launch AS l
            WHERE l.attempt = s.attempt AND l.repetition = 0 AND NOT l.auxiliary AND l.bounce = s.bounce),
           (SELECT max(sum(l.grid * ((l.block + s.warp_width - 1) / s.warp_width)),
                       (SELECT sum(active_warps) FROM bounce_counts WHERE attempt = s.attempt AND bounce = 0))
            FROM launch AS l
            WHERE l.attempt = s.attempt AND l.repetition = 0 AND NOT l.auxiliary AND l.bounce = -1 AND l.stage = ''))), 0) AS util_launch,
       (SELECT 1.0 * sum(inner_live) / nullif(s.warp_width * sum(inner_steps), 0) FROM lockstep
        WHERE attempt = s.attempt AND bounce = s.bounce AND kind = 0) AS inner_efficiency,
       (SELECT 1.0 * sum(triangle_live) / nullif(s.warp_width * sum(triangle_steps), 0) FROM lockstep
        WHERE attempt = s.attempt AND bounce = s.bounce AND kind = 0) AS triangle_efficiency,
       (SELECT (i.weight * sum(inner_live) + w.weight * sum(triangle_live)) /
               nullif(s.warp_width * (i.weight * sum(inner_steps) + w.weight * sum(triangle_steps)), 0)
        FROM lockstep JOIN step_weight AS i ON i.step = 'inner' JOIN step_weight AS w ON w.step = 'triangle'
        WHERE attempt = s.attempt AND bounce = s.bounce AND kind = 0) AS simd_efficiency,
       s.naive_trial, s.naive_lane_map, s.naive_pixel_order, s.naive_warps, s.naive_cum_warps,
       1.0 * s.naive_cum_warps / s.cum_warps AS saved
FROM (SELECT e.study, e.name AS experiment, r.label, k.trial, k.attempt, t.setting, t.scene, t.camera, t.variant, t.device,
             t.device_name, t.width, t.height, t.spp, t.seed, t.max_bounces, k.warp_width, c.bounce,
             n.id AS naive_trial, n.lane_map AS naive_lane_map, n.pixel_order AS naive_pixel_order,
             (SELECT sum(active_paths) FROM bounce_counts WHERE attempt = k.attempt AND bounce = c.bounce) AS active_paths,
             (SELECT nullif(sum(active_warps), 0) FROM bounce_counts WHERE attempt = k.attempt AND bounce = c.bounce) AS active_warps,
             (SELECT sum(active_paths) FROM bounce_counts WHERE attempt = k.attempt AND bounce BETWEEN 0 AND c.bounce)
                 AS cum_paths,
             (SELECT nullif(sum(active_warps), 0) FROM bounce_counts WHERE attempt = k.attempt AND bounce BETWEEN 0 AND c.bounce)
                 AS cum_warps,
             (SELECT nullif(sum(active_warps), 0) FROM bounce_counts WHERE attempt = b.id AND bounce = c.bounce)
                 AS naive_warps,
             (SELECT nullif(sum(active_warps), 0) FROM bounce_counts WHERE attempt = b.id AND bounce BETWEEN 0 AND c.bounce)
                 AS naive_cum_warps
      FROM naive_pairing AS k
      CROSS JOIN trial_record AS t ON t.id = k.trial
      CROSS JOIN run AS r ON r.id = t.last_run
      CROSS JOIN experiment AS e ON e.id = r.experiment
      LEFT JOIN attempt AS b ON b.id = k.naive_attempt
      LEFT JOIN trial_record AS n ON n.id = b.trial
      CROSS JOIN bounce_counts AS c ON c.attempt = k.attempt AND c.bounce >= 0
      WHERE NOT EXISTS (SELECT 1 FROM bounce_counts AS f
                        WHERE f.attempt = c.attempt AND f.bounce = c.bounce AND f.launch < c.launch)) AS s;

-- How many of the paths of a bounce go on to the next. The last bounce has no next one; rows from 64 on have several bounces, of
-- which none is known by itself.
CREATE TEMP VIEW survival AS
SELECT trial, bounce, active_paths, next_paths, 1.0 * next_paths / nullif(active_paths, 0) AS survival,
       iif(bounce < 64, 1.0 * active_paths / first_paths, NULL) AS alive
FROM (SELECT b.trial, b.bounce, b.active_paths, first_value(b.active_paths) OVER later AS first_paths,
             CASE WHEN b.bounce < coalesce(t.max_bounces, t.path_cap - 1) AND b.bounce < 64 AND NOT coalesce(lead(b.bounce) OVER later >= 64, 0)
                  THEN coalesce(lead(b.active_paths) OVER later, 0) END AS next_paths
      FROM bounce AS b
      JOIN trial_record AS t ON t.id = b.trial
      WINDOW later AS (PARTITION BY b.attempt ORDER BY b.bounce));

-- ---- verification ----------------------------------------------------------------------------------------------------------

-- Every result that no later one of the same spec and collection outdates, beside what it must agree with: all of the same
-- `work`. Not those over a tree that the device traversed by itself, which finds other hits in the last bits.
CREATE TEMP VIEW verification_trial AS
SELECT t.work, t.estimator, t.id AS trial, t.scene, t.camera, t.width, t.height, t.spp, t.seed, t.max_bounces, t.variant,
       t.device, t.replicate, a.collection, a.warp_width, a.device_name, a.image, a.path_hash, a.counts_digest
FROM trial_record AS t
JOIN done_attempt AS a ON a.trial = t.id
WHERE a.id NOT IN (SELECT attempt FROM device_tree) AND
      NOT EXISTS (SELECT 1 FROM trial_record AS n CROSS JOIN result AS x ON x.trial = n.id AND x.collection = a.collection
                  WHERE n.spec = t.spec AND (n.last_run, n.id) > (t.last_run, t.id));

-- One row per work: agree = 1 where all images, path hashes and counts are equal, 0 where any differs, NULL where there is
-- one result alone.
CREATE TEMP VIEW verification AS
SELECT work, estimator, scene, camera, width, height, spp, seed, max_bounces, count(DISTINCT trial) AS trials,
       count(*) AS results, count(DISTINCT variant) AS variants, count(DISTINCT device_name) AS devices,
       count(DISTINCT warp_width) AS warp_widths, count(DISTINCT image) AS images, count(DISTINCT path_hash) AS path_hashes,
       count(DISTINCT counts_digest) AS counts_digests, min(image) AS image, min(path_hash) AS path_hash,
       CASE WHEN count(*) > 1 THEN count(DISTINCT image) = 1 AND count(DISTINCT path_hash) <= 1 AND
                                   count(DISTINCT counts_digest) <= 1 END AS agree
FROM verification_trial
GROUP BY work;

-- ---- progress ----------------------------------------------------------------------------------------------------------------

-- What a run asked for, per collection. `due`: neither done, skipped nor failed yet.
CREATE TEMP VIEW status AS
WITH wanted AS (
    SELECT l.run, l.trial, c.column2 AS collection,
           (SELECT status FROM (SELECT a.status, max((a.status IN ('done', 'skipped', 'failed')) << 62 | a.id) -- of its row
                                FROM attempt AS a
                                WHERE a.trial = l.trial AND a.collection = c.column2 AND NOT a.superseded)) AS status
    FROM run_trial AS l
    CROSS JOIN (VALUES (0, 'counts'), (1, 'frame'), (2, 'launches'), (3, 'counters'), (4, 'stalls'), (5, 'timeline')) AS c
    WHERE l.collections >> c.column1 & 1
)
SELECT r.id AS run, r.label, e.name AS experiment, w.collection, count(*) AS trials,
       sum(w.status IS 'done') AS done, sum(w.status IS 'skipped') AS skipped, sum(w.status IS 'failed') AS failed,
       sum(w.status IS 'running') AS running, sum(w.status IS NOT NULL AND w.status IN ('killed', 'timeout')) AS gave_up,
       sum(w.status IS NULL OR w.status = 'abandoned') AS due
FROM wanted AS w
JOIN run AS r ON r.id = w.run
JOIN experiment AS e ON e.id = r.experiment
GROUP BY w.run, w.collection;

-- One row per run.
CREATE TEMP VIEW progress AS
SELECT r.id AS run, r.label, e.name AS experiment, e.study, e.path, r.started, r.ended, r.reason,
       (SELECT count(*) FROM run_trial WHERE run = r.id) AS trials,
       sum(a.status IS 'done') AS done, sum(a.status IS 'skipped') AS skipped, sum(a.status IS 'failed') AS failed,
       sum(a.status IS 'killed' OR a.status IS 'timeout') AS killed, sum(a.status IS 'abandoned') AS abandoned,
       sum(a.status IS 'running') AS running, (SELECT max(finished) FROM attempt WHERE run = r.id) AS latest
FROM run AS r
JOIN experiment AS e ON e.id = r.experiment
LEFT JOIN attempt AS a ON a.run = r.id AND NOT a.superseded
GROUP BY r.id;

CREATE TEMP VIEW failures AS
SELECT a.id AS attempt, a.trial, t.key, a.collection, a.number, a.status, a.reason, a.started, a.finished, a.run, t.scene,
       t.variant, t.device, t.replicate,
       EXISTS (SELECT 1 FROM trial_record AS n JOIN done_attempt AS d ON d.trial = n.id
               WHERE n.spec = t.spec AND d.collection = a.collection AND (n.id = t.id OR d.started >= a.started)) AS done_since
FROM attempt AS a
JOIN trial_record AS t ON t.id = a.trial
WHERE a.status IN ('failed', 'killed', 'timeout') AND NOT a.superseded;

CREATE TEMP VIEW skips AS
SELECT a.id AS attempt, a.trial, t.key, a.collection, a.reason, a.started, a.run, t.scene, t.variant, t.device, t.replicate
FROM attempt AS a
JOIN trial_record AS t ON t.id = a.trial
WHERE a.status = 'skipped' AND NOT a.superseded;
