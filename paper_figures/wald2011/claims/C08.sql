-- SPDX-License-Identifier: MIT
-- Wald 2011, 4: of the three relations between whole_frame, tiled_shared and naive, how many are the opposite at another bounce limit of
-- what they are at 8, beyond the noise; and how far the speedups at 2 bounces are from those at 8, and the warps saved.
WITH picture AS (
    SELECT w.*, (abs(w.ratio - 1) > w.noise) * sign(w.ratio - 1) AS gain, (abs(t.ratio - 1) > t.noise) * sign(t.ratio - 1) AS tile_naive,
           (abs(x.ratio - 1) > x.noise) * sign(x.ratio - 1) AS tile_whole, t.pair_trials AS tile_trials
    FROM pair AS w
    LEFT JOIN pair AS t ON t.work = w.work AND t.device_name = w.device_name AND t.variant = 'tiled_shared' AND t.tile_m = 4 AND t.unthrottled AND t.other = 'naive'
    LEFT JOIN pair AS x ON x.setting = t.setting AND x.other = 'whole_frame'
    WHERE w.variant = 'whole_frame' AND w.other = 'naive' AND w.unthrottled AND w.place_in_paper < 99
),
limits AS (
    SELECT o.*, e.both_words || '|' || o.both_words AS all_words, abs(e.ratio - o.ratio) AS apart, sqrt(pow(e.half, 2) + pow(o.half, 2)) AS apart_half,
           e.pair_trials || ', ' || o.pair_trials || coalesce(', ' || o.tile_trials, '') AS all_trials,
           (o.gain * e.gain < 0) + (o.tile_naive * e.tile_naive < 0) + (o.tile_whole * e.tile_whole < 0) AS opposite
    FROM picture AS o
    JOIN picture AS e ON e.scene = o.scene AND e.width = o.width AND e.height = o.height AND e.device_name = o.device_name AND e.max_bounces = 8
    WHERE o.max_bounces IN (2, 3, 4, 6, 16)
)
SELECT place, all_words AS flags, all_trials AS trials, iif(max_bounces = 2, opposite, NULL) AS two, iif(max_bounces = 2, NULL, opposite) AS others,
       iif(max_bounces = 2, apart, NULL) AS apart, iif(max_bounces = 2, apart_half, NULL) AS apart_half, NULL AS saved, 0 AS counts, width * height AS size, place_in_paper
FROM limits
UNION ALL
SELECT e.place, e.words, e.both_trials || ', ' || t.both_trials, NULL, NULL, NULL, NULL, abs(e.saved - t.saved), 1, e.width * e.height, e.place_in_paper
FROM counted_pair AS e
JOIN counted_pair AS t ON t.scene = e.scene AND t.width = e.width AND t.height = e.height AND t.max_bounces = 2
WHERE e.max_bounces = 8 AND e.place_in_paper < 99 AND e.saved + t.saved IS NOT NULL
ORDER BY counts, size, place_in_paper, 1
