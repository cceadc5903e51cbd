-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.1, 4.2 and 5: the drop in occupancy that shared memory causes at M = 4 by the limits of compute capability 2.0; here, the
-- slowdown of tiled_shared over its own drop, and the others' occupancy; and tiled_global held to as few warps (same tile, same L1).
SELECT 'compute capability 2.0' AS place, '' AS excluded, '' AS flags, '' AS trials, occupancy(20, 64, 64, 0) / occupancy(20, 64, 64, 24576) AS dropped,
       NULL AS slower, NULL AS slower_half, NULL AS apart, NULL AS speed, NULL AS speed_half, 0 AS size
UNION ALL
SELECT printf('%s, M %d', place, tile_m), '', both_words, pair_trials, NULL, held / other_held / ratio, held / other_held * half / pow(ratio, 2), NULL, NULL, NULL, width * height
FROM pair
WHERE variant = 'tiled_shared' AND tile_m = 4 AND other = 'naive' AND max_bounces = 8 AND unthrottled AND place_in_paper < 99
UNION ALL
SELECT place || ', ' || variant || coalesce(printf(', M %d', tile_m), ''), '', '', pair_trials, NULL, NULL, NULL, held - other_held, NULL, NULL, width * height
FROM pair
WHERE variant IN ('whole_frame', 'tiled_global') AND other = 'naive' AND max_bounces = 8 AND unthrottled AND held IS NOT NULL
GROUP BY work, device_name, variant, tile_m
UNION ALL
SELECT printf('%s, M %d, %s', place, tile_m, iif(shared_pad > 0, shared_pad || ' unused bytes', 'at most ' || resident_blocks || ' blocks')),
       iif(held = other_held, '', 'other_occupancy'), both_words, pair_trials, NULL, NULL, NULL, NULL, ratio, half, width * height
FROM pair
WHERE variant = 'tiled_global' AND other = 'tiled_shared' AND other_m = tile_m AND other_carveout IS carveout AND max_bounces = 8 AND NOT unthrottled
ORDER BY size, place
