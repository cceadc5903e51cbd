-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.1: occupancy that blocks of 64 lanes with 64 registers lose on the paper's GPU between 6 KB of shared memory each and
-- the next amount that can be had; and the speed of tiled_shared at the best M that leaves it the resident warps of naive.
SELECT printf('compute capability %d.%d (%s)', version / 10, version % 10, example) AS place, '' AS flags, '' AS trials,
       100 * (occupancy(version, 64, 64, 6144) - occupancy(version, 64, 64, 6144 + shared_unit)) AS lost, NULL AS speed, NULL AS speed_half
FROM compute_capability
WHERE version = 20
UNION ALL
SELECT place || printf(', M = %d', tile_m), both_words, pair_trials, NULL, max(ratio), noise
FROM pair
WHERE variant = 'tiled_shared' AND other = 'naive' AND unthrottled AND held >= other_held AND max_bounces = 8 AND place_in_paper < 99
GROUP BY work, device_name
