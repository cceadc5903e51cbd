-- SPDX-License-Identifier: MIT
-- After compare.sql: the same by bounce.

-- What was counted and, where launches were timed, the time of its path kernels.
CREATE TEMP TABLE compared_bounce AS
WITH counted AS (
    SELECT p.rowid AS pair, s.side, json_extract(c.value, '$[0]') AS bounce, json_extract(c.value, '$[1]') AS paths,
           json_extract(c.value, '$[2]') AS warps
    FROM pair AS p CROSS JOIN both_sides AS s ON s.rowid IN (p.a, p.b) CROSS JOIN json_each(s.counts) AS c
    WHERE p.a IS NOT NULL AND p.b IS NOT NULL
    UNION ALL
    SELECT pair, NULL, bounce, NULL, NULL FROM tested WHERE bounce >= 0
), joined AS (
    SELECT pair, bounce, max(iif(side = 0, paths, NULL)) AS a_paths, max(iif(side = 1, paths, NULL)) AS b_paths,
           max(iif(side = 0, warps, NULL)) AS a_warps, max(iif(side = 1, warps, NULL)) AS b_warps
    FROM counted GROUP BY pair, bounce
)
SELECT j.pair, c.parameters, c.cell, j.bounce, j.a_paths, j.b_paths, j.a_warps, j.b_warps,
       CASE WHEN c.counts IS NOT NULL THEN iif(j.a_paths IS j.b_paths AND j.a_warps IS j.b_warps, 'equal', 'differ') END
           AS counts,
       CASE WHEN t.pair IS NULL THEN 'not timed' WHEN c.notes LIKE 'the same results%' THEN 'same' ELSE t.verdict END
           AS verdict,
       t.a_seconds, t.b_seconds, t.ratio, t.low, t.high, t.noise_floor, t.a_n, t.b_n
FROM joined AS j JOIN compared AS c ON c.pair = j.pair
LEFT JOIN tested AS t ON t.pair = j.pair AND t.bounce = j.bounce;
