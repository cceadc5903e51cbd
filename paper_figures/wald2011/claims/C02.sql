-- SPDX-License-Identifier: MIT
-- Wald 2011, Table 2: warps saved over all bounces, on open scenes; and on those whose survival is like fairy's at every bounce.
WITH naive AS MATERIALIZED (
    SELECT * FROM counted_case WHERE variant = 'naive' AND counts_as AND max_bounces = 8 AND open
),
survived AS (                       -- of these trials alone: of all, it takes half a minute where there are 100,000
    SELECT counted, bounce, 1.0 * lead(paths) OVER (PARTITION BY counted ORDER BY bounce) / paths AS share
    FROM (SELECT n.counted, b.bounce, sum(b.active_paths) AS paths
          FROM (SELECT DISTINCT counted FROM naive) AS n
          CROSS JOIN result AS r ON r.trial = n.counted AND r.collection = 'counts'
          CROSS JOIN bounce_counts AS b ON b.attempt = r.attempt AND b.bounce >= 0
          GROUP BY n.counted, b.bounce)
),
published AS (
    SELECT bounce, 1.0 * lead(active_paths) OVER (ORDER BY bounce) / active_paths AS share FROM published_table2
),
alike AS (
    SELECT s.counted, count(s.share) = (SELECT count(share) FROM published) AND max(abs(s.share / p.share - 1)) <= 0.25 AS like_fairy
    FROM survived AS s
    JOIN published AS p ON p.bounce = s.bounce AND p.share IS NOT NULL
    GROUP BY s.counted
)
SELECT n.place, iif(n.fitted, 'fitted', '') AS excluded, n.counted || ', ' || w.counted AS trials, 1.0 * n.warps / w.warps AS saved,
       iif(a.like_fairy, 1.0 * n.warps / w.warps, NULL) AS saved_alike
FROM naive AS n
JOIN counted_case AS w ON w.work = n.work AND w.variant = 'whole_frame' AND w.counts_as
LEFT JOIN alike AS a ON a.counted = n.counted
ORDER BY n.width * n.height, n.place_in_paper, n.place
