-- SPDX-License-Identifier: MIT
-- Wald 2011, 3.4: most active warps of a launch of whole_frame beyond those that its paths would fill. The printed kernel's 8x8 map
-- stands beside the linear one.
SELECT f.place || ', lane map ' || f.lane_map AS place, iif(f.lane_map = 'linear', '', 'printed_map') AS flags,
       group_concat(DISTINCT f.counted) AS trials, max(b.active_warps - b.active_paths / f.warp_width) AS beyond
FROM counted_case AS f
JOIN result AS r ON r.trial = f.counted AND r.collection = 'counts'
CROSS JOIN bounce_counts AS b ON b.attempt = r.attempt AND b.bounce >= 0
WHERE f.variant = 'whole_frame'
GROUP BY f.work, f.lane_map
ORDER BY f.lane_map = 'linear' DESC, f.width * f.height, f.place_in_paper, place
