-- SPDX-License-Identifier: MIT
-- Wald 2011, Table 1, 4 and 4.1: slowdown of the tiled kernel with shared memory as it was launched, at M = 4 and at its fastest M, and
-- beside the slowest of the others; held to a quarter of naive's warps; and what Table 1 prints.
WITH tile AS (
    SELECT *, 1 / ratio AS slowdown, half / pow(ratio, 2) AS slowdown_half, row_number() OVER (PARTITION BY work, device_name, unthrottled ORDER BY ratio DESC) AS rank,
           row_number() OVER (PARTITION BY work, device_name, tile_m ORDER BY held, carveout IS NOT NULL, resident_blocks IS NOT NULL) AS rarest
    FROM pair
    WHERE variant = 'tiled_shared' AND other = 'naive' AND max_bounces = 8 AND place_in_paper < 99
),
slowest AS (
    SELECT setting, max(ratio) AS ratio, half FROM pair
    WHERE variant = 'tiled_shared' AND (other IN ('naive', 'whole_frame') OR other = 'tiled_global' AND other_m = tile_m)
    GROUP BY setting
),
shown AS (
    SELECT t.*, printf('%s, M %d', place, tile_m) || iif(unthrottled, '', iif(shared_pad > 0, ', ' || shared_pad || ' unused bytes', '') ||
               coalesce(printf(', at most %d blocks', resident_blocks), '')) AS name, iif(s.ratio IS NULL, NULL, 1 / s.ratio) AS behind,
           s.half / pow(s.ratio, 2) AS behind_half, unthrottled AND tile_m = 4 AS launched, unthrottled AND rank = 1 AS best, rarest = 1 AND tile_m = 4 AS quarter
    FROM tile AS t LEFT JOIN slowest AS s ON s.setting = t.setting
)
SELECT name AS place, both_words AS flags, pair_trials AS trials, iif(launched, slowdown, NULL) AS slowdown, iif(launched, slowdown_half, NULL) AS slowdown_half,
       iif(launched, behind, NULL) AS behind, iif(launched, behind_half, NULL) AS behind_half, iif(best, slowdown, NULL) AS best,
       iif(best, slowdown_half, NULL) AS best_half, iif(quarter, slowdown, NULL) AS held, iif(quarter, slowdown_half, NULL) AS held_half,
       iif(quarter, held / other_held, NULL) AS occupancy, NULL AS printed, iif(launched, 0, iif(best, 1, 2)) AS part, width * height AS size, place_in_paper
FROM shown WHERE launched OR best OR quarter
UNION ALL
SELECT scene || ', Table 1', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, naive / tiled_shared, 3, 0, 0 FROM published_table1
ORDER BY part, size, place_in_paper, place
