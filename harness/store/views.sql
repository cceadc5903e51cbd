-- SPDX-License-Identifier: MIT
-- Every derived figure, and the tables that say what it means. Dropped and made anew whenever this text, device/metrics.def or
-- device/capability.def changes.
-- Definitions are those of docs/metrics.md: one extension = one segment, bounce 0 the camera's; cumulative values are running
-- sums and then ratios of sums. NULL = undefined or not measured.

-- ---- trials --------------------------------------------------------------------------------------------------------------

-- A trial with the state of its collections. current = 0: a later run made the same spec from other code or another scene.
CREATE VIEW trial AS
SELECT t.*, e.name AS experiment, e.study AS study, r.label AS label,
       NOT EXISTS (SELECT 1 FROM trial_record AS n
                   WHERE n.spec = t.spec AND (n.last_run, n.id) > (t.last_run, t.id)) AS current,
       (SELECT status FROM attempt WHERE trial = t.id AND collection = 'counts' AND NOT superseded
        ORDER BY id DESC LIMIT 1) AS counts,
       (SELECT status FROM attempt WHERE trial = t.id AND collection = 'frame' AND NOT superseded
        ORDER BY id DESC LIMIT 1) AS frame,
       (SELECT status FROM attempt WHERE trial = t.id AND collection = 'launches' AND NOT superseded
        ORDER BY id DESC LIMIT 1) AS launches,
       (SELECT status FROM attempt WHERE trial = t.id AND collection = 'counters' AND NOT superseded
        ORDER BY id DESC LIMIT 1) AS counters,
       (SELECT status FROM attempt WHERE trial = t.id AND collection = 'stalls' AND NOT superseded
        ORDER BY id DESC LIMIT 1) AS stalls,
       (SELECT image FROM attempt WHERE trial = t.id AND status = 'done' AND NOT superseded
        ORDER BY id DESC LIMIT 1) AS image,
       (SELECT path_hash FROM attempt WHERE trial = t.id AND status = 'done' AND NOT superseded AND collection = 'counts')
           AS path_hash,
       (SELECT group_concat(d.name || ' = ' || quote(d.value), ', ') FROM run_trial AS l JOIN derived AS d ON d.run = l.run AND d.point = l.point
        WHERE l.run = t.last_run AND l.trial = t.id) AS derived
FROM trial_record AS t
JOIN run AS r ON r.id = t.last_run
JOIN experiment AS e ON e.id = r.experiment;

-- Which trials an experiment's runs asked for.
CREATE VIEW experiment_trial AS
SELECT e.name AS experiment, e.study, r.label, l.run, l.trial, l.point, l.ordinal, l.collections
FROM run_trial AS l
JOIN run AS r ON r.id = l.run
JOIN experiment AS e ON e.id = r.experiment;

-- The results that count: one per trial and collection.
CREATE VIEW result AS
SELECT id AS attempt, trial, collection, number, run, started, finished, stop_reason, prepare_seconds, image, path_hash,
       counts_digest, warp_width, multiprocessors, device_name, driver, times, provenance
FROM attempt
WHERE status = 'done' AND superseded = 0;

-- ---- counts --------------------------------------------------------------------------------------------------------------

-- Counts of one trial and bounce, summed over launches. A bounce that no path reaches has no row.
CREATE VIEW bounce AS
SELECT a.trial, a.id AS attempt, c.bounce, a.warp_width,
       sum(c.active_paths) AS active_paths, sum(c.active_warps) AS active_warps,
       sum(c.deaths_miss) AS deaths_miss, sum(c.deaths_depth) AS deaths_depth,
       sum(c.deaths_absorb) AS deaths_absorb, sum(c.deaths_roulette) AS deaths_roulette,
       sum(c.shadow_rays) AS shadow_rays, sum(c.occluded) AS occluded,
       sum(c.nodes) AS nodes, sum(c.triangles) AS triangles,
       sum(c.shadow_nodes) AS shadow_nodes, sum(c.shadow_triangles) AS shadow_triangles
FROM attempt AS a
CROSS JOIN bounce_counts AS c ON c.attempt = a.id
WHERE a.collection = 'counts' AND a.status = 'done' AND a.superseded = 0 AND c.bounce >= 0
GROUP BY a.id, c.bounce;

-- Hits per material and bounce; material 15 stands for itself and all beyond.
CREATE VIEW material AS
SELECT a.trial, c.bounce, m.value AS material,
       sum(CASE m.value WHEN 0 THEN hits_0 WHEN 1 THEN hits_1 WHEN 2 THEN hits_2 WHEN 3 THEN hits_3 WHEN 4 THEN hits_4
                        WHEN 5 THEN hits_5 WHEN 6 THEN hits_6 WHEN 7 THEN hits_7 WHEN 8 THEN hits_8 WHEN 9 THEN hits_9
                        WHEN 10 THEN hits_10 WHEN 11 THEN hits_11 WHEN 12 THEN hits_12 WHEN 13 THEN hits_13
                        WHEN 14 THEN hits_14 ELSE hits_15 END) AS hits
FROM attempt AS a
CROSS JOIN bounce_counts AS c ON c.attempt = a.id
CROSS JOIN json_each('[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]') AS m
WHERE a.collection = 'counts' AND a.status = 'done' AND a.superseded = 0 AND c.bounce >= 0
GROUP BY a.id, c.bounce, m.value
HAVING hits > 0;

-- Efficiency inside the traversal, from the lockstep model. ray: closest (hit) or any (shadow rays).
CREATE VIEW lockstep_efficiency AS
SELECT a.trial, a.id AS attempt, l.bounce, l.kind, CASE l.kind WHEN 0 THEN 'closest' ELSE 'any' END AS ray, a.warp_width,
       sum(l.inner_steps) AS inner_steps, sum(l.triangle_steps) AS triangle_steps, sum(l.warps) AS warps,
       1.0 * sum(l.inner_live) / nullif(a.warp_width * sum(l.inner_steps), 0) AS inner_efficiency,
       1.0 * sum(l.triangle_live) / nullif(a.warp_width * sum(l.triangle_steps), 0) AS triangle_efficiency,
       (i.weight * sum(l.inner_live) + w.weight * sum(l.triangle_live)) /
           nullif(a.warp_width * (i.weight * sum(l.inner_steps) + w.weight * sum(l.triangle_steps)), 0) AS simd_efficiency
FROM attempt AS a
CROSS JOIN lockstep AS l ON l.attempt = a.id
JOIN step_weight AS i ON i.step = 'inner'
JOIN step_weight AS w ON w.step = 'triangle'
WHERE a.collection = 'counts' AND a.status = 'done' AND a.superseded = 0 AND l.bounce >= 0
GROUP BY a.id, l.bounce, l.kind;

-- Warps launched for a bounce, empty ones included. bounce -1: launches whose paths are at different bounces.
CREATE VIEW launched AS
SELECT a.trial, a.id AS attempt, l.bounce, sum(l.grid * ((l.block + a.warp_width - 1) / a.warp_width)) AS warps
FROM attempt AS a
CROSS JOIN launch AS l ON l.attempt = a.id
WHERE a.collection = 'counts' AND a.status = 'done' AND a.superseded = 0 AND l.repetition = 0 AND NOT l.auxiliary
GROUP BY a.id, l.bounce;

-- What decides how paths share warps. Variants without a map place paths as 'linear' and 'tile' do; blocks of whole warps
-- (block_class 0) all give the same warps, any other size is a class of its own, and so is each warp width. current = 0: a
-- later trial of the same spec has counts too (one that was only timed outdates no counts).
CREATE VIEW placed AS
SELECT t.id AS trial, a.id AS attempt, t.setting, t.work, t.variant, t.device_name, t.block, a.warp_width,
       coalesce(t.lane_map, 'linear') AS lane_map, coalesce(t.pixel_order, 'tile') AS pixel_order,
       coalesce(t.loop, 'reconverged') AS loop,
       CASE WHEN coalesce(t.block, a.warp_width) % a.warp_width = 0 THEN 0 ELSE t.block END AS block_class,
       NOT EXISTS (SELECT 1 FROM trial_record AS n JOIN result AS x ON x.trial = n.id AND x.collection = 'counts'
                   WHERE n.spec = t.spec AND (n.last_run, n.id) > (t.last_run, t.id)) AS current
FROM trial_record AS t
JOIN attempt AS a ON a.trial = t.id AND a.collection = 'counts' AND a.status = 'done' AND a.superseded = 0;

-- The counts of every current trial, with the naive one that it is compared with: itself, or one of the same work that places
-- paths alike; NULL where there is none. Which of several hardly matters, for their counts agree: the current before the
-- outdated, then the same device and block.
CREATE VIEW counted AS
SELECT p.trial, p.attempt, p.setting, p.work, p.variant, p.warp_width,
       CASE p.variant WHEN 'naive' THEN p.attempt ELSE
           (SELECT attempt FROM (SELECT n.attempt, 4 * n.current + 2 * (n.device_name = p.device_name) +
                                        (n.block IS p.block) AS likeness
                                 FROM placed AS n
                                 WHERE n.work = p.work AND n.variant = 'naive' AND n.loop = 'reconverged' AND
                                       n.warp_width = p.warp_width AND n.lane_map = p.lane_map AND
                                       n.pixel_order = p.pixel_order AND n.block_class = p.block_class)
            ORDER BY likeness DESC, attempt DESC LIMIT 1)
       END AS naive_attempt
FROM placed AS p
WHERE p.current;

-- Table 2: paths and warps per bounce and their running sums. What belongs to a whole attempt is found once, at bounce 0.
CREATE VIEW table2 AS
WITH sums AS (
    SELECT attempt, trial, warp_width, bounce, active_paths, active_warps,
           sum(active_paths) OVER sofar AS cum_paths, sum(active_warps) OVER sofar AS cum_warps,
           first_value(CASE bounce WHEN 0 THEN (SELECT trial FROM counted WHERE counted.attempt = b.attempt) END)
               OVER sofar AS current_trial,
           first_value(CASE bounce WHEN 0 THEN (SELECT naive_attempt FROM counted WHERE counted.attempt = b.attempt) END)
               OVER sofar AS naive_attempt,
           first_value(CASE bounce WHEN 0 THEN (
               SELECT max(sum(l.grid * ((l.block + b.warp_width - 1) / b.warp_width)), b.active_warps) FROM launch AS l
               WHERE l.attempt = b.attempt AND l.repetition = 0 AND NOT l.auxiliary AND l.bounce = -1) END)
               OVER sofar AS mixed_warps
    FROM bounce AS b
    WINDOW sofar AS (PARTITION BY attempt ORDER BY bounce)
), both AS (
    SELECT s.*, (SELECT sum(active_warps) FROM bounce_counts WHERE attempt = s.naive_attempt AND bounce = s.bounce)
               AS naive_warps,
           (SELECT sum(active_warps) FROM bounce_counts WHERE attempt = s.naive_attempt AND bounce BETWEEN 0 AND s.bounce)
               AS naive_cum_warps
    FROM sums AS s
    WHERE current_trial IS NOT NULL
    LIMIT -1 -- each sum is computed once
)
SELECT e.study, e.name AS experiment, r.label, s.trial, t.setting, t.scene, t.camera, t.variant, t.device, t.device_name,
       t.width, t.height, t.spp, t.seed, t.max_bounces, s.warp_width, s.bounce,
       s.active_paths, s.cum_paths, s.active_warps, s.cum_warps,
       1.0 * s.active_paths / nullif(s.active_warps, 0) AS paths_per_warp,
       1.0 * s.cum_paths / nullif(s.cum_warps, 0) AS cum_paths_per_warp,
       1.0 * s.active_paths / nullif(s.warp_width * s.active_warps, 0) AS util,
       1.0 * s.cum_paths / nullif(s.warp_width * s.cum_warps, 0) AS cum_util,
       1.0 * s.active_paths / nullif(s.warp_width * coalesce(
           (SELECT sum(l.grid * ((l.block + s.warp_width - 1) / s.warp_width)) FROM launch AS l
            WHERE l.attempt = s.attempt AND l.repetition = 0 AND NOT l.auxiliary AND l.bounce = s.bounce),
           s.mixed_warps), 0) AS util_launch,
       (SELECT 1.0 * sum(inner_live) / nullif(s.warp_width * sum(inner_steps), 0) FROM lockstep
        WHERE attempt = s.attempt AND bounce = s.bounce AND kind = 0) AS inner_efficiency,
       (SELECT 1.0 * sum(triangle_live) / nullif(s.warp_width * sum(triangle_steps), 0) FROM lockstep
        WHERE attempt = s.attempt AND bounce = s.bounce AND kind = 0) AS triangle_efficiency,
       (SELECT (i.weight * sum(inner_live) + w.weight * sum(triangle_live)) /
               nullif(s.warp_width * (i.weight * sum(inner_steps) + w.weight * sum(triangle_steps)), 0)
        FROM lockstep JOIN step_weight AS i ON i.step = 'inner' JOIN step_weight AS w ON w.step = 'triangle'
        WHERE attempt = s.attempt AND bounce = s.bounce AND kind = 0) AS simd_efficiency,
       n.id AS naive_trial, n.lane_map AS naive_lane_map, n.pixel_order AS naive_pixel_order,
       s.naive_warps, s.naive_cum_warps,
       1.0 * s.naive_cum_warps / nullif(s.cum_warps, 0) AS saved
FROM both AS s
CROSS JOIN trial_record AS t ON t.id = s.trial
CROSS JOIN run AS r ON r.id = t.last_run
CROSS JOIN experiment AS e ON e.id = r.experiment
LEFT JOIN trial_record AS n ON n.id = (SELECT trial FROM attempt WHERE id = s.naive_attempt);

-- How many of the paths of a bounce go on to the next. The last bounce has no next one.
CREATE VIEW survival AS
SELECT trial, bounce, active_paths, next_paths, 1.0 * next_paths / nullif(active_paths, 0) AS survival,
       1.0 * active_paths / first_paths AS alive
FROM (SELECT b.trial, b.bounce, b.active_paths, first_value(b.active_paths) OVER later AS first_paths,
             CASE WHEN b.bounce < t.max_bounces THEN coalesce(lead(b.active_paths) OVER later, 0) END AS next_paths
      FROM bounce AS b
      JOIN trial_record AS t ON t.id = b.trial
      WINDOW later AS (PARTITION BY b.attempt ORDER BY b.bounce));

-- ---- times ---------------------------------------------------------------------------------------------------------------

-- Student's t for a two-sided 95 % interval. More degrees take the highest row below them, which is on the safe side.
CREATE VIEW student_t AS
SELECT column1 AS degrees, column2 AS t
FROM (VALUES (1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (6, 2.4469), (7, 2.3646), (8, 2.3060),
             (9, 2.2622), (10, 2.2281), (11, 2.2010), (12, 2.1788), (13, 2.1604), (14, 2.1448), (15, 2.1314), (16, 2.1199),
             (17, 2.1098), (18, 2.1009), (19, 2.0930), (20, 2.0860), (24, 2.0639), (29, 2.0452), (39, 2.0227), (59, 2.0010),
             (119, 1.9801));

-- Every launch of every repetition with its time.
CREATE VIEW timed_launch AS
SELECT attempt, repetition, number, iteration, bounce, auxiliary, kernel, grid, block, shared_bytes, seconds FROM launch
UNION ALL
SELECT l.attempt, t.repetition, l.number, l.iteration, l.bounce, l.auxiliary, l.kernel, l.grid, l.block, l.shared_bytes,
       t.nanoseconds / 1e9
FROM launch AS l CROSS JOIN launch_time AS t ON t.attempt = l.attempt AND t.number = l.number
WHERE l.repetition = 0;

-- Clean, current results: what decides times.
CREATE VIEW clean AS
SELECT a.id AS attempt, a.trial, t.setting, t.replicate, a.collection, a.times, a.stop_reason, a.gate_seconds,
       a.multiprocessors
FROM attempt AS a JOIN trial_record AS t ON t.id = a.trial
WHERE a.collection IN ('frame', 'launches') AND a.status = 'done' AND a.superseded = 0;

-- The device around an attempt. throttled = 1: its clock was lower than it could be, for other reasons than being idle or
-- clocks that somebody set. NULL: not known.
CREATE VIEW surroundings AS
SELECT attempt, max((throttle & ~3) <> 0) AS throttled, max(temperature) AS hottest, max(foreign_processes) AS foreign_processes
FROM condition
GROUP BY attempt;

-- The median frame of each timed attempt. times = 0: the device has no clock, and its seconds decide nothing.
CREATE VIEW replicate_time AS
WITH figure AS (
    SELECT r.attempt, k.value AS kind,
           CASE k.value WHEN 0 THEN host_seconds WHEN 1 THEN device_seconds WHEN 2 THEN gap_seconds ELSE r.sm_mhz END AS figure
    FROM clean AS c CROSS JOIN repetition AS r ON r.attempt = c.attempt CROSS JOIN json_each('[0,1,2,3]') AS k
    WHERE c.collection = 'frame'
), middle AS (
    SELECT attempt, kind, n, avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN figure END) AS median,
           min(figure) AS least, max(figure) AS most
    FROM (SELECT *, row_number() OVER (PARTITION BY attempt, kind ORDER BY figure) AS place,
                 count(*) OVER (PARTITION BY attempt, kind) AS n
          FROM figure WHERE figure IS NOT NULL)
    GROUP BY attempt, kind
), one AS (
    SELECT attempt, max(CASE kind WHEN 0 THEN n END) AS repetitions, max(CASE kind WHEN 0 THEN median END) AS median_seconds,
           max(CASE kind WHEN 0 THEN least END) AS least_seconds, max(CASE kind WHEN 0 THEN most END) AS most_seconds,
           max(CASE kind WHEN 1 THEN median END) AS device_seconds, max(CASE kind WHEN 2 THEN median END) AS gap_seconds,
           max(CASE kind WHEN 3 THEN median END) AS sm_mhz
    FROM middle GROUP BY attempt
)
SELECT c.trial, c.attempt, c.setting, c.replicate, c.times, c.stop_reason, q.repetitions, q.median_seconds, q.least_seconds,
       q.most_seconds, q.device_seconds, q.gap_seconds, q.sm_mhz, s.throttled, s.hottest, c.gate_seconds
FROM one AS q
JOIN clean AS c ON c.attempt = q.attempt
LEFT JOIN surroundings AS s ON s.attempt = q.attempt
WHERE q.repetitions > 0;

-- The frame time of a setting: the median of its replicates' medians, and how well it is known. noise_floor is the largest
-- relative difference between two replicates; spread, their range over their median.
CREATE VIEW frame_time AS
WITH ranked AS (
    SELECT *, avg(median_seconds) OVER (PARTITION BY setting) AS mean,
           row_number() OVER (PARTITION BY setting ORDER BY median_seconds) AS place,
           row_number() OVER (PARTITION BY setting ORDER BY device_seconds IS NULL, device_seconds) AS device_place,
           count(device_seconds) OVER (PARTITION BY setting) AS device_n,
           row_number() OVER (PARTITION BY setting ORDER BY gap_seconds IS NULL, gap_seconds) AS gap_place,
           count(gap_seconds) OVER (PARTITION BY setting) AS gap_n,
           row_number() OVER (PARTITION BY setting ORDER BY sm_mhz IS NULL, sm_mhz) AS clock_place,
           count(sm_mhz) OVER (PARTITION BY setting) AS clock_n,
           count(*) OVER (PARTITION BY setting) AS n
    FROM replicate_time
), one AS (
    SELECT setting, min(trial) AS trial, count(*) AS replicates, sum(repetitions) AS repetitions,
           min(repetitions) AS least_repetitions, min(times) AS times,
           avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN median_seconds END) AS seconds, max(mean) AS mean,
           CASE WHEN count(*) > 1 THEN sqrt(sum((median_seconds - mean) * (median_seconds - mean)) / (count(*) - 1)) END
               AS deviation,
           CASE WHEN count(*) > 1 THEN max(median_seconds) / min(median_seconds) - 1 END AS noise_floor,
           max(median_seconds) - min(median_seconds) AS range,
           avg(CASE WHEN device_place IN ((device_n + 1) / 2, device_n / 2 + 1) THEN device_seconds END) AS device_seconds,
           avg(CASE WHEN gap_place IN ((gap_n + 1) / 2, gap_n / 2 + 1) THEN gap_seconds END) AS gap_seconds,
           avg(CASE WHEN clock_place IN ((clock_n + 1) / 2, clock_n / 2 + 1) THEN sm_mhz END) AS sm_mhz,
           max(throttled) AS throttled, max(hottest) AS hottest, max(gate_seconds) AS gate_seconds
    FROM ranked
    GROUP BY setting
)
SELECT setting, trial, replicates, repetitions, least_repetitions, times, seconds, range / nullif(seconds, 0) AS spread, mean,
       (SELECT t FROM student_t WHERE degrees < replicates ORDER BY degrees DESC LIMIT 1) * deviation / sqrt(replicates) /
           nullif(mean, 0) AS relative_ci,
       noise_floor, device_seconds, gap_seconds, sm_mhz, throttled, hottest, gate_seconds
FROM one;

-- Time of a bounce's path kernels: per repetition their sum, of those the median per replicate, of these the median.
CREATE VIEW bounce_time AS
WITH one AS (
    SELECT c.setting, c.attempt, l.bounce, l.repetition, sum(l.seconds) AS seconds, min(c.times) AS times
    FROM clean AS c
    CROSS JOIN timed_launch AS l ON l.attempt = c.attempt
    WHERE c.collection = 'launches' AND NOT l.auxiliary AND l.bounce >= 0
    GROUP BY c.attempt, l.bounce, l.repetition
), replicate AS (
    SELECT setting, attempt, bounce, times, n AS repetitions,
           avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN seconds END) AS seconds
    FROM (SELECT *, row_number() OVER (PARTITION BY attempt, bounce ORDER BY seconds) AS place,
                 count(*) OVER (PARTITION BY attempt, bounce) AS n FROM one WHERE seconds IS NOT NULL)
    GROUP BY attempt, bounce
), together AS (
    SELECT setting, bounce, count(*) AS replicates, min(repetitions) AS least_repetitions, min(times) AS times,
           avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN seconds END) AS seconds, max(mean) AS mean,
           CASE WHEN count(*) > 1 THEN sqrt(sum((seconds - mean) * (seconds - mean)) / (count(*) - 1)) END AS deviation,
           CASE WHEN count(*) > 1 THEN max(seconds) / min(seconds) - 1 END AS noise_floor,
           max(throttled) AS throttled, max(hottest) AS hottest
    FROM (SELECT r.*, s.throttled, s.hottest, row_number() OVER (PARTITION BY r.setting, r.bounce ORDER BY r.seconds) AS place,
                 count(*) OVER (PARTITION BY r.setting, r.bounce) AS n,
                 avg(r.seconds) OVER (PARTITION BY r.setting, r.bounce) AS mean
          FROM replicate AS r LEFT JOIN surroundings AS s ON s.attempt = r.attempt)
    GROUP BY setting, bounce
)
SELECT setting, bounce, replicates, least_repetitions, times, seconds, mean,
       (SELECT t FROM student_t WHERE degrees < replicates ORDER BY degrees DESC LIMIT 1) * deviation / sqrt(replicates) /
           nullif(mean, 0) AS relative_ci,
       noise_floor, throttled, hottest
FROM together;

-- Where a frame's device time goes, from the collection that times launches: path kernels, auxiliary kernels (compaction,
-- clearing, sorting), and the gaps between launches, read-backs among them. Medians of replicates' medians, as above.
CREATE VIEW frame_parts AS
WITH one AS (
    SELECT c.setting, c.attempt, c.times, l.repetition, sum(CASE WHEN NOT l.auxiliary THEN l.seconds END) AS path_part,
           coalesce(sum(CASE WHEN l.auxiliary THEN l.seconds END), 0.0) AS auxiliary_part,
           (SELECT gap_seconds FROM repetition AS r WHERE r.attempt = c.attempt AND r.number = l.repetition) AS gap_part
    FROM clean AS c CROSS JOIN timed_launch AS l ON l.attempt = c.attempt
    WHERE c.collection = 'launches'
    GROUP BY c.attempt, l.repetition
), figure AS (
    SELECT setting, attempt, times, k.value AS kind, CASE k.value WHEN 0 THEN path_part WHEN 1 THEN auxiliary_part ELSE gap_part END AS figure
    FROM one CROSS JOIN json_each('[0,1,2]') AS k
), replicate AS (
    SELECT setting, attempt, kind, times, avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN figure END) AS figure
    FROM (SELECT *, row_number() OVER (PARTITION BY attempt, kind ORDER BY figure) AS place,
                 count(*) OVER (PARTITION BY attempt, kind) AS n FROM figure WHERE figure IS NOT NULL)
    GROUP BY attempt, kind
), middle AS (
    SELECT setting, kind, n, min(times) AS times, avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN figure END) AS figure
    FROM (SELECT *, row_number() OVER (PARTITION BY setting, kind ORDER BY figure) AS place,
                 count(*) OVER (PARTITION BY setting, kind) AS n FROM replicate)
    GROUP BY setting, kind
), part AS (
    SELECT setting, max(n) AS replicates, min(times) AS times, max(CASE kind WHEN 0 THEN figure END) AS path_seconds,
           max(CASE kind WHEN 1 THEN figure END) AS auxiliary_seconds, max(CASE kind WHEN 2 THEN figure END) AS gap_seconds
    FROM middle GROUP BY setting
)
SELECT setting, replicates, times, path_seconds, auxiliary_seconds, gap_seconds,
       path_seconds + auxiliary_seconds + gap_seconds AS parts_seconds,
       auxiliary_seconds / nullif(path_seconds + auxiliary_seconds + gap_seconds, 0) AS auxiliary_share,
       gap_seconds / nullif(path_seconds + auxiliary_seconds + gap_seconds, 0) AS gap_share,
       (auxiliary_seconds + gap_seconds) / nullif(path_seconds + auxiliary_seconds + gap_seconds, 0) AS compaction_share
FROM part;

-- ---- how full the device is ------------------------------------------------------------------------------------------------

-- Warps that the device holds of a setting's path kernels (the most of any), from clean results.
CREATE VIEW residency AS
SELECT c.setting, max(f.resident_warps) AS resident_warps
FROM clean AS c CROSS JOIN kernel_facts AS f ON f.attempt = c.attempt
WHERE f.auxiliary = 0 AND f.resident_warps IS NOT NULL
GROUP BY c.setting;

-- The counts of a timed setting: its own, or those of the latest trial of the same spec, which another experiment made.
CREATE VIEW counted_setting AS
SELECT r.setting, r.resident_warps,
       (SELECT a.id FROM trial_record AS o
        CROSS JOIN trial_record AS n ON n.spec = o.spec
        CROSS JOIN attempt AS a ON a.trial = n.id AND a.collection = 'counts' AND a.status = 'done' AND a.superseded = 0
        WHERE o.setting = r.setting
        ORDER BY n.setting = o.setting DESC, n.last_run DESC, n.id DESC LIMIT 1) AS attempt
FROM residency AS r;

-- How often a bounce's active warps fill the device. underfilled = 1: under 4 times, so that its time decides nothing.
CREATE VIEW waves AS
SELECT s.setting, (SELECT trial FROM attempt WHERE id = s.attempt) AS trial, c.bounce, sum(c.active_paths) AS active_paths,
       sum(c.active_warps) AS active_warps, s.resident_warps, 1.0 * sum(c.active_warps) / s.resident_warps AS waves,
       sum(c.active_warps) < 4 * s.resident_warps AS underfilled
FROM counted_setting AS s
CROSS JOIN bounce_counts AS c ON c.attempt = s.attempt AND c.bounce >= 0
GROUP BY s.setting, c.bounce;

-- The same of whole frames: underfilled where bounce 0 has under 4 waves, or where more than half of the time of its bounces
-- lies in bounces under 4 waves (for schedules that launch per bounce).
CREATE VIEW frame_waves AS
SELECT w.setting, max(CASE w.bounce WHEN 0 THEN w.waves END) AS waves, max(w.resident_warps) AS resident_warps,
       sum(CASE WHEN w.underfilled THEN k.seconds ELSE 0 END) / nullif(sum(CASE WHEN k.times THEN k.seconds END), 0)
           AS underfilled_share,
       coalesce(max(CASE w.bounce WHEN 0 THEN w.underfilled END), 0) OR
           coalesce(sum(CASE WHEN w.underfilled THEN k.seconds ELSE 0 END) >
                    0.5 * sum(CASE WHEN k.times THEN k.seconds END), 0) AS underfilled
FROM waves AS w
LEFT JOIN bounce_time AS k ON k.setting = w.setting AND k.bounce = w.bounce
GROUP BY w.setting;

-- What makes a setting's frame time weak: flags, words with commas between; reasons, the same with figures. '' = nothing.
CREATE VIEW quality AS
WITH asked AS (
    SELECT setting, min(CAST(substr(policy, instr(policy, 'relative_ci=') + 12) AS REAL)) AS wanted
    FROM trial_record GROUP BY setting
), judged AS (
    SELECT q.setting, q.wanted, f.replicates, f.least_repetitions, f.relative_ci, f.noise_floor, f.hottest, w.waves,
           w.underfilled_share,
           coalesce(f.times, 0) = 0 AS untimed, f.replicates < 5 AS few_replicates,
           f.least_repetitions < 10 AS few_repetitions,
           q.wanted > 0 AND f.relative_ci > q.wanted AS wide_interval, q.wanted > 0 AND f.noise_floor > 2 * q.wanted AS noisy,
           coalesce(f.throttled, 0) AS throttled, coalesce(w.underfilled, 0) AS underfilled
    FROM asked AS q
    LEFT JOIN frame_time AS f ON f.setting = q.setting
    LEFT JOIN frame_waves AS w ON w.setting = q.setting
)
SELECT setting,
       CASE WHEN untimed THEN 'untimed' ELSE
           rtrim(iif(few_replicates, 'few_replicates,', '') || iif(few_repetitions, 'few_repetitions,', '') ||
                 iif(wide_interval, 'wide_interval,', '') || iif(noisy, 'noisy,', '') || iif(throttled, 'throttled,', '') ||
                 iif(underfilled, 'underfilled,', ''), ',') END AS flags,
       CASE WHEN untimed THEN 'not measured, or on a device without a clock' ELSE
           rtrim(iif(few_replicates, printf('%d of 5 replicates; ', replicates), '') ||
                 iif(few_repetitions, printf('%d of 10 repetitions; ', least_repetitions), '') ||
                 iif(wide_interval, printf('interval +-%.2g %%, wanted %.2g %%; ', 100 * relative_ci, 100 * wanted), '') ||
                 iif(noisy, printf('replicates differ by %.2g %%, twice the wanted interval is %.2g %%; ', 100 * noise_floor,
                                   200 * wanted), '') ||
                 iif(throttled, 'clock throttled' || coalesce(printf(' at %.0f degrees Celsius', hottest), '') || '; ', '') ||
                 iif(underfilled, CASE WHEN waves < 4 THEN printf('%.2g waves at bounce 0; ', waves)
                     ELSE printf('%.0f %% of the time in bounces under 4 waves; ', 100 * underfilled_share) END, ''), '; ')
       END AS reasons
FROM judged;

-- ---- tables of times -------------------------------------------------------------------------------------------------------

-- Table 1: frames per second, and the change against the naive kernel on the same work and device, with the same tree, map
-- from lanes to pixels and extra work a hit; if possible with the same block, registers, limits of residency. clear = 1: the
-- change is beyond both noise floors.
CREATE VIEW table1 AS
WITH timed AS MATERIALIZED (
    SELECT f.*, t.work, t.variant, t.device_name, t.block, t.registers, t.resident_blocks, t.shared_pad, t.carveout,
           t.last_run, coalesce(t.loop, 'reconverged') AS loop,
           printf('%d %d %s %s %s %s %d', t.leaf_size, t.bins, coalesce(t.lane_map, 'linear'),
                  coalesce(t.pixel_order, 'tile'), coalesce(t.traversal, 'while_while'), coalesce(t.far_first, 'no'),
                  t.dummy_flops) AS alike,
           NOT EXISTS (SELECT 1 FROM trial_record AS n JOIN result AS x ON x.trial = n.id AND x.collection = 'frame'
                       WHERE n.spec = t.spec AND (n.last_run, n.id) > (t.last_run, t.id)) AS current
    FROM frame_time AS f JOIN trial_record AS t ON t.id = f.trial
), paired AS (
    SELECT v.*, CASE v.variant WHEN 'naive' THEN v.setting ELSE
                (SELECT setting FROM (SELECT n.setting, n.trial, 16 * (n.block IS v.block) +
                                             8 * (n.registers IS v.registers) + 4 * (n.resident_blocks IS v.resident_blocks) +
                                             2 * (n.shared_pad IS v.shared_pad) + (n.carveout IS v.carveout) AS likeness
                                      FROM timed AS n
                                      WHERE n.work = v.work AND n.variant = 'naive' AND n.loop = 'reconverged' AND
                                            n.alike = v.alike AND n.device_name = v.device_name AND n.current)
                 ORDER BY likeness DESC, trial DESC LIMIT 1) END AS naive_setting
    FROM timed AS v WHERE v.current
)
SELECT e.study, e.name AS experiment, r.label, v.trial, v.setting, t.scene, t.camera, t.variant, t.device, t.device_name,
       t.width, t.height, t.spp, t.max_bounces, t.block, t.registers, t.tile_m, v.replicates, v.repetitions, v.times, v.spread,
       CASE WHEN v.times THEN v.seconds END AS seconds,
       CASE WHEN v.times THEN t.spp / v.seconds END AS fps,
       CASE WHEN v.times THEN t.spp / n.seconds END AS naive_fps,
       CASE WHEN v.times AND n.times THEN n.seconds / v.seconds END AS speedup,
       CASE WHEN v.times AND n.times THEN 100 * (n.seconds / v.seconds - 1) END AS percent,
       v.relative_ci, v.noise_floor, n.trial AS naive_trial, n.setting AS naive_setting, n.relative_ci AS naive_relative_ci,
       n.noise_floor AS naive_noise_floor,
       CASE WHEN v.setting <> n.setting THEN sqrt(v.relative_ci * v.relative_ci + n.relative_ci * n.relative_ci) END
           AS speedup_ci,
       CASE WHEN v.times AND n.times AND v.setting <> n.setting THEN
           max(n.seconds / v.seconds, v.seconds / n.seconds) - 1 > max(v.noise_floor, n.noise_floor) END AS clear,
       v.sm_mhz, v.throttled, q.flags, q.reasons
FROM paired AS v
JOIN trial_record AS t ON t.id = v.trial
JOIN run AS r ON r.id = t.last_run
JOIN experiment AS e ON e.id = r.experiment
LEFT JOIN timed AS n ON n.setting = v.naive_setting
LEFT JOIN quality AS q ON q.setting = v.setting;

-- Table 3: time per active warp, from the setting of the counted trial or a timed one of the same spec. NULL where no kernel
-- belongs to the bounce (single-kernel variants) or nothing was timed.
CREATE VIEW table3 AS
WITH timed AS (
    SELECT c.*, (SELECT n.setting FROM trial_record AS o
                 CROSS JOIN trial_record AS n ON n.spec = o.spec
                 CROSS JOIN attempt AS a
                     ON a.trial = n.id AND a.collection = 'launches' AND a.status = 'done' AND a.superseded = 0
                 WHERE o.id = c.trial
                 ORDER BY n.setting = o.setting DESC, n.last_run DESC, n.id DESC LIMIT 1) AS timed_setting
    FROM counted AS c
)
SELECT e.study, e.name AS experiment, r.label, c.trial, c.setting, t.scene, t.camera, t.variant, t.device, t.device_name,
       t.width, t.height, t.spp, t.max_bounces, c.warp_width, b.bounce, b.active_paths, b.active_warps,
       1.0 * b.active_paths / nullif(b.active_warps, 0) AS paths_per_warp, k.replicates,
       CASE WHEN k.times THEN k.seconds END AS seconds,
       CASE WHEN k.times THEN 1e6 * k.seconds / nullif(b.active_warps, 0) END AS microseconds_per_warp,
       CASE WHEN k.times THEN 1e9 * k.seconds / nullif(b.active_paths, 0) END AS nanoseconds_per_path,
       CASE WHEN k.times THEN k.relative_ci END AS relative_ci, CASE WHEN k.times THEN k.noise_floor END AS noise_floor,
       k.throttled, s.resident_warps, 1.0 * b.active_warps / s.resident_warps AS waves,
       b.active_warps < 4 * s.resident_warps AS underfilled, c.timed_setting
FROM timed AS c
JOIN bounce AS b ON b.attempt = c.attempt
JOIN trial_record AS t ON t.id = c.trial
JOIN run AS r ON r.id = t.last_run
JOIN experiment AS e ON e.id = r.experiment
LEFT JOIN bounce_time AS k ON k.setting = c.timed_setting AND k.bounce = b.bounce
LEFT JOIN residency AS s ON s.setting = c.timed_setting;

-- ---- hardware --------------------------------------------------------------------------------------------------------------

-- Hardware counters. launch and bounce NULL: the whole frame; bounce NULL alone: a launch whose paths are at different ones.
CREATE VIEW counter AS
SELECT a.trial, a.id AS attempt, nullif(l.bounce, -1) AS bounce, nullif(v.launch, -1) AS launch, l.auxiliary,
       k.name AS kernel, n.name AS metric, v.value
FROM attempt AS a
CROSS JOIN metric_value AS v ON v.attempt = a.id
JOIN metric_name AS n ON n.id = v.metric
LEFT JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.number = v.launch
LEFT JOIN kernel AS k ON k.id = l.kernel
WHERE a.collection = 'counters' AND a.status = 'done' AND a.superseded = 0;

-- Two witnesses of the counts, per launch: instructions of the extension's entry that the hardware counted in the clean
-- kernels, and ballots of the instrumented ones. agree = 1: equal; with the free loop, whose warps are its own, in paths alone.
CREATE VIEW witness AS
SELECT trial, launch, bounce, kernel, sass_warps, sass_paths, ballot_warps, ballot_paths,
       sass_paths = ballot_paths AND (loop = 'free' OR sass_warps = ballot_warps) AS agree
FROM (SELECT a.trial, nullif(s.launch, -1) AS launch, nullif(l.bounce, -1) AS bounce, k.name AS kernel,
             s.instructions AS sass_warps, s.thread_instructions AS sass_paths, coalesce(t.loop, '') AS loop,
             CASE WHEN c.id IS NOT NULL THEN
                 (SELECT coalesce(sum(active_warps), 0) FROM bounce_counts AS b
                  WHERE b.attempt = c.id AND b.bounce >= 0 AND (s.launch = -1 OR b.launch = s.launch)) END AS ballot_warps,
             CASE WHEN c.id IS NOT NULL THEN
                 (SELECT coalesce(sum(active_paths), 0) FROM bounce_counts AS b
                  WHERE b.attempt = c.id AND b.bounce >= 0 AND (s.launch = -1 OR b.launch = s.launch)) END AS ballot_paths
      FROM attempt AS a
      CROSS JOIN site_count AS s ON s.attempt = a.id AND s.site = 0
      JOIN trial_record AS t ON t.id = a.trial
      LEFT JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.number = s.launch
      LEFT JOIN kernel AS k ON k.id = l.kernel
      LEFT JOIN attempt AS c ON c.trial = a.trial AND c.collection = 'counts' AND c.status = 'done' AND c.superseded = 0
      WHERE a.collection = 'counters' AND a.status = 'done' AND a.superseded = 0 AND coalesce(l.auxiliary, 0) = 0);

-- Efficiency of the traversal: the lockstep model of another device's counts of the same paths in the same warps, against
-- instructions at the marked places. Both kinds of rays together; errors in points. Blocks may differ where they are whole warps
-- and own no tiles; the free loop has no model.
-- bounce NULL: launches of mixed bounces, beside the model's sum over all bounces.
CREATE VIEW traversal_efficiency AS
WITH hardware AS (
    SELECT a.trial, l.bounce, a.warp_width,
           sum(CASE s.site WHEN 1 THEN s.instructions END) AS inner_steps,
           sum(CASE s.site WHEN 1 THEN s.thread_instructions END) AS inner_live,
           sum(CASE s.site WHEN 2 THEN s.instructions END) AS triangle_steps,
           sum(CASE s.site WHEN 2 THEN s.thread_instructions END) AS triangle_live
    FROM attempt AS a
    CROSS JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND NOT l.auxiliary
    CROSS JOIN site_count AS s ON s.attempt = a.id AND s.launch = l.number AND s.site IN (1, 2)
    WHERE a.collection = 'counters' AND a.status = 'done' AND a.superseded = 0
    GROUP BY a.id, l.bounce
), modelled AS (
    SELECT t.*, a.id AS attempt, a.warp_width AS width_of_warp
    FROM attempt AS a JOIN trial_record AS t ON t.id = a.trial
    WHERE a.collection = 'counts' AND a.status = 'done' AND a.superseded = 0 AND
          EXISTS (SELECT 1 FROM lockstep WHERE attempt = a.id)
), paired AS (
    SELECT h.*, (SELECT max(m.attempt) FROM modelled AS m JOIN trial_record AS t ON t.id = h.trial
                 WHERE m.work = t.work AND m.variant = t.variant AND m.width_of_warp = h.warp_width AND
                       (m.block IS t.block OR (t.tile_m IS NULL AND m.block % h.warp_width = 0 AND
                                               t.block % h.warp_width = 0)) AND
                       coalesce(t.loop, 'reconverged') = 'reconverged' AND
                       m.leaf_size = t.leaf_size AND m.bins = t.bins AND m.lane_map IS t.lane_map AND
                       m.pixel_order IS t.pixel_order AND m.traversal IS t.traversal AND m.far_first IS t.far_first AND
                       m.tile_m IS t.tile_m AND m.scan IS t.scan AND m.grid IS t.grid AND m.storage IS t.storage AND
                       m.compact_every IS t.compact_every) AS model_attempt
    FROM hardware AS h
), both AS (
    SELECT p.*, sum(l.inner_steps) AS model_inner_steps, sum(l.inner_live) AS model_inner_live,
           sum(l.triangle_steps) AS model_triangle_steps, sum(l.triangle_live) AS model_triangle_live
    FROM paired AS p
    JOIN lockstep AS l ON l.attempt = p.model_attempt AND (l.bounce = p.bounce OR (p.bounce = -1 AND l.bounce >= 0))
    GROUP BY p.trial, p.bounce
), efficiency AS (
    SELECT b.trial, nullif(b.bounce, -1) AS bounce, a.trial AS model_trial,
           1.0 * model_inner_live / nullif(b.warp_width * model_inner_steps, 0) AS model_inner,
           1.0 * inner_live / nullif(b.warp_width * inner_steps, 0) AS hardware_inner,
           1.0 * model_triangle_live / nullif(b.warp_width * model_triangle_steps, 0) AS model_triangle,
           1.0 * triangle_live / nullif(b.warp_width * triangle_steps, 0) AS hardware_triangle,
           (i.weight * model_inner_live + w.weight * model_triangle_live) /
               nullif(b.warp_width * (i.weight * model_inner_steps + w.weight * model_triangle_steps), 0) AS model,
           (i.weight * inner_live + w.weight * triangle_live) /
               nullif(b.warp_width * (i.weight * inner_steps + w.weight * triangle_steps), 0) AS hardware
    FROM both AS b
    JOIN attempt AS a ON a.id = b.model_attempt
    JOIN step_weight AS i ON i.step = 'inner'
    JOIN step_weight AS w ON w.step = 'triangle'
)
SELECT trial, bounce, model_trial, model_inner, hardware_inner, 100 * (model_inner - hardware_inner) AS error_inner,
       model_triangle, hardware_triangle, 100 * (model_triangle - hardware_triangle) AS error_triangle,
       model, hardware, 100 * (model - hardware) AS error
FROM efficiency;

-- Why warps waited: samples of a bounce by reason. bounce NULL: launches whose paths are at different ones.
CREATE VIEW stalls AS
SELECT a.trial, nullif(l.bounce, -1) AS bounce, l.auxiliary, n.name AS reason, sum(s.samples) AS samples,
       1.0 * sum(s.samples) / sum(sum(s.samples)) OVER (PARTITION BY a.trial, l.bounce, l.auxiliary) AS share
FROM attempt AS a
CROSS JOIN stall AS s ON s.attempt = a.id
JOIN stall_reason AS n ON n.id = s.reason
JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.number = s.launch
WHERE a.collection = 'stalls' AND a.status = 'done' AND a.superseded = 0
GROUP BY a.trial, l.bounce, l.auxiliary, s.reason;

-- The same by source line, over a frame; place 1 has the most samples. reason: the most frequent of the line that is none of
-- having issued.
CREATE VIEW stall_lines AS
WITH line AS (
    SELECT a.trial, s.attempt, s.kernel, s.file, s.line, sum(s.samples) AS samples,
           sum(CASE WHEN n.name <> 'selected' THEN s.samples ELSE 0 END) AS waiting
    FROM attempt AS a
    CROSS JOIN stall_line AS s ON s.attempt = a.id
    JOIN stall_reason AS n ON n.id = s.reason
    WHERE a.collection = 'stalls' AND a.status = 'done' AND a.superseded = 0
    GROUP BY s.attempt, s.kernel, s.file, s.line
)
SELECT v.trial, row_number() OVER (PARTITION BY v.attempt ORDER BY v.samples DESC, v.kernel, v.file, v.line) AS place,
       k.name AS kernel, f.name AS file, v.line, v.samples, v.waiting,
       1.0 * v.samples / sum(v.samples) OVER (PARTITION BY v.attempt) AS share,
       (SELECT n.name FROM stall_line AS s JOIN stall_reason AS n ON n.id = s.reason
        WHERE s.attempt = v.attempt AND s.kernel = v.kernel AND s.file = v.file AND s.line = v.line AND n.name <> 'selected'
        ORDER BY s.samples DESC, n.name LIMIT 1) AS reason
FROM line AS v
JOIN kernel AS k ON k.id = v.kernel
JOIN source_file AS f ON f.id = v.file;

-- ---- verification ----------------------------------------------------------------------------------------------------------

-- Every result of a current trial, beside what it must agree with: all of the same `work`.
CREATE VIEW verification_trial AS
SELECT t.work, t.estimator, t.id AS trial, t.scene, t.camera, t.width, t.height, t.spp, t.seed, t.max_bounces, t.variant,
       t.device, t.replicate, a.collection, a.warp_width, a.device_name, a.image, a.path_hash, a.counts_digest
FROM trial_record AS t
JOIN attempt AS a ON a.trial = t.id AND a.status = 'done' AND a.superseded = 0
WHERE NOT EXISTS (SELECT 1 FROM trial_record AS n WHERE n.spec = t.spec AND (n.last_run, n.id) > (t.last_run, t.id));

-- One row per work: agree = 1 where all images, path hashes and counts are equal, 0 where any differs, NULL where there is
-- one result alone.
CREATE VIEW verification AS
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
CREATE VIEW status AS
WITH wanted AS (
    SELECT l.run, l.trial, c.value AS collection,
           (SELECT a.status FROM attempt AS a WHERE a.trial = l.trial AND a.collection = c.value AND NOT a.superseded
            ORDER BY a.status IN ('done', 'skipped', 'failed') DESC, a.id DESC LIMIT 1) AS status
    FROM run_trial AS l
    CROSS JOIN json_each('["counts", "frame", "launches", "counters", "stalls"]') AS c
    WHERE l.collections >> c.key & 1
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
CREATE VIEW progress AS
SELECT r.id AS run, r.label, e.name AS experiment, e.study, e.path, r.started, r.ended, r.reason,
       (SELECT count(*) FROM run_trial WHERE run = r.id) AS trials,
       sum(a.status IS 'done') AS done, sum(a.status IS 'skipped') AS skipped, sum(a.status IS 'failed') AS failed,
       sum(a.status IS 'killed' OR a.status IS 'timeout') AS killed, sum(a.status IS 'abandoned') AS abandoned,
       sum(a.status IS 'running') AS running, max(a.finished) AS latest
FROM run AS r
JOIN experiment AS e ON e.id = r.experiment
LEFT JOIN attempt AS a ON a.run = r.id
GROUP BY r.id;

CREATE VIEW failures AS
SELECT a.id AS attempt, a.trial, t.key, a.collection, a.number, a.status, a.reason, a.started, a.finished, a.run, t.scene,
       t.variant, t.device, t.replicate,
       EXISTS (SELECT 1 FROM attempt AS d WHERE d.trial = a.trial AND d.collection = a.collection AND d.status = 'done'
               AND NOT d.superseded) AS done_since
FROM attempt AS a
JOIN trial_record AS t ON t.id = a.trial
WHERE a.status IN ('failed', 'killed', 'timeout') AND NOT a.superseded;

CREATE VIEW skips AS
SELECT a.id AS attempt, a.trial, t.key, a.collection, a.reason, a.started, a.run, t.scene, t.variant, t.device, t.replicate
FROM attempt AS a
JOIN trial_record AS t ON t.id = a.trial
WHERE a.status = 'skipped' AND NOT a.superseded;

-- What the compiler made of the kernels, with their names.
CREATE VIEW kernels AS
SELECT a.trial, a.collection, k.name AS kernel, f.registers, f.spill_bytes, f.local_bytes, f.static_shared_bytes, f.block,
       f.shared_bytes, f.static_shared_bytes + f.shared_bytes AS block_bytes, f.resident_warps,
       1.0 * f.resident_warps / nullif(a.multiprocessors, 0) AS multiprocessor_warps, f.auxiliary
FROM kernel_facts AS f
JOIN kernel AS k ON k.id = f.kernel
JOIN attempt AS a ON a.id = f.attempt
WHERE a.status = 'done' AND a.superseded = 0;

-- ---- meanings -------------------------------------------------------------------------------------------------------------------

DROP TABLE IF EXISTS compute_capability;
CREATE TABLE compute_capability (   -- limits that decide occupancy, filled from device/capability.def
    version INTEGER PRIMARY KEY,    -- 90 for 9.0
    example TEXT NOT NULL,
    max_warps INTEGER NOT NULL,     -- all of a multiprocessor
    max_blocks INTEGER NOT NULL,
    registers INTEGER NOT NULL,
    register_unit INTEGER NOT NULL, -- allocated per warp in such units
    register_warps INTEGER NOT NULL, -- warps that registers allow are a multiple of it
    shared_multiprocessor INTEGER NOT NULL, -- bytes
    shared_block INTEGER NOT NULL,
    shared_unit INTEGER NOT NULL,
    shared_reserved INTEGER NOT NULL -- of each block
) STRICT;

DROP TABLE IF EXISTS metric;
CREATE TABLE metric (               -- filled from views.sql and device/metrics.def
    name TEXT NOT NULL,
    unit TEXT NOT NULL,
    direction TEXT NOT NULL CHECK (direction IN ('higher', 'lower', 'equal', 'neither')), -- which is better
    meaning TEXT NOT NULL,
    source TEXT NOT NULL,           -- where the definition comes from
    expression TEXT NOT NULL DEFAULT '', -- of hardware counters: the hardware's own name
    PRIMARY KEY (name, expression)
) STRICT;

DROP TABLE IF EXISTS step_weight;
CREATE TABLE step_weight (          -- weight of one lockstep step in simd_efficiency
    step TEXT PRIMARY KEY,
    weight REAL NOT NULL,
    source TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO step_weight VALUES
    ('inner', 1, 'one step over an inner node: two box tests'),
    ('triangle', 1, 'one triangle test');

INSERT INTO metric (name, unit, direction, meaning, source) VALUES
    ('active_paths', 'paths', 'equal', 'paths that enter the extension of a bounce', 'docs/metrics.md 1; Wald 2011, table 2'),
    ('active_warps', 'warps', 'lower', 'warps with at least one active lane', 'docs/metrics.md 2; Wald 2011, table 2'),
    ('cum_paths', 'paths', 'equal', 'running sum of active_paths over bounces', 'docs/metrics.md 2; Wald 2011, table 2'),
    ('cum_warps', 'warps', 'lower', 'running sum of active_warps over bounces', 'docs/metrics.md 2; Wald 2011, table 2'),
    ('paths_per_warp', 'paths/warp', 'higher', 'active_paths / active_warps', 'docs/metrics.md 2; Wald 2011, tables 2 and 3'),
    ('cum_paths_per_warp', 'paths/warp', 'higher', 'cum_paths / cum_warps: a ratio of sums', 'docs/metrics.md 2; Wald 2011, table 2'),
    ('saved', 'ratio', 'higher', 'cum_warps of the naive variant on the same work and map / cum_warps', 'docs/metrics.md 2; Wald 2011, table 2'),
    ('util', 'ratio', 'higher', 'active_paths / (warp_width * active_warps): lanes alive in active warps', 'docs/metrics.md 3; Wald 2011, section 4.2.1'),
    ('cum_util', 'ratio', 'higher', 'cum_paths / (warp_width * cum_warps)', 'docs/metrics.md 3; Wald 2011, section 4.2.1'),
    ('util_launch', 'ratio', 'higher', 'active_paths / (warp_width * launched warps): empty warps count as zero; a launch of many bounces has as many warps as bounce 0 needs', 'docs/metrics.md 3; Wald 2011, section 3.3'),
    ('inner_efficiency', 'ratio', 'higher', 'lanes at work over lanes, in lockstep steps over inner nodes, closest hit', 'docs/metrics.md 3'),
    ('triangle_efficiency', 'ratio', 'higher', 'lanes at work over lanes, in lockstep triangle tests, closest hit', 'docs/metrics.md 3'),
    ('simd_efficiency', 'ratio', 'higher', 'both kinds of steps together, weighted by table step_weight', 'docs/metrics.md 3'),
    ('survival', 'ratio', 'neither', 'active_paths of the next bounce / active_paths', 'docs/metrics.md 1'),
    ('alive', 'ratio', 'neither', 'active_paths / active_paths of bounce 0', 'docs/metrics.md 1'),
    ('shadow_rays', 'rays', 'equal', 'visibility rays to lights; never counted as paths', 'docs/metrics.md 1'),
    ('occluded', 'rays', 'equal', 'shadow rays that hit something', 'docs/metrics.md 1'),
    ('deaths_miss', 'paths', 'equal', 'paths that end because their ray leaves the scene', 'docs/metrics.md 1'),
    ('deaths_depth', 'paths', 'equal', 'paths that end at the bounce limit', 'docs/metrics.md 1'),
    ('deaths_absorb', 'paths', 'equal', 'paths that end because no valid direction or weight follows', 'docs/metrics.md 1'),
    ('deaths_roulette', 'paths', 'equal', 'paths that Russian roulette ends', 'docs/metrics.md 1; Wald 2011, section 3.2'),
    ('nodes', 'steps', 'lower', 'inner nodes visited by closest-hit rays', 'docs/metrics.md 7'),
    ('triangles', 'tests', 'lower', 'triangles tested by closest-hit rays', 'docs/metrics.md 7'),
    ('shadow_nodes', 'steps', 'lower', 'inner nodes visited by shadow rays', 'docs/metrics.md 7'),
    ('shadow_triangles', 'tests', 'lower', 'triangles tested by shadow rays', 'docs/metrics.md 7'),
    ('hits', 'hits', 'equal', 'closest hits on a material', 'docs/metrics.md 1'),
    ('seconds', 's', 'lower', 'frame: first enqueue to final synchronisation by the host''s clock; bounce: its path kernels', 'docs/metrics.md 4'),
    ('host_seconds', 's', 'lower', 'one frame, first enqueue to final synchronisation', 'docs/metrics.md 4'),
    ('device_seconds', 's', 'lower', 'one frame, first to last command on the device', 'docs/metrics.md 4'),
    ('gap_seconds', 's', 'lower', 'device_seconds less the sum of its launches', 'docs/metrics.md 4'),
    ('prepare_seconds', 's', 'lower', 'upload, build and buffers before the measured work', 'docs/metrics.md 4'),
    ('fps', 'frames/s', 'higher', 'paths per pixel and second: spp / seconds', 'docs/metrics.md 4; Wald 2011, table 1'),
    ('speedup', 'ratio', 'higher', 'seconds of the naive variant on the same work, device and map / seconds', 'docs/metrics.md 4; Wald 2011, table 1'),
    ('percent', '%', 'higher', '100 * (speedup - 1)', 'docs/metrics.md 4; Wald 2011, table 1'),
    ('spread', 'ratio', 'lower', 'range of the replicates'' medians / their median: differences below it say nothing', 'docs/metrics.md 8'),
    ('microseconds_per_warp', 'us/warp', 'neither', 'time of a bounce''s path kernels / active_warps; amortised over the device, no latency', 'docs/metrics.md 4; Wald 2011, table 3'),
    ('nanoseconds_per_path', 'ns/path', 'lower', 'time of a bounce''s path kernels / active_paths', 'docs/metrics.md 4'),
    ('launches_path', 'launches', 'lower', 'kernels that process paths, per frame', 'docs/metrics.md 6'),
    ('launches_aux', 'launches', 'lower', 'kernels for compaction, clearing and sorting, per frame', 'docs/metrics.md 6'),
    ('readbacks', 'copies', 'lower', 'host copies that wait for the device, per frame', 'docs/metrics.md 6'),
    ('registers', 'registers', 'lower', 'registers of a lane that the compiler used', 'docs/metrics.md 5'),
    ('spill_bytes', 'bytes', 'lower', 'registers spilled to memory, per lane', 'docs/metrics.md 5'),
    ('local_bytes', 'bytes', 'lower', 'local memory per lane', 'docs/metrics.md 5'),
    ('static_shared_bytes', 'bytes', 'lower', 'shared memory per block that the kernel declares', 'docs/metrics.md 5'),
    ('mean', 's', 'lower', 'mean of the replicates'' medians', 'docs/metrics.md 8'),
    ('relative_ci', 'ratio', 'lower', 'half width of Student''s 95 % interval of the mean of the replicates'' medians / that mean', 'docs/metrics.md 8'),
    ('noise_floor', 'ratio', 'lower', 'largest replicate''s median / smallest - 1: what two runs of one setting differ by', 'docs/metrics.md 8'),
    ('speedup_ci', 'ratio', 'lower', 'relative_ci of a speedup: of both settings, their squares added', 'docs/metrics.md 8'),
    ('clear', 'flag', 'higher', '1: the speedup, or its inverse, exceeds 1 by more than both noise floors', 'docs/metrics.md 8'),
    ('replicates', 'trials', 'higher', 'trials of a setting that differ in nothing but the replicate, each in a process of its own', 'docs/metrics.md 8'),
    ('repetitions', 'frames', 'higher', 'timed frames of all replicates', 'docs/metrics.md 8'),
    ('gate_seconds', 's', 'lower', 'waited for the device to cool down; the longest of the replicates', 'docs/metrics.md 8'),
    ('throttled', 'flag', 'lower', '1: the clock was lower than it could be, other than idle or set by somebody', 'docs/metrics.md 8'),
    ('hottest', 'degrees Celsius', 'lower', 'highest temperature before or after any replicate', 'docs/metrics.md 8'),
    ('sm_mhz', 'MHz', 'neither', 'clock of the multiprocessors, from stamps on the device: median as of seconds', 'docs/metrics.md 8'),
    ('resident_warps', 'warps', 'higher', 'warps of the path kernel that the whole device holds', 'docs/metrics.md 5'),
    ('multiprocessor_warps', 'warps', 'higher', 'resident_warps / multiprocessors', 'docs/metrics.md 5'),
    ('block_bytes', 'bytes', 'lower', 'shared memory of a block, static and dynamic', 'docs/metrics.md 5'),
    ('waves', 'ratio', 'neither', 'active_warps / resident_warps: how often the bounce fills the device', 'docs/metrics.md 5'),
    ('underfilled', 'flag', 'lower', '1: under 4 waves; of a frame: at bounce 0, or for more than half of the time', 'docs/metrics.md 5'),
    ('underfilled_share', 'ratio', 'lower', 'time of bounces under 4 waves / time of all bounces', 'docs/metrics.md 5'),
    ('path_seconds', 's', 'lower', 'kernels of a frame that process paths, timed launch by launch', 'docs/metrics.md 6'),
    ('auxiliary_seconds', 's', 'lower', 'kernels of a frame that compact, clear or sort, timed launch by launch', 'docs/metrics.md 6'),
    ('auxiliary_share', 'ratio', 'lower', 'auxiliary_seconds / (path, auxiliary and gap seconds)', 'docs/metrics.md 6'),
    ('gap_share', 'ratio', 'lower', 'gap_seconds / (path, auxiliary and gap seconds)', 'docs/metrics.md 6'),
    ('compaction_share', 'ratio', 'lower', 'auxiliary and gap seconds / (path, auxiliary and gap seconds)', 'docs/metrics.md 6'),
    ('sass_warps', 'warps', 'equal', 'warps that executed the extension''s entry, by the hardware''s count', 'docs/metrics.md 9'),
    ('sass_paths', 'paths', 'equal', 'lanes that executed the extension''s entry, by the hardware''s count', 'docs/metrics.md 9'),
    ('ballot_warps', 'warps', 'equal', 'the same by the instrumented kernels'' votes', 'docs/metrics.md 9'),
    ('ballot_paths', 'paths', 'equal', 'the same by the instrumented kernels'' votes', 'docs/metrics.md 9'),
    ('hardware', 'ratio', 'higher', 'simd_efficiency of both kinds of rays from instructions at marked places', 'docs/metrics.md 9'),
    ('model', 'ratio', 'higher', 'the same from the lockstep model of the same paths in the same warps', 'docs/metrics.md 9'),
    ('error', 'points', 'neither', '100 x (model - hardware)', 'docs/metrics.md 9'),
    ('samples', 'samples', 'neither', 'samples of warps that the hardware took', 'docs/metrics.md 9'),
    ('waiting', 'samples', 'lower', 'samples of warps that did not issue', 'docs/metrics.md 9'),
    ('share', 'ratio', 'neither', 'samples / all samples of the bounce, or of the frame', 'docs/metrics.md 9');
