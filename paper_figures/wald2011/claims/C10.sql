-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.1 and Table 2: how far active warps of naive fall from bounce 0 to 8, in terms of its active paths, on open scenes.
SELECT place, iif(fitted, 'fitted', '') AS excluded, '' AS flags, counted AS trials,
       ln(1.0 * first_warps / nullif(last_warps, 0)) / ln(1.0 * first_paths / nullif(last_paths, 0)) AS exponent,
       1.0 * first_warps / nullif(last_warps, 0) / (1.0 * first_paths / nullif(last_paths, 0)) AS fall
FROM counted_case
WHERE variant = 'naive' AND counts_as AND max_bounces = 8 AND open
ORDER BY width * height, place_in_paper, place
