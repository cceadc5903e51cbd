-- SPDX-License-Identifier: MIT
-- What the tables and claims of any paper read, after its places.sql: trials in question, what is compared, their times. Views that
-- are evaluated once, when one of them is first read: for each paper, but `repeated` and `setting_counts`, which no paper changes, once for all
-- (COMMON_VIEWS in harness/store/kept.c). report_option: run and scene are '' for any. Parameters that a variant ignores are NULL in its trials.

-- trials of the runs asked for
CREATE TEMP VIEW asked AS
SELECT DISTINCT trial FROM experiment_trial WHERE label = (SELECT run FROM report_option);

-- all that are asked for, of runs and scene; outranked: another program, with more results, measured the same
CREATE TEMP VIEW requested AS
SELECT id AS trial FROM trial_record
WHERE (SELECT scene FROM report_option) IN ('', scene) AND ((SELECT run FROM report_option) = '' OR id IN asked) AND
      NOT EXISTS (SELECT 1 FROM outranked AS o WHERE o.trial = trial_record.id);

-- trials that differ in the replicate alone
CREATE TEMP VIEW configured AS
SELECT t.setting, min(iif(t.replicate = 0, t.spec, NULL)) AS spec, t.scene || iif(t.camera IN ('', i.camera), '', ', ' || t.camera) ||
           i.whose AS label,
       i.stands_for, i.fitted, i.listed, i.camera AS main_camera, t.camera IN ('', i.camera) AS first_camera,
       coalesce(i.place_in_paper, 99) AS place_in_paper, min(t.id) AS trial, max(t.id) AS newest,
       -- those with a result; of a setting without any all, for what became of them
       coalesce(group_concat(iif(t.id IN (SELECT trial FROM done_attempt), t.id, NULL), ', '), group_concat(t.id, ', ')) AS trials,
       w.work, t.scene, t.camera,
       t.variant, t.device, d.kind AS device_kind, t.device_name, t.width, t.height, t.spp, t.seed, t.max_bounces, t.materials, t.lighting, t.light_search,
       -- what is computed, but for scene, size, bounce limit, materials and light
       printf('%d path%s per pixel, seed %d', t.spp, iif(t.spp = 1, '', 's'), t.seed) || coalesce(', sampler ' || t.sampler, '') ||
           coalesce(', roulette ' || t.roulette, '') ||
           iif(t.opacity <> 'full', ', opacity ' || t.opacity, '') AS family,
       -- how it is spread over lanes, as far as others use it too: equal in settings that are compared; what only some variants use;
       -- what tables compare by themselves
       w.schedule, w.own, w.axes,
       -- of `own` what is said of a row: not how many of a pipeline's rounds are stored one by one
       substr(replace(', ' || w.own, ', exact rounds ' || coalesce(t.exact_rounds, ''), ''), 3) AS chosen
FROM trial_record AS t
JOIN place AS i ON i.scene = t.scene
JOIN trial_words AS w ON w.trial = t.id
JOIN trial_device AS d ON d.trial = t.id
WHERE t.id IN requested
GROUP BY t.setting
ORDER BY trial;

-- of run_trial.collections; counts are exact, and need no state
CREATE TEMP VIEW collection_bit AS
SELECT column1 AS bit, column2 AS collection FROM (VALUES (1, 'frame'), (2, 'launches'), (3, 'counters'), (4, 'stalls'), (5, 'timeline'));

-- of every setting and collection that was asked for: outdated by a newer one, or why there is none
CREATE TEMP VIEW state AS
SELECT s.setting, c.collection AS collection,
       EXISTS (SELECT 1 FROM trial_record AS o JOIN trial_record AS n ON n.spec = o.spec AND (n.last_run, n.id) > (o.last_run, o.id)
               WHERE o.id = s.trial AND ((SELECT run FROM report_option) = '' OR n.id IN (SELECT trial FROM asked)) AND
                     EXISTS (SELECT 1 FROM result AS x WHERE x.trial = n.id AND x.collection = c.collection)) AS outdated,
       coalesce((SELECT 'not measured: ' || a.status || coalesce(': ' || a.reason, '') FROM attempt AS a
                 WHERE a.trial = s.trial AND a.collection = c.collection AND a.status <> 'done' AND NOT a.superseded
                 ORDER BY a.id DESC LIMIT 1), 'not_run') AS reason
FROM configured AS s
CROSS JOIN collection_bit AS c
WHERE EXISTS (SELECT 1 FROM run_trial AS l WHERE l.trial = s.trial AND l.collections >> c.bit & 1);

-- Half of the 95 % interval of a frame time that one process measured, over its repetitions: less than what replicates would differ by.
CREATE TEMP VIEW repeated AS
SELECT setting, (SELECT t FROM student_t WHERE degrees < n ORDER BY degrees DESC LIMIT 1) *
           sqrt(max(0, squares - n * mean * mean) / (n - 1) / n) / mean AS relative_ci
FROM (SELECT c.setting, count(*) AS n, avg(r.host_seconds) AS mean, sum(r.host_seconds * r.host_seconds) AS squares
      FROM clean_result AS c CROSS JOIN repetition AS r ON r.attempt = c.attempt
      WHERE c.collection = 'frame'
      GROUP BY c.setting
      HAVING count(DISTINCT c.attempt) = 1 AND count(r.host_seconds) > 1);

-- settings whose frames were asked for. seconds NULL: not measured, and flags tell why. relative_ci: NULL of a frame rendered once
CREATE TEMP VIEW setting_time AS
SELECT s.setting, CASE WHEN f.times THEN f.seconds END AS seconds, CASE WHEN f.times THEN coalesce(f.relative_ci, o.relative_ci) END AS relative_ci,
       CASE WHEN f.times THEN f.noise_floor END AS noise_floor,
       CASE WHEN f.setting IS NULL THEN w.reason ELSE replace(q.flags, ',', '|') || q.idle_words END AS flags
FROM configured AS s
JOIN state AS w ON w.setting = s.setting AND w.collection = 'frame' AND NOT w.outdated
LEFT JOIN frame_seconds AS f ON f.setting = s.setting
LEFT JOIN repeated AS o ON o.setting = s.setting
LEFT JOIN frame_quality AS q ON q.setting = s.setting;

-- counts over all launches, by spec of a setting (of its replicate 0): they may come from another experiment than the times. lanes: share of
-- the lanes of running warps that have work, of a pipeline's or persistent loop's own count where it has one
CREATE TEMP VIEW setting_counts AS
SELECT *, 1.0 * iif(live_warps > 0, live_lanes, rays) / (warp_width * iif(live_warps > 0, live_warps, warps)) AS lanes,
       row_number() OVER (PARTITION BY spec ORDER BY last_run DESC, trial DESC) AS nth
FROM (SELECT t.spec, t.last_run, t.id AS trial, max(a.warp_width) AS warp_width,
             sum(iif(b.bounce = 0, b.active_paths, 0)) AS paths, sum(iif(b.bounce >= 0, b.active_paths, 0)) AS rays,
             sum(iif(b.bounce >= 0, b.active_warps, 0)) AS warps, sum(iif(b.bounce >= 0, b.nodes, 0)) AS nodes,
             sum(iif(b.bounce >= 0, b.triangles, 0)) AS triangles, sum(iif(b.bounce < 0, b.live_lanes, 0)) AS live_lanes,
             sum(iif(b.bounce < 0, b.live_warps, 0)) AS live_warps, sum(iif(b.bounce < 0, b.mixed_warps, 0)) AS mixed_warps,
             sum(iif(b.bounce < 0, b.atomics, 0)) AS atomics, sum(iif(b.bounce < 0, b.moved_bytes, 0)) AS moved_bytes,
             (SELECT sum(1 + l.more) FROM launch AS l WHERE l.attempt = a.attempt AND l.repetition = 0) AS launches,
             (SELECT max(max(l.iteration) + 1, coalesce(sum(iif(l.stage = 'trace', 1 + l.more, 0)), 0)) FROM launch AS l
              WHERE l.attempt = a.attempt AND l.repetition = 0) AS rounds
      FROM result AS a
      CROSS JOIN trial_record AS t ON t.id = a.trial
      CROSS JOIN bounce_counts AS b ON b.attempt = a.attempt
      WHERE a.collection = 'counts' AND t.replicate = 0 AND ((SELECT run FROM report_option) = '' OR t.id IN (SELECT trial FROM asked))
      GROUP BY a.trial);

-- settings with times and counts, those alike but for what is outdated once
CREATE TEMP VIEW measured AS
SELECT * FROM (SELECT c.*, t.seconds / c.spp AS seconds, t.relative_ci, t.noise_floor,
                      coalesce(t.flags, 'not_asked') AS flags, n.warp_width, n.paths, n.rays, n.warps,
                      n.nodes, n.triangles, n.lanes, n.mixed_warps, n.atomics, n.moved_bytes, n.launches, n.rounds, n.trial AS counted,
                      iif(n.trial IS NULL, 'not_asked', '') AS counted_flags,
                      row_number() OVER (PARTITION BY c.work, c.device_name, c.schedule, c.axes, c.variant, c.own
                                         ORDER BY t.seconds IS NULL, n.trial IS NULL, c.newest DESC) AS pick
               FROM configured AS c
               LEFT JOIN setting_time AS t ON t.setting = c.setting
               LEFT JOIN setting_counts AS n ON n.spec = c.spec AND n.nth = 1)
WHERE pick = 1;

-- What the launches of a frame take, by stage, in seconds: means over all repetitions, so that they add up. kernel: launches that are no
-- stage; lists: auxiliary ones; reads: read-backs of a frame
CREATE TEMP VIEW setting_parts AS
SELECT f.setting, f.times, f.replicates, f.reads, sum(p.seconds) / f.frames AS launched, sum(iif(p.part = 'kernel', p.seconds, 0)) / f.frames AS kernel,
       sum(iif(p.part = 'trace', p.seconds, 0)) / f.frames AS trace, sum(iif(p.part = 'shadow', p.seconds, 0)) / f.frames AS shadow,
       sum(iif(p.part IN ('kernel', 'trace', 'shadow', 'regenerate', 'check', 'flag', 'move', 'lists'), 0, p.seconds)) / f.frames AS shading,
       sum(iif(p.part = 'regenerate', p.seconds, 0)) / f.frames AS regenerate,
       sum(iif(p.part IN ('check', 'flag', 'move', 'lists'), p.seconds, 0)) / f.frames AS lists
FROM (SELECT c.setting, count(*) AS frames, count(DISTINCT c.attempt) AS replicates, min(c.times) AS times, avg(r.readbacks) AS reads
      FROM clean_result AS c CROSS JOIN repetition AS r ON r.attempt = c.attempt
      WHERE c.collection = 'launches'
      GROUP BY c.setting) AS f
JOIN (SELECT setting, CASE WHEN auxiliary THEN 'lists' WHEN stage = '' THEN 'kernel' ELSE stage END AS part, sum(seconds) AS seconds
      FROM clean_launch
      GROUP BY setting, part) AS p ON p.setting = f.setting
GROUP BY f.setting;

-- Idle multiprocessors in the launches of a frame by what they do, as setting_parts divides it: of the latest counters or, without them,
-- of the latest timeline. Launches count by their time; NULL: it is not known of one of several
CREATE TEMP VIEW setting_idle AS
SELECT setting, max(iif(part = 'kernel', idle, NULL)) AS kernel, max(iif(part = 'trace', idle, NULL)) AS trace,
       max(iif(part = 'shadow', idle, NULL)) AS shadow, max(iif(part = 'shading', idle, NULL)) AS shading,
       max(iif(part = 'bookkeeping', idle, NULL)) AS bookkeeping
FROM (SELECT t.setting, l.part, CASE count(*) WHEN 1 THEN max(l.idle_multiprocessors) WHEN count(l.seconds) THEN
                 sum(l.idle_multiprocessors * l.seconds) / nullif(sum(l.seconds), 0) END AS idle,
             rank() OVER (PARTITION BY t.setting ORDER BY l.source, n.last_run DESC, n.id DESC) AS place
      FROM (SELECT *, CASE WHEN auxiliary OR stage IN ('regenerate', 'check', 'flag', 'move') THEN 'bookkeeping' WHEN stage IS NULL THEN 'kernel'
                           WHEN stage IN ('trace', 'shadow') THEN stage ELSE 'shading' END AS part
            FROM launch_idle) AS l
      JOIN trial_record AS n ON n.id = l.trial
      JOIN trial_record AS t ON t.spec = n.spec
      GROUP BY t.setting, l.part, l.source, n.last_run, n.id, t.id)
WHERE place = 1
GROUP BY setting;

-- Settings with their parts: of what one pass over the pixels takes, as `seconds` is. gaps: the frame but for its launches. parts_flags: why
-- there are none
CREATE TEMP VIEW divided AS
SELECT m.*, p.reads, iif(p.times, p.launched / m.spp, NULL) AS launched, iif(p.times, p.kernel / m.spp, NULL) AS kernel,
       iif(p.times, p.trace / m.spp, NULL) AS trace,
       iif(p.times, p.shadow / m.spp, NULL) AS shadow, iif(p.times, p.shading / m.spp, NULL) AS shading, iif(p.times, p.regenerate / m.spp, NULL) AS regenerate,
       iif(p.times, p.lists / m.spp, NULL) AS lists, iif(p.times, m.seconds - p.launched / m.spp, NULL) AS gaps,
       CASE WHEN p.times THEN iif(p.replicates < 5, 'few_replicates', '')
            WHEN p.setting IS NOT NULL THEN 'untimed'
            ELSE coalesce(w.reason, 'not_asked') END AS parts_flags
FROM measured AS m
LEFT JOIN setting_parts AS p ON p.setting = m.setting
LEFT JOIN state AS w ON w.setting = m.setting AND w.collection = 'launches'
WHERE w.setting IS NULL OR NOT w.outdated;
