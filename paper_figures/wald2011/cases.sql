-- SPDX-License-Identifier: MIT
-- After common.sql: what claims are judged by, cases in the paper's own configuration, and pairs of them.

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

-- naive beside whole_frame, of the linear map
CREATE TEMP VIEW counted_pair AS
SELECT n.*, iif(n.fitted, 'fitted', '') AS words, n.counted || coalesce(', ' || w.counted, '') AS both_trials, w.counted AS other, w.warps AS other_warps,
       1.0 * n.warps / w.warps AS saved
FROM counted_case AS n
LEFT JOIN counted_case AS w ON w.work = n.work AND w.variant = 'whole_frame' AND w.counts_as
WHERE n.variant = 'naive' AND n.counts_as;

-- times, one of each scene, size, device, bounce limit, variant, tile and throttle; warps: as many as a multiprocessor holds
CREATE TEMP VIEW timed_case AS
SELECT * FROM (
    SELECT v.*, f.place || ', ' || v.device_name AS place, iif(v.fitted, 'fitted|', '') || v.flags AS words,
           (SELECT min(k.multiprocessor_warps) FROM kernels AS k WHERE k.trial = v.trial AND k.auxiliary = 0 AND k.collection = 'frame') AS held,
           row_number() OVER (PARTITION BY v.work, v.device_name, v.variant, v.tile_m, v.shared_pad, v.carveout, v.resident_blocks
                              ORDER BY v.seconds IS NULL, v.newest DESC) AS nth
    FROM versus AS v JOIN faithful AS f ON f.setting = v.setting AND f.times_as)
WHERE nth = 1;

-- two of them on the same work and device, the second without a throttle or, but for naive, with the same carve-out alone: how many times as fast the first is, with half of the
-- interval, and with that or the noise floor, whichever is wider
CREATE TEMP VIEW pair AS
SELECT a.*, b.variant AS other, b.tile_m AS other_m, b.seconds AS other_seconds, b.held AS other_held, b.carveout AS other_carveout,
       b.seconds / a.seconds AS ratio, b.seconds / a.seconds * sqrt(pow(a.relative_ci, 2) + pow(b.relative_ci, 2)) AS half,
       b.seconds / a.seconds * max(sqrt(pow(a.relative_ci, 2) + pow(b.relative_ci, 2)), coalesce(a.noise_floor, 0), coalesce(b.noise_floor, 0)) AS noise,
       a.words || '|' || b.words AS both_words, a.trials || ', ' || b.trials AS pair_trials
FROM timed_case AS a
JOIN timed_case AS b ON b.work = a.work AND b.device_name = a.device_name AND b.shared_pad = 0 AND b.resident_blocks IS NULL AND
                         (b.carveout IS NULL OR b.carveout = a.carveout AND b.variant <> 'naive');

-- times per warp and bounce at the limit of 8, of each scene, size and device: compaction on (whole_frame) and off (whole_frame_off);
-- empty: the most that an empty launch takes of it, by the shortest launch of any kernel on the device
CREATE TEMP VIEW bounce_case AS
SELECT n.scene, n.fitted, n.work, n.spec, n.device_name, n.width, n.height, n.place || ', ' || n.device_name AS place, n.trials,
       iif(n.variant = 'whole_frame', 'on', 'off') AS compaction, b.bounce, b.active_paths, b.paths_per_warp,
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
LEFT JOIN (SELECT r.device_name, min(l.seconds) AS seconds FROM result AS r CROSS JOIN launch AS l ON l.attempt = r.attempt GROUP BY r.device_name)
    AS s ON s.device_name = n.device_name
WHERE n.nth = 1;

-- two bounces of one kernel: the time of a warp in terms of that at the other bounce, `base`; per path; and without an empty launch
CREATE TEMP VIEW rise AS
SELECT e.*, b.bounce AS base, e.time / b.time AS ratio, e.time / b.time * sqrt(pow(e.ci, 2) + pow(b.ci, 2)) AS half, e.time - b.time AS more,
       e.time - e.empty - b.time + b.empty AS more_alone, b.paths_per_warp AS base_paths, b.words || '|' || e.words AS both_words
FROM bounce_case AS e
JOIN bounce_case AS b ON b.work = e.work AND b.device_name = e.device_name AND b.compaction = e.compaction;

-- both kernels at one bounce: on over off; those bounces that do not fill the device count where none does
CREATE TEMP VIEW on_off AS
SELECT *, min(idle) OVER (PARTITION BY work, device_name) = idle AS counts
FROM (SELECT n.*, f.paths_per_warp AS off_paths, n.time / f.time AS ratio, n.time / f.time * sqrt(pow(n.ci, 2) + pow(f.ci, 2)) AS half, n.underfilled OR f.underfilled AS idle,
             n.words || '|' || f.words AS both_words, n.trials || ', ' || f.trials AS both_trials, f.spec AS off_spec
      FROM bounce_case AS n
      JOIN bounce_case AS f ON f.work = n.work AND f.device_name = n.device_name AND f.bounce = n.bounce AND f.compaction = 'off'
      WHERE n.compaction = 'on');
