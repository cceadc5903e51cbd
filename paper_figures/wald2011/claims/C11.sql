-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.1: utilisation of naive over all bounces, and at bounce 8, on open scenes.
SELECT place, words AS flags, counted AS trials, 100.0 * paths / (warp_width * warps) AS total, 100.0 * last_paths / nullif(warp_width * last_warps, 0) AS last
FROM counted_pair
WHERE max_bounces = 8 AND open
ORDER BY width * height, place_in_paper, place
