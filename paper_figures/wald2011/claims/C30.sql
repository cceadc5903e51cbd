-- SPDX-License-Identifier: MIT
-- The tile height M from least to greatest: what is saved, counted, and the speed of the tiled kernels, whose peak should lie in between (3.5, Figure 2).
WITH counted AS (                   -- on whatever device
    SELECT s.*, 1.0 * n.warps / o.warps AS saved, coalesce(', ' || n.trials, '') AS naive_trials,
           row_number() OVER (PARTITION BY s.work, s.variant, s.tile_m ORDER BY s.distance, s.device <> 'cuda', s.newest DESC) AS pick
    FROM setup AS s
    JOIN totals AS o ON o.spec = s.spec AND o.nth = 1
    JOIN counted_naive AS n ON n.work = s.work AND n.device_name = s.device_name AND n.schedule = s.schedule AND n.place = 1
    WHERE s.variant IN ('tiled_global', 'tiled_shared') AND s.plain AND s.unthrottled AND s.dummy_flops = 0 AND s.traversal = 'while_while' AND
          s.matte AND s.first_camera AND s.max_bounces = 8
),
rising AS (
    SELECT c.*, c.saved - lag(c.saved) OVER (PARTITION BY c.work, c.variant ORDER BY c.tile_m) AS step,
           iif(c.tile_m >= 16, 100 * (1 - c.saved / w.saved), NULL) AS short_of
    FROM counted AS c
    LEFT JOIN saved AS w ON w.work = c.work
    WHERE c.pick = 1
),
timed_tile AS (
    SELECT v.*, w.speedup_weak, row_number() OVER (PARTITION BY v.work, v.device_name, v.schedule, v.variant, v.tile_m ORDER BY v.seconds IS NULL, v.newest DESC) AS nth
    FROM versus AS v
    JOIN weighed AS w ON w.setting = v.setting
    WHERE v.variant IN ('tiled_global', 'tiled_shared') AND v.plain AND v.unthrottled AND v.dummy_flops = 0 AND v.traversal = 'while_while' AND
          v.matte AND v.first_camera AND v.max_bounces = 8 AND v.lane_map = 'linear' AND v.pixel_order = 'tile' AND v.block = 64 AND v.registers IS 64
),
curve AS (
    SELECT *, tile_m IN (min(tile_m) OVER tiles, max(tile_m) OVER tiles) AS at_end,
           sign(speedup - lag(speedup) OVER rows_up) <> sign(lead(speedup) OVER rows_up - speedup) AS turns
    FROM timed_tile
    WHERE nth = 1
    WINDOW tiles AS (PARTITION BY work, device_name, schedule, variant), rows_up AS (PARTITION BY work, device_name, schedule, variant ORDER BY tile_m)
),
peak AS (                           -- the best in between over the better end
    SELECT *, count(speedup) AS tiles, max(iif(at_end, NULL, speedup)) / max(iif(at_end, speedup, NULL)) AS over,
           max(iif(at_end, NULL, speedup * speedup_ci)) / max(iif(at_end, NULL, speedup)) + max(iif(at_end, speedup * speedup_ci, NULL)) /
           max(iif(at_end, speedup, NULL)) AS ci, total(turns) AS turned, max(instr(speedup_flags, 'underfilled')) AS underfilled,
           group_concat(DISTINCT nullif(speedup_weak, '')) AS weak, group_concat(both_trials, ', ') AS tile_trials, min(tile_m) AS least, max(tile_m) AS most
    FROM curve
    GROUP BY work, device_name, schedule, variant
),
shown AS (
    SELECT 0 AS times, place_in_paper, variant || ', ' || label || printf(', %dx%d, M %d to %d', width, height, min(tile_m), max(tile_m)) AS place,
           min(step) AS step, max(short_of) AS short_of, NULL AS over, NULL AS over_ci, NULL AS turned, iif(fitted, 'fitted', '') AS excluded, '' AS flags,
           group_concat(trials, ', ') || max(naive_trials) AS trials
    FROM rising
    GROUP BY work, variant
    HAVING count(*) > 1
    UNION ALL
    SELECT 1, place_in_paper, variant || ', ' || label || printf(', %dx%d, M %d to %d, %s', width, height, least, most, device_name), NULL, NULL,
           over, ci, turned, rtrim(iif(fitted, 'fitted|', '') || iif(underfilled, 'underfilled', ''), '|'), coalesce(replace(weak, ',', '|'), ''), tile_trials
    FROM peak
    WHERE tiles > 2
)
SELECT place, step, short_of, 100 * (over - 1) AS peak, 100 * (over * (1 - over_ci) - 1) AS peak_low, 100 * (over * (1 + over_ci) - 1) AS peak_high, turned,
       excluded, flags, trials
FROM shown
ORDER BY times, place_in_paper, place
