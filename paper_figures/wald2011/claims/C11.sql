-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.1: utilisation of naive over all bounces, and at bounce 8, on open scenes.
SELECT place, iif(fitted, 'fitted', '') AS excluded, '' AS flags, counted AS trials, 1.0 * paths / (warp_width * warps) AS utilisation,
       1.0 * last_paths / nullif(warp_width * last_warps, 0) AS last_utilisation
FROM counted_case
WHERE variant = 'naive' AND counts_as AND max_bounces = 8 AND open
ORDER BY width * height, place_in_paper, place
