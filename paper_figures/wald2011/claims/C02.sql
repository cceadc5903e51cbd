-- SPDX-License-Identifier: MIT
-- Wald 2011, Table 2: warps saved over all bounces, on open scenes; and on those whose survival is like fairy's at every bounce.
WITH survived AS (
    SELECT trial, bounce, 1.0 * lead(active_paths) OVER (PARTITION BY attempt ORDER BY bounce) / active_paths AS share FROM bounce
),
published AS (
    SELECT bounce, 1.0 * lead(active_paths) OVER (ORDER BY bounce) / active_paths AS share FROM published_table2
),
alike AS (
    SELECT c.counted, count(s.share) = (SELECT count(share) FROM published) AND max(abs(s.share / p.share - 1)) <= 0.25 AS like_fairy
    FROM counted_case AS c
    JOIN survived AS s ON s.trial = c.counted
    JOIN published AS p ON p.bounce = s.bounce AND p.share IS NOT NULL
    WHERE c.variant = 'naive'
    GROUP BY c.counted
)
SELECT n.place, iif(n.fitted, 'fitted', '') AS excluded, n.counted || ', ' || w.counted AS trials, 1.0 * n.warps / w.warps AS saved,
       iif(a.like_fairy, 1.0 * n.warps / w.warps, NULL) AS saved_alike
FROM counted_case AS n
JOIN counted_case AS w ON w.work = n.work AND w.variant = 'whole_frame' AND w.counts_as
LEFT JOIN alike AS a ON a.counted = n.counted
WHERE n.variant = 'naive' AND n.counts_as AND n.max_bounces = 8 AND n.open
ORDER BY n.width * n.height, n.place_in_paper, n.place
