-- SPDX-License-Identifier: MIT
-- Times, how well they are known, how full the device was; tables 1 and 3. See views.sql.
-- Medians are written out, by rank or by halves: other programs read copies of these views, and do not have the function median().

-- ---- times ---------------------------------------------------------------------------------------------------------------

-- Student's t for a two-sided 95 % interval. More degrees take the highest row below them, which is on the safe side.
CREATE TEMP VIEW student_t AS
SELECT column1 AS degrees, column2 AS t
FROM (VALUES (1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (6, 2.4469), (7, 2.3646), (8, 2.3060),
             (9, 2.2622), (10, 2.2281), (11, 2.2010), (12, 2.1788), (13, 2.1604), (14, 2.1448), (15, 2.1314), (16, 2.1199),
             (17, 2.1098), (18, 2.1009), (19, 2.0930), (20, 2.0860), (24, 2.0639), (29, 2.0452), (39, 2.0227), (59, 2.0010),
             (119, 1.9801));

-- Every launch of every repetition with its time.
CREATE TEMP VIEW timed_launch AS
SELECT attempt, repetition, number, iteration, bounce, auxiliary, kernel, grid, block, shared_bytes, seconds, stage, more FROM launch
UNION ALL
SELECT l.attempt, t.repetition, l.number, l.iteration, l.bounce, l.auxiliary, l.kernel, l.grid, l.block, l.shared_bytes,
       t.nanoseconds / 1e9, l.stage, l.more
FROM launch_time AS t CROSS JOIN launch AS l ON l.attempt = t.attempt AND l.repetition = 0 AND l.number = t.number;

-- Clean, current results: what decides times.
CREATE TEMP VIEW clean_result AS
SELECT a.id AS attempt, a.trial, t.setting, t.replicate, a.collection, a.times, a.stop_reason, a.gate_seconds,
       a.multiprocessors, a.warp_width
FROM done_attempt AS a JOIN trial_record AS t ON t.id = a.trial
WHERE a.collection IN ('frame', 'launches');

-- Every launch of the clean results that time them: timed_launch, of these attempts alone.
CREATE TEMP VIEW clean_launch AS
SELECT c.setting, c.trial, c.attempt, c.times, l.repetition, l.bounce, l.auxiliary, l.seconds, l.iteration, l.stage, l.kernel, l.more
FROM clean_result AS c CROSS JOIN launch AS l ON l.attempt = c.attempt
WHERE c.collection = 'launches'
UNION ALL
SELECT c.setting, c.trial, c.attempt, c.times, t.repetition, l.bounce, l.auxiliary, t.nanoseconds / 1e9, l.iteration, l.stage, l.kernel, l.more
FROM clean_result AS c
CROSS JOIN launch_time AS t ON t.attempt = c.attempt
CROSS JOIN launch AS l ON l.attempt = t.attempt AND l.repetition = 0 AND l.number = t.number
WHERE c.collection = 'launches';

-- The device around an attempt. throttled = 1: its clock was lower than it could be, for other reasons than being idle or
-- clocks that somebody set. NULL: not known.
CREATE TEMP VIEW attempt_conditions AS
SELECT attempt, max((throttle & ~3) <> 0) AS throttled, max(temperature) AS hottest, max(foreign_processes) AS foreign_processes
FROM condition
GROUP BY attempt;

-- The median frame of each timed attempt: of the lower half the most, and of an even number the mean of that and the least of
-- the upper half. times = 0: the device has no clock, and its seconds count for nothing.
CREATE TEMP VIEW replicate_time AS
SELECT c.trial, c.attempt, c.setting, c.replicate, c.times, c.stop_reason,
       (SELECT count(host_seconds) FROM repetition WHERE attempt = c.attempt) AS repetitions,
       (SELECT CASE count(*) % 2 WHEN 1 THEN max(iif(half = 1, figure, NULL))
               ELSE (max(iif(half = 1, figure, NULL)) + min(iif(half = 2, figure, NULL))) / 2 END
        FROM (SELECT host_seconds AS figure, ntile(2) OVER (ORDER BY host_seconds) AS half FROM repetition
              WHERE attempt = c.attempt AND host_seconds IS NOT NULL)) AS median_seconds,
       (SELECT min(host_seconds) FROM repetition WHERE attempt = c.attempt) AS least_seconds,
       (SELECT max(host_seconds) FROM repetition WHERE attempt = c.attempt) AS most_seconds,
       (SELECT CASE count(*) % 2 WHEN 1 THEN max(iif(half = 1, figure, NULL))
               ELSE (max(iif(half = 1, figure, NULL)) + min(iif(half = 2, figure, NULL))) / 2 END
        FROM (SELECT sm_mhz AS figure, ntile(2) OVER (ORDER BY sm_mhz) AS half FROM repetition
              WHERE attempt = c.attempt AND sm_mhz IS NOT NULL)) AS sm_mhz,
       (SELECT max((throttle & ~3) <> 0) FROM condition WHERE attempt = c.attempt) AS throttled,
       (SELECT max(temperature) FROM condition WHERE attempt = c.attempt) AS hottest, c.gate_seconds
FROM clean_result AS c
WHERE c.collection = 'frame' AND EXISTS (SELECT 1 FROM repetition WHERE attempt = c.attempt AND host_seconds IS NOT NULL);

-- The frame time of a setting: the median of its replicates' medians, and how well it is known. noise_floor is the largest
-- relative difference between two replicates; spread, their range over their median. Deviations come from sums of squares, whose last
-- digits cancel: one below 1e-8 of the mean is not told from none. Without sm_mhz, whose medians cost as much again. NULL of a device
-- without a clock.
CREATE TEMP VIEW frame_seconds AS
WITH replicate AS MATERIALIZED (
    SELECT setting, trial, times, repetitions, iif(times, median_seconds, NULL) AS median_seconds, throttled, hottest, gate_seconds FROM replicate_time
), one AS (
    SELECT setting, min(trial) AS trial, count(*) AS replicates, sum(repetitions) AS repetitions, min(repetitions) AS least_repetitions,
           min(times) AS times, avg(median_seconds) AS mean, sum(median_seconds * median_seconds) AS squares,
           CASE count(median_seconds) % 2 WHEN 1 THEN max(iif(half = 1, median_seconds, NULL))
               ELSE (max(iif(half = 1, median_seconds, NULL)) + min(iif(half = 2, median_seconds, NULL))) / 2 END AS seconds,
           CASE WHEN count(*) > 1 THEN max(median_seconds) / min(median_seconds) - 1 END AS noise_floor,
           max(median_seconds) - min(median_seconds) AS range,
           max(throttled) AS throttled, max(hottest) AS hottest, max(gate_seconds) AS gate_seconds
    FROM (SELECT *, ntile(2) OVER (PARTITION BY setting ORDER BY median_seconds) AS half FROM replicate)
    GROUP BY setting
)
SELECT setting, trial, replicates, repetitions, least_repetitions, times, seconds, range / nullif(seconds, 0) AS spread, mean,
       (SELECT t FROM student_t WHERE degrees < replicates ORDER BY degrees DESC LIMIT 1) *
           sqrt(max(0, squares - replicates * mean * mean) / (replicates - 1) / replicates) / nullif(mean, 0) AS relative_ci,
       noise_floor, throttled, hottest, gate_seconds
FROM one;

-- The same with the clock of the multiprocessors: the median of the replicates' medians.
CREATE TEMP VIEW frame_time AS
SELECT setting, trial, replicates, repetitions, least_repetitions, times, seconds, spread, mean, relative_ci, noise_floor,
       (SELECT CASE count(*) % 2 WHEN 1 THEN max(iif(half = 1, sm_mhz, NULL))
               ELSE (max(iif(half = 1, sm_mhz, NULL)) + min(iif(half = 2, sm_mhz, NULL))) / 2 END
        FROM (SELECT sm_mhz, ntile(2) OVER (ORDER BY sm_mhz) AS half
              FROM (SELECT sm_mhz FROM replicate_time AS r WHERE r.setting = f.setting LIMIT -1)
              WHERE sm_mhz IS NOT NULL)) AS sm_mhz,
       throttled, hottest, gate_seconds
FROM frame_seconds AS f;

-- The frame time of a setting on each device that it was measured on, by the median of the replicates there, and how far that
-- is from the median over these devices. A UUID is one device, whatever its number was: the first of its rows stands for it.
-- card_noise: the largest relative difference between two replicates on one device.
CREATE TEMP VIEW card_time AS
WITH replicate AS MATERIALIZED (
    SELECT setting, card, median_seconds, row_number() OVER (PARTITION BY setting, card ORDER BY median_seconds) AS place,
           count(*) OVER (PARTITION BY setting, card) AS n
    FROM (SELECT r.setting, r.median_seconds, iif(k.uuid = '', k.id, (SELECT min(id) FROM card WHERE uuid = k.uuid)) AS card
          FROM replicate_time AS r JOIN attempt_card AS c ON c.attempt = r.attempt JOIN card AS k ON k.id = c.card
          WHERE r.times)
), one AS (
    SELECT setting, card, n AS replicates, avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN median_seconds END) AS seconds,
           CASE WHEN n > 1 THEN max(median_seconds) / min(median_seconds) - 1 END AS card_noise
    FROM replicate
    GROUP BY setting, card
), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY setting ORDER BY seconds) AS place, count(*) OVER (PARTITION BY setting) AS n
    FROM one
), middle AS (
    SELECT *, avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN seconds END) OVER (PARTITION BY setting) AS middle
    FROM ranked
)
SELECT setting, card, replicates, seconds, card_noise, n AS cards, CASE WHEN n > 1 THEN seconds / nullif(middle, 0) - 1 END AS deviation
FROM middle;

-- Each device: its deviation is the median over the settings that were measured on others, too; most_deviation the largest of them;
-- card_noise the median over settings of the largest on any device. deviates = 1: it lies further off than that.
CREATE TEMP VIEW cards AS
WITH time AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY card ORDER BY deviation) AS place, count(*) OVER (PARTITION BY card) AS n
    FROM card_time WHERE deviation IS NOT NULL
), noise AS (
    SELECT card_noise, row_number() OVER (ORDER BY card_noise) AS place, count(*) OVER () AS n
    FROM (SELECT max(card_noise) AS card_noise FROM time GROUP BY setting) WHERE card_noise IS NOT NULL
), known AS (
    SELECT avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN card_noise END) AS card_noise FROM noise
), card_deviation AS (
    SELECT card, count(*) AS settings, avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN deviation END) AS deviation,
           max(abs(deviation)) AS most_deviation
    FROM time GROUP BY card
)
SELECT c.id AS card, c.uuid, c.node, c.ordinal, (SELECT count(*) FROM attempt_card WHERE card = c.id) AS executions,
       coalesce(d.settings, 0) AS settings, d.deviation, d.most_deviation, k.card_noise,
       abs(d.deviation) > k.card_noise AS deviates
FROM card AS c CROSS JOIN known AS k
LEFT JOIN card_deviation AS d ON d.card = iif(c.uuid = '', c.id, (SELECT min(id) FROM card WHERE uuid = c.uuid))
ORDER BY c.node, c.ordinal, c.id;

-- Time of a bounce's path kernels: per repetition their sum, of those the median per replicate, of these the median. From 64 on the
-- launches of several bounces go together, as their counts do.
CREATE TEMP VIEW bounce_time AS
WITH one AS (
    SELECT attempt, iif(bounce < 64, bounce, 1 << CAST(log2(bounce) AS INTEGER)) AS bounce, sum(seconds) AS seconds
    FROM clean_launch
    WHERE NOT auxiliary AND bounce >= 0
    GROUP BY 1, 2, repetition
), middle AS (
    SELECT attempt, bounce, count(*) AS repetitions,
           CASE count(seconds) % 2 WHEN 1 THEN max(iif(half = 1, seconds, NULL))
               ELSE (max(iif(half = 1, seconds, NULL)) + min(iif(half = 2, seconds, NULL))) / 2 END AS seconds
    FROM (SELECT *, ntile(2) OVER (PARTITION BY attempt, bounce ORDER BY seconds) AS half FROM one WHERE seconds IS NOT NULL)
    GROUP BY attempt, bounce
), replicate AS (
    SELECT c.setting, m.attempt, m.bounce, c.times, m.repetitions, iif(c.times, m.seconds, NULL) AS seconds
    FROM middle AS m CROSS JOIN clean_result AS c ON c.attempt = m.attempt
), together AS (
    SELECT setting, bounce, count(*) AS replicates, min(repetitions) AS least_repetitions, min(times) AS times,
           CASE count(seconds) % 2 WHEN 1 THEN max(iif(half = 1, seconds, NULL))
               ELSE (max(iif(half = 1, seconds, NULL)) + min(iif(half = 2, seconds, NULL))) / 2 END AS seconds,
           avg(seconds) AS mean, sum(seconds * seconds) AS squares,
           CASE WHEN count(*) > 1 THEN max(seconds) / min(seconds) - 1 END AS noise_floor,
           max((SELECT max((throttle & ~3) <> 0) FROM condition WHERE attempt = r.attempt)) AS throttled,
           max((SELECT max(temperature) FROM condition WHERE attempt = r.attempt)) AS hottest
    FROM (SELECT *, ntile(2) OVER (PARTITION BY setting, bounce ORDER BY seconds) AS half FROM replicate) AS r
    GROUP BY setting, bounce
)
SELECT setting, bounce, replicates, least_repetitions, times, seconds, mean,
       (SELECT t FROM student_t WHERE degrees < replicates ORDER BY degrees DESC LIMIT 1) *
           sqrt(max(0, squares - replicates * mean * mean) / (replicates - 1) / replicates) / nullif(mean, 0) AS relative_ci,
       noise_floor, throttled, hottest
FROM together;

-- Where a frame's device time goes, from the collection that times launches: path kernels, auxiliary kernels (compaction,
-- clearing, sorting), and the gaps between launches, read-backs among them. Medians of replicates' medians, as above.
CREATE TEMP VIEW frame_parts AS
WITH one AS (
    SELECT l.attempt, sum(CASE WHEN NOT l.auxiliary THEN l.seconds END) AS path_part,
           coalesce(sum(CASE WHEN l.auxiliary THEN l.seconds END), 0.0) AS auxiliary_part,
           (SELECT gap_seconds FROM repetition AS r WHERE r.attempt = l.attempt AND r.number = l.repetition) AS gap_part
    FROM clean_launch AS l
    GROUP BY l.attempt, l.repetition
), figure AS (
    SELECT attempt, k.value AS kind, CASE k.value WHEN 0 THEN path_part WHEN 1 THEN auxiliary_part ELSE gap_part END AS figure
    FROM one CROSS JOIN json_each('[0,1,2]') AS k
), each AS (
    SELECT attempt, kind,
           CASE count(figure) % 2 WHEN 1 THEN max(iif(half = 1, figure, NULL))
               ELSE (max(iif(half = 1, figure, NULL)) + min(iif(half = 2, figure, NULL))) / 2 END AS figure
    FROM (SELECT *, ntile(2) OVER (PARTITION BY attempt, kind ORDER BY figure) AS half FROM figure WHERE figure IS NOT NULL)
    GROUP BY attempt, kind
), replicate AS (
    SELECT c.setting, e.attempt, e.kind, c.times, iif(c.times, e.figure, NULL) AS figure FROM each AS e CROSS JOIN clean_result AS c ON c.attempt = e.attempt
), middle AS (
    SELECT setting, kind, count(*) AS n, min(times) AS times,
           CASE count(figure) % 2 WHEN 1 THEN max(iif(half = 1, figure, NULL))
               ELSE (max(iif(half = 1, figure, NULL)) + min(iif(half = 2, figure, NULL))) / 2 END AS figure,
           avg(figure) AS mean, sum(figure * figure) AS squares
    FROM (SELECT *, ntile(2) OVER (PARTITION BY setting, kind ORDER BY figure) AS half FROM replicate)
    GROUP BY setting, kind
), known AS (
    SELECT *, (SELECT t FROM student_t WHERE degrees < n ORDER BY degrees DESC LIMIT 1) *
                  sqrt(max(0, squares - n * mean * mean) / (n - 1) / n) / nullif(mean, 0) AS ci
    FROM middle
), part AS (
    SELECT setting, max(n) AS replicates, min(times) AS times, max(CASE kind WHEN 0 THEN figure END) AS path_seconds,
           max(CASE kind WHEN 1 THEN figure END) AS auxiliary_seconds, max(CASE kind WHEN 2 THEN figure END) AS gap_seconds,
           max(CASE kind WHEN 0 THEN ci END) AS path_ci, max(CASE kind WHEN 1 THEN ci END) AS auxiliary_ci,
           max(CASE kind WHEN 2 THEN ci END) AS gap_ci
    FROM known GROUP BY setting
)
SELECT setting, replicates, times, path_seconds, auxiliary_seconds, gap_seconds,
       path_seconds + auxiliary_seconds + gap_seconds AS parts_seconds,
       auxiliary_seconds / nullif(path_seconds + auxiliary_seconds + gap_seconds, 0) AS auxiliary_share,
       gap_seconds / nullif(path_seconds + auxiliary_seconds + gap_seconds, 0) AS gap_share,
       (auxiliary_seconds + gap_seconds) / nullif(path_seconds + auxiliary_seconds + gap_seconds, 0) AS compaction_share,
       path_ci, auxiliary_ci, gap_ci
FROM part;

-- ---- how full the device is ------------------------------------------------------------------------------------------------

-- Warps that the device holds of a setting's path kernels (the most of any), from clean results.
CREATE TEMP VIEW residency AS
SELECT c.setting, max(f.resident_warps) AS resident_warps, max(c.warp_width) AS warp_width, max(f.block) AS block
FROM clean_result AS c CROSS JOIN kernel_facts AS f ON f.attempt = c.attempt
WHERE f.auxiliary = 0 AND f.resident_warps IS NOT NULL
GROUP BY c.setting;

-- The counts of a timed setting: its own, or those of the latest trial of the same spec, which another experiment made.
CREATE TEMP VIEW counted_setting AS
SELECT r.setting, r.resident_warps, r.warp_width, r.block, c.id AS attempt
FROM residency AS r
LEFT JOIN attempt AS c ON c.id = coalesce(
    (SELECT a.id FROM trial_record AS n
     CROSS JOIN done_attempt AS a ON a.trial = n.id AND a.collection = 'counts'
     WHERE n.setting = r.setting
     ORDER BY n.last_run DESC, n.id DESC LIMIT 1),
    (SELECT a.id FROM trial_record AS o
     CROSS JOIN trial_record AS n ON n.spec = o.spec
     CROSS JOIN done_attempt AS a ON a.trial = n.id AND a.collection = 'counts'
     WHERE o.setting = r.setting
     ORDER BY n.last_run DESC, n.id DESC LIMIT 1));

-- What an attempt launches that was counted or whose launches were timed, and in how many passes over the pixels, one after
-- the other. per_bounce = 1: a launch for each bounce, as volume_steps has without giving its number. warps: of launches whose paths
-- are at different bounces, the warps of all blocks that the work has, for no more are ever at work, however many paths a lane goes
-- through; resident_blocks lets
-- fewer blocks go through all tiles. NULL: every warp of paths is a warp of its own, or keeps one busy.
CREATE TEMP VIEW launch_capacity AS
SELECT a.id AS attempt, iif(v.all_samples, 1, t.spp) AS passes, max(l.bounce) >= 0 OR t.variant = 'volume_steps' AND t.launches = 'many' AS per_bounce,
       coalesce(v.persistent, 0) AS persistent,
       CASE WHEN min(l.bounce) < 0 AND (t.resident_blocks IS NULL OR t.tile_m IS NOT NULL) AND NOT coalesce(v.persistent, 0) THEN
           max(max(l.grid, iif(t.resident_blocks IS NULL, 0, ((t.width + l.block - 1) / l.block) *
                                                             ((t.height + t.tile_m - 1) / t.tile_m))) *
               ((l.block + a.warp_width - 1) / a.warp_width)) END AS warps
FROM done_attempt AS a
CROSS JOIN trial_record AS t ON t.id = a.trial
CROSS JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0
LEFT JOIN variant_trait AS v ON v.variant = t.variant
WHERE a.collection IN ('counts', 'launches') AND NOT l.auxiliary
GROUP BY a.id;

-- How often the warps of a bounce fill the device, in one pass: active ones, or of a persistent kernel as many as its paths make, but
-- no more than there is room for. underfilled = 1: under 4 times, so that its time is excluded from claims. A row from 64 on has
-- several bounces, whose waves are not known; all of them are underfilled if they are together.
CREATE TEMP VIEW bounce_waves AS
SELECT setting, trial, bounce, active_paths, active_warps, iif(bounce < 64, warps, NULL) AS warps, resident_warps, per_bounce,
       iif(bounce < 64, 1.0 * warps / resident_warps, NULL) AS waves,
       iif(bounce < 64 OR warps < 4 * resident_warps, warps < 4 * resident_warps, NULL) AS underfilled
FROM (SELECT s.setting, a.trial, c.bounce, sum(c.active_paths) AS active_paths, sum(c.active_warps) AS active_warps,
             min(1.0 * iif(r.persistent, 1.0 * sum(c.active_paths) / a.warp_width, sum(c.active_warps)) / coalesce(r.passes, 1),
                 coalesce(r.warps, sum(c.active_warps))) AS warps,
             s.resident_warps, coalesce(r.per_bounce, 0) AS per_bounce
      FROM counted_setting AS s
      CROSS JOIN attempt AS a ON a.id = s.attempt
      LEFT JOIN launch_capacity AS r ON r.attempt = a.id
      CROSS JOIN bounce_counts AS c ON c.attempt = a.id AND c.bounce >= 0
      GROUP BY s.setting, c.bounce
      HAVING sum(c.active_warps) > 0); -- 0: the device does not count warps

-- The same of whole frames: underfilled where bounce 0 has under 4 waves, or, of schedules that launch per bounce, where more
-- than half of the time of the bounces lies in those under 4 waves. Where nobody timed them, those outweigh filled_waves, each
-- counted as 8 (docs/metrics.md 5). From bounce 64 on, where only sums over several bounces are known, those may be unknown
-- (uncounted = 1). Without counts bounce 0 is taken to have all paths of a pass, or as many as its launches or its pool
-- have room for; of schedules with a launch for each bounce that is not all (uncounted = 1).
CREATE TEMP VIEW frame_waves AS
WITH bounces AS MATERIALIZED (
    SELECT setting, bounce, waves, underfilled, resident_warps, per_bounce, max(bounce) OVER (PARTITION BY setting) AS last FROM bounce_waves
)
SELECT setting, waves, resident_warps, underfilled_share, bounces, underfilled_bounces, filled_waves,
       coalesce(first_underfilled, 0) OR
           coalesce(underfilled_share > 0.5, 8 * underfilled_bounces > filled_waves, 0) AS underfilled,
       per_bounce AND coalesce(underfilled_share, underfilled_bounces) IS NULL AS uncounted
FROM (SELECT w.setting, max(CASE w.bounce WHEN 0 THEN w.waves END) AS waves, max(w.resident_warps) AS resident_warps,
             CASE WHEN count(w.underfilled) = count(*) THEN
                 sum(CASE WHEN w.underfilled THEN k.seconds ELSE 0 END) / nullif(sum(k.seconds), 0) END
                 AS underfilled_share,
             CASE WHEN max(w.per_bounce AND w.last < 64) THEN count(*) END AS bounces,
             CASE WHEN max(w.per_bounce AND w.last < 64) THEN sum(w.underfilled) END AS underfilled_bounces,
             CASE WHEN max(w.per_bounce AND w.last < 64) THEN sum(CASE WHEN w.underfilled THEN 0 ELSE w.waves END) END AS filled_waves,
             max(w.per_bounce) AS per_bounce, max(CASE w.bounce WHEN 0 THEN w.underfilled END) AS first_underfilled
      FROM bounces AS w
      LEFT JOIN bounce_time AS k ON k.setting = w.setting AND k.bounce = w.bounce
      GROUP BY w.setting)
UNION ALL
SELECT setting, 1.0 * warps / resident_warps, resident_warps, NULL, NULL, NULL, NULL, warps < 4 * resident_warps, coalesce(per_bounce, 0)
FROM (SELECT s.setting, s.resident_warps, r.per_bounce,
             min(1.0 * t.width * t.height * iif(v.all_samples, t.spp, 1) / s.warp_width,
                 coalesce(((t.width + s.block - 1) / s.block) * ((t.height + t.tile_m - 1) / t.tile_m) *
                              ((s.block + s.warp_width - 1) / s.warp_width), r.warps, 1.0 * t.pool / s.warp_width, 1.0 * t.width * t.height * t.spp)) AS warps
      FROM residency AS s
      JOIN trial_record AS t ON t.id = (SELECT min(id) FROM trial_record WHERE setting = s.setting)
      LEFT JOIN variant_trait AS v ON v.variant = t.variant
      LEFT JOIN (SELECT n.setting, max(r.warps) AS warps, max(r.per_bounce) AS per_bounce
                 FROM launch_capacity AS r JOIN attempt AS a ON a.id = r.attempt JOIN trial_record AS n ON n.id = a.trial
                 GROUP BY n.setting) AS r ON r.setting = s.setting
      WHERE s.setting NOT IN (SELECT setting FROM bounces));

-- What makes a setting's frame time weak: flags, words with commas between; reasons, the same with figures. '' = nothing. idle_words: what
-- stands beside `underfilled` in footnotes.
CREATE TEMP VIEW frame_quality AS
WITH asked AS (
    SELECT t.setting, min(CAST(substr(p.name, instr(p.name, 'relative_ci=') + 12) AS REAL)) AS wanted
    FROM trial_record AS t JOIN long_text AS p ON p.id = t.policy_text GROUP BY t.setting
), judged AS (
    SELECT q.setting, q.wanted, f.replicates, f.least_repetitions, f.relative_ci, f.noise_floor, f.hottest, w.waves,
           w.underfilled_share, w.bounces, w.underfilled_bounces, i.idle_multiprocessors,
           coalesce(f.times, 0) = 0 AS untimed, f.replicates < 5 AS few_replicates,
           f.least_repetitions < 10 AS few_repetitions,
           q.wanted > 0 AND (f.relative_ci > q.wanted OR f.relative_ci IS NULL AND s.cut) AS wide_interval,
           q.wanted > 0 AND f.noise_floor > 2 * q.wanted AS noisy,
           coalesce(f.throttled, 0) AS throttled, coalesce(w.underfilled, 0) AS underfilled, coalesce(w.uncounted, 0) AS uncounted
    FROM asked AS q
    LEFT JOIN frame_seconds AS f ON f.setting = q.setting
    LEFT JOIN frame_waves AS w ON w.setting = q.setting
    LEFT JOIN frame_idle AS i ON i.setting = q.setting
    LEFT JOIN (SELECT setting, max(stop_reason = 'max_seconds') AS cut FROM replicate_time GROUP BY setting) AS s ON s.setting = q.setting
)
SELECT setting,
       CASE WHEN untimed THEN 'untimed' ELSE
           rtrim(iif(few_replicates, 'few_replicates,', '') || iif(few_repetitions, 'few_repetitions,', '') ||
                 iif(wide_interval, 'wide_interval,', '') || iif(noisy, 'noisy,', '') || iif(throttled, 'throttled,', '') ||
                 iif(underfilled, 'underfilled,', '') || iif(uncounted, 'uncounted,', ''), ',') END AS flags,
       CASE WHEN untimed THEN 'not measured, or on a device without a clock' ELSE
           rtrim(iif(few_replicates, printf('%d of 5 replicates; ', replicates), '') ||
                 iif(few_repetitions, printf('%d of 10 repetitions; ', least_repetitions), '') ||
                 iif(wide_interval, iif(relative_ci IS NULL, 'stopped by max_seconds', printf('interval +-%.2g %%', 100 * relative_ci)) ||
                     printf(', wanted %.2g %%; ', 100 * wanted), '') ||
                 iif(noisy, printf('replicates differ by %.2g %%, twice the wanted interval is %.2g %%; ', 100 * noise_floor,
                                   200 * wanted), '') ||
                 iif(throttled, 'clock throttled' || coalesce(' at ' || CAST(round(hottest) AS INTEGER) || ' degrees Celsius', '') || '; ', '') ||
                 iif(underfilled, CASE WHEN waves < 4 THEN printf('%.2g waves at bounce 0; ', waves)
                     WHEN underfilled_share IS NULL THEN printf('%d of %d bounces under 4 waves, not timed; ', underfilled_bounces, bounces)
                     ELSE printf('%.0f %% of the time in bounces under 4 waves; ', 100 * underfilled_share) END ||
                     iif(idle_multiprocessors IS NULL, '', printf('%.0f %% of multiprocessor time idle; ', 100 * idle_multiprocessors)), '') ||
                 iif(uncounted, 'no counts tell how many bounces fill the device; ', ''), '; ')
       END AS reasons, idle_multiprocessors,
       iif(underfilled AND idle_multiprocessors NOTNULL, printf('|%.0f %% of multiprocessor time idle', 100 * idle_multiprocessors), '') AS idle_words
FROM judged;

-- ---- tables of times -------------------------------------------------------------------------------------------------------

-- Table 1: frames per second, and the change against the naive kernel on the same work and device, with the same tree, map
-- from lanes to pixels and extra work a hit; if possible with the same block, registers, limits of residency. clear = 1: the
-- change is beyond both noise floors.
CREATE TEMP VIEW table1 AS
WITH timed AS MATERIALIZED (
    SELECT f.*, NOT EXISTS (SELECT 1 FROM trial_record AS n CROSS JOIN result AS x ON x.trial = n.id AND x.collection = 'frame'
                            WHERE n.spec = t.spec AND (n.last_run, n.id) > (t.last_run, t.id)) AS current
    FROM frame_time AS f JOIN trial_record AS t ON t.id = f.trial
), paired AS MATERIALIZED (         -- naive trials are looked for by their work: there are few of one, and an index finds them
    SELECT f.*, CASE WHEN v.variant = 'naive' AND coalesce(v.loop, 'reconverged') = 'reconverged' THEN v.setting ELSE
               (SELECT setting
                FROM (SELECT n.setting, n.id, 16 * (n.block IS v.block) + 8 * (n.registers IS v.registers) +
                             4 * (n.resident_blocks IS v.resident_blocks) + 2 * (n.shared_pad IS v.shared_pad) +
                             (n.carveout IS v.carveout) AS likeness
                      FROM trial_record AS n
                      WHERE n.work = v.work AND n.variant = 'naive' AND n.device_name = v.device_name AND
                            +n.id IN (SELECT trial FROM timed WHERE current) AND
                            coalesce(n.loop, 'reconverged') = 'reconverged' AND
                            (n.tree, n.leaf_size, n.bins, n.reinsert, n.top_tree, n.tree_width, n.child_order, n.tree_stack,
                             n.node_align, n.kd_order, n.kd_step, n.kd_stack, n.affine_order, n.tree_loads) IS
                            (v.tree, v.leaf_size, v.bins, v.reinsert, v.top_tree, v.tree_width, v.child_order, v.tree_stack,
                             v.node_align, v.kd_order, v.kd_step, v.kd_stack, v.affine_order, v.tree_loads) AND
                            coalesce(n.lane_map, 'linear') = coalesce(v.lane_map, 'linear') AND
                            coalesce(n.pixel_order, 'tile') = coalesce(v.pixel_order, 'tile') AND
                            coalesce(n.traversal, 'while_while') = coalesce(v.traversal, 'while_while') AND
                            coalesce(n.far_first, 'no') = coalesce(v.far_first, 'no') AND
                            coalesce(n.dummy_flops, 0) = coalesce(v.dummy_flops, 0))
                ORDER BY likeness DESC, id DESC LIMIT 1) END AS naive_setting
    FROM timed AS f JOIN trial_record AS v ON v.id = f.trial
    WHERE f.current
), compared AS (                    -- those that others are compared with are among them, compared with themselves
    SELECT *, max(iif(setting = naive_setting, trial, NULL)) OVER same AS naive_trial,
           max(iif(setting = naive_setting, seconds, NULL)) OVER same AS naive_seconds,
           max(iif(setting = naive_setting, relative_ci, NULL)) OVER same AS naive_relative_ci,
           max(iif(setting = naive_setting, noise_floor, NULL)) OVER same AS naive_noise_floor
    FROM paired
    WINDOW same AS (PARTITION BY naive_setting)
)
SELECT e.study, e.name AS experiment, r.label, v.trial, v.setting, t.scene, t.camera, t.variant, t.device, t.device_name,
       t.width, t.height, t.spp, t.max_bounces, t.block, t.registers, t.tile_m, v.replicates, v.repetitions, v.times, v.spread,
       v.seconds, t.spp / v.seconds AS fps, t.spp / v.naive_seconds AS naive_fps, v.naive_seconds / v.seconds AS speedup,
       100 * (v.naive_seconds / v.seconds - 1) AS percent,
       v.relative_ci, v.noise_floor, v.naive_trial, v.naive_setting, v.naive_relative_ci, v.naive_noise_floor,
       CASE WHEN v.setting <> v.naive_setting THEN sqrt(v.relative_ci * v.relative_ci + v.naive_relative_ci * v.naive_relative_ci) END
           AS speedup_ci,
       CASE WHEN v.setting <> v.naive_setting THEN
           max(v.naive_seconds / v.seconds, v.seconds / v.naive_seconds) - 1 > max(v.noise_floor, v.naive_noise_floor) END AS clear,
       v.sm_mhz, v.throttled, q.flags, q.reasons
FROM compared AS v
JOIN trial_record AS t ON t.id = v.trial
JOIN run AS r ON r.id = t.last_run
JOIN experiment AS e ON e.id = r.experiment
LEFT JOIN frame_quality AS q ON q.setting = v.setting;

-- Table 3: time per active warp, from the setting of the counted trial or a timed one of the same spec. NULL where no kernel
-- belongs to the bounce (single-kernel variants) or nothing was timed.
CREATE TEMP VIEW table3 AS
SELECT study, experiment, label, trial, setting, scene, camera, variant, device, device_name, width, height, spp, max_bounces,
       warp_width, bounce, active_paths, active_warps, 1.0 * active_paths / active_warps AS paths_per_warp,
       replicates, seconds, 1e6 * seconds / active_warps AS microseconds_per_warp,
       1e9 * seconds / nullif(active_paths, 0) AS nanoseconds_per_path, relative_ci, noise_floor,
       throttled, resident_warps, iif(bounce < 64, 1.0 * warps / resident_warps, NULL) AS waves,
       iif(bounce < 64 OR warps < 4 * resident_warps, warps < 4 * resident_warps, NULL) AS underfilled, timed_setting
FROM (SELECT *, min(1.0 * iif(persistent, 1.0 * active_paths / warp_width, active_warps) / passes, coalesce(room_warps, active_warps)) AS warps
      FROM (SELECT e.study, e.name AS experiment, r.label, c.trial, c.setting, t.scene, t.camera, t.variant, t.device,
                   t.device_name, t.width, t.height, t.spp, t.max_bounces, c.warp_width, b.bounce,
                   (SELECT sum(active_paths) FROM bounce_counts WHERE attempt = c.attempt AND bounce = b.bounce) AS active_paths,
                   (SELECT nullif(sum(active_warps), 0) FROM bounce_counts WHERE attempt = c.attempt AND bounce = b.bounce) AS active_warps,
                   k.replicates, k.seconds, k.relative_ci, k.noise_floor, k.throttled, s.resident_warps,
                   m.warps AS room_warps, m.persistent, coalesce(m.passes, t.spp) AS passes, q.setting AS timed_setting
            FROM naive_pairing AS c
            CROSS JOIN trial_record AS t ON t.id = c.trial
            CROSS JOIN run AS r ON r.id = t.last_run
            CROSS JOIN experiment AS e ON e.id = r.experiment
            LEFT JOIN trial_record AS q ON q.id = (
                SELECT n.id FROM trial_record AS o
                CROSS JOIN trial_record AS n ON n.spec = o.spec
                CROSS JOIN done_attempt AS a ON a.trial = n.id AND a.collection = 'launches'
                WHERE o.id = c.trial
                ORDER BY n.setting = o.setting DESC, n.last_run DESC, n.id DESC LIMIT 1)
            LEFT JOIN residency AS s ON s.setting = q.setting
            LEFT JOIN launch_capacity AS m ON m.attempt = c.attempt
            CROSS JOIN bounce_counts AS b ON b.attempt = c.attempt AND b.bounce >= 0
            LEFT JOIN bounce_time AS k ON k.setting = q.setting AND k.bounce = b.bounce
            WHERE NOT EXISTS (SELECT 1 FROM bounce_counts AS f
                              WHERE f.attempt = b.attempt AND f.bounce = b.bounce AND f.launch < b.launch)));
