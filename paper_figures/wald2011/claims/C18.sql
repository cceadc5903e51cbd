-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.4, compaction on: rise of the time of a warp from bounce 2 to 8, with more pixels over with fewer; and the most of it that
-- an empty launch may explain.
WITH size AS (
    SELECT *, width * height AS pixels FROM rise WHERE compaction = 'on' AND bounce = 8 AND base = 2
)
SELECT printf('%s over %dx%d', l.place, s.width, s.height) AS place, l.both_words || '|' || s.both_words AS flags, l.trials || ', ' || s.trials AS trials,
       l.ratio / s.ratio AS ratio, l.ratio / s.ratio * sqrt(pow(l.half / l.ratio, 2) + pow(s.half / s.ratio, 2)) AS ratio_half, NULL AS explained, NULL AS explained_half
FROM size AS l JOIN size AS s ON s.scene = l.scene AND s.device_name = l.device_name AND s.pixels < l.pixels
UNION ALL
SELECT place, both_words, trials, NULL, NULL, 100 * (1 - more_alone / more), NULL FROM size
