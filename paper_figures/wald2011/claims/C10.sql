-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.1 and Table 2: share of naive's warps that are active at bounce 8, where between 16 and 24 times fewer paths are; the
-- same at the bounce where they first are 16 times fewer; and both falls as logarithms. Of open scenes whose camera rays all hit.
WITH bounce AS (
    SELECT n.*, b.bounce, sum(b.active_paths) AS live, sum(b.active_warps) AS live_warps
    FROM counted_pair AS n
    CROSS JOIN result AS r ON r.trial = n.counted AND r.collection = 'counts'
    CROSS JOIN bounce_counts AS b ON b.attempt = r.attempt AND b.bounce >= 0
    WHERE n.max_bounces = 8 AND n.open
    GROUP BY n.counted, b.bounce
),
hit AS (
    SELECT counted, min(iif(first_paths > 16 * live, bounce, NULL)) AS fallen FROM bounce GROUP BY counted
    HAVING max(iif(bounce = 1, live, NULL)) >= 0.99 * max(first_paths)
)
SELECT b.place || iif(b.bounce = 8, '', printf(', bounce %d', b.bounce)) AS place, b.words AS flags, b.counted AS trials,
       iif(b.bounce = 8 AND b.first_paths > 16 * b.live AND (b.first_paths <= 24 * b.live OR b.live_warps > 0.5 * b.first_warps), 100.0 * b.live_warps / b.first_warps, NULL) AS share,
       iif(b.bounce = h.fallen, 100.0 * b.live_warps / b.first_warps, NULL) AS share_then,
       iif(b.bounce = 8, ln(1.0 * b.first_warps / b.live_warps) / ln(1.0 * b.first_paths / b.live), NULL) AS exponent
FROM bounce AS b JOIN hit AS h ON h.counted = b.counted
WHERE b.bounce = 8 OR b.bounce = h.fallen
ORDER BY b.width * b.height, b.place_in_paper, place
