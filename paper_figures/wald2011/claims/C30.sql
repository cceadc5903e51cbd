-- SPDX-License-Identifier: MIT
-- Wald 2011, 3.5 and Figure 2: how much fuller the warps of tiled_global are at M = 8 than at M = 1; how much slower a tile height whose
-- tiles are fewer than the blocks that the device holds is than the fastest; and how what is saved and the speed go with M.
WITH tile AS (
    SELECT c.*, n.counted AS naive_trials, 1.0 * n.warps / c.warps AS saved, 100.0 * c.paths / (c.warp_width * c.warps) AS utilisation
    FROM counted_case AS c
    JOIN counted_case AS n ON n.work = c.work AND n.variant = 'naive' AND n.lane_map = 'linear'
    WHERE c.variant IN ('tiled_global', 'tiled_shared') AND c.max_bounces = 8
),
rising AS (
    SELECT *, saved - lag(saved) OVER (PARTITION BY work, variant ORDER BY tile_m) AS step FROM tile
),
curve AS (
    SELECT *, tile_m IN (min(tile_m) OVER tiles, max(tile_m) OVER tiles) AS at_end, max(speedup) OVER tiles AS fastest,
           width * height / (64 * tile_m) < (SELECT min(k.resident_warps) / 2 FROM kernels AS k WHERE k.trial = c.trial AND k.auxiliary = 0 AND k.collection = 'frame') AS few
    FROM timed_case AS c
    WHERE variant IN ('tiled_global', 'tiled_shared') AND max_bounces = 8 AND unthrottled
    WINDOW tiles AS (PARTITION BY work, device_name, variant)
),
shown AS (
    SELECT 0 AS part, printf('%s, %s, M %d to %d', variant, place, min(tile_m), max(tile_m)) AS place,
           iif(variant = 'tiled_global' AND open, max(iif(tile_m = 8, utilisation, NULL)) - max(iif(tile_m = 1, utilisation, NULL)), NULL) AS fuller, NULL AS slower, NULL AS slower_half,
           min(step) AS step, NULL AS peak, NULL AS peak_half, iif(fitted, 'fitted', '') AS flags, group_concat(trials, ', ') || ', ' || naive_trials AS trials
    FROM rising
    GROUP BY work, variant
    HAVING count(*) > 1
    UNION ALL
    SELECT 1, printf('%s, %s, M %d', variant, place, tile_m), NULL, 100 * (fastest / speedup - 1), iif(speedup = fastest, 0, 100 * max(speedup_ci, noise_floor) * fastest / speedup), NULL, NULL, NULL,
           iif(fitted, 'fitted', ''), both_trials
    FROM curve WHERE few
    UNION ALL
    SELECT 2, printf('%s, %s, M %d to %d', variant, place, min(tile_m), max(tile_m)), NULL, NULL, NULL, NULL,
           100 * (max(iif(at_end, NULL, speedup)) / max(iif(at_end, speedup, NULL)) - 1),
           100 * (max(iif(at_end, NULL, speedup_ci)) + max(iif(at_end, speedup_ci, NULL))) * max(iif(at_end, NULL, speedup)) / max(iif(at_end, speedup, NULL)),
           group_concat(iif(fitted, 'fitted|', '') || speedup_flags, '|'), group_concat(both_trials, ', ')
    FROM curve
    GROUP BY work, device_name, variant
    HAVING count(*) > 2
)
SELECT * FROM shown ORDER BY part, place
