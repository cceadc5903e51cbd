-- SPDX-License-Identifier: MIT
-- After common.sql: what claims are judged by, cases in the paper's own configuration.

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

-- times, one of each scene, size, device, bounce limit, variant, tile and throttle, with what speaks against the comparison with naive
CREATE TEMP VIEW timed_case AS
SELECT * FROM (
    SELECT v.*, f.place || ', ' || v.device_name AS place,
           trim(iif(v.fitted, 'fitted', '') || iif(instr(v.speedup_flags, 'underfilled'), '|underfilled', ''), '|') AS excluded,
           CASE WHEN v.speedup IS NOT NULL THEN trim(replace(v.speedup_flags, 'underfilled', ''), '|') WHEN v.seconds IS NULL THEN v.flags
                ELSE coalesce(v.naive_flags, 'no_naive') END AS weak,
           row_number() OVER (PARTITION BY v.work, v.device_name, v.variant, v.tile_m, v.shared_pad, v.carveout, v.resident_blocks
                              ORDER BY v.seconds IS NULL, v.newest DESC) AS nth
    FROM versus AS v JOIN faithful AS f ON f.setting = v.setting AND f.times_as)
WHERE nth = 1;

-- times per warp and bounce at the limit of 8, of each scene, size and device: compaction on (whole_frame) and off (whole_frame_off)
CREATE TEMP VIEW bounce_case AS
SELECT n.scene, n.fitted, n.work, n.device_name, n.width, n.height, n.place || ', ' || n.device_name AS place, n.trials,
       iif(n.variant = 'whole_frame', 'on', 'off') AS compaction, b.bounce, b.active_paths, b.paths_per_warp,
       b.microseconds_per_warp AS time, b.relative_ci AS ci, coalesce(b.underfilled, 0) AS underfilled,
       CASE WHEN b.microseconds_per_warp IS NOT NULL THEN trim(iif(b.replicates < 5, 'few_replicates', '') || iif(b.throttled, '|throttled', ''), '|')
            WHEN EXISTS (SELECT 1 FROM bounce_time AS k WHERE k.setting = n.setting) THEN 'untimed' ELSE n.reason END AS weak
FROM (SELECT f.*, w.reason, row_number() OVER (PARTITION BY f.work, f.device_name, f.variant
                                               ORDER BY f.setting NOT IN (SELECT setting FROM bounce_time), f.newest DESC) AS nth
      FROM faithful AS f JOIN state AS w ON w.setting = f.setting AND w.collection = 'launches' AND NOT w.outdated
      WHERE f.variant IN ('whole_frame', 'whole_frame_off') AND f.max_bounces = 8 AND f.times_as AND f.unthrottled) AS n
JOIN bounces AS b ON b.spec = n.spec
WHERE n.nth = 1;
