-- SPDX-License-Identifier: MIT
-- CMU report, the wide tree against the binary one: sectors of 32 bytes that the first-level cache misses in a frame of one kernel; lanes that execute inside
-- the traversal with the wide tree less those with the binary one (lockstep model); time with nodes that are not aligned to lines over that with
-- nodes that are; and how time, wide over binary, is ranked against the scene's triangles (Spearman).
WITH ranked AS (
    SELECT slice, variant, trials, flags, row_number() OVER (PARTITION BY slice, variant ORDER BY time) AS by_time,
           row_number() OVER (PARTITION BY slice, variant ORDER BY triangles) AS by_size, count(*) OVER (PARTITION BY slice, variant) AS scenes
    FROM tree_pair
    WHERE form = 'wide' AND time NOTNULL AND triangles > 0
)
SELECT place, '' AS flags, counted AS trials, NULL AS missed, lanes - binary_lanes AS coherence, NULL AS aligned, NULL AS aligned_half, NULL AS correlation
FROM tree_pair
WHERE form = 'wide' AND lanes NOTNULL
UNION ALL
SELECT place || ', cache', '', missed_trials, misses, NULL, NULL, NULL, NULL
FROM tree_pair
WHERE form = 'wide' AND misses NOTNULL
UNION ALL
SELECT u.place || ', aligned', u.flags || '|' || a.flags, u.trials || ', ' || a.trials, NULL, NULL, u.time / a.time,
       u.time / a.time * sqrt(u.half * u.half / (u.time * u.time) + a.half * a.half / (a.time * a.time)), NULL
FROM tree_pair AS u
JOIN tree_pair AS a ON a.slice = u.slice AND a.work = u.work AND a.variant = u.variant AND a.form = 'wide, aligned'
WHERE u.form = 'wide'
UNION ALL
SELECT variant || ', ' || scenes || ' scenes', group_concat(flags, '|'), group_concat(trials, ', '), NULL, NULL, NULL, NULL,
       1.0 - 6.0 * sum((by_time - by_size) * (by_time - by_size)) / (1.0 * scenes * (scenes * scenes - 1))
FROM ranked
WHERE scenes > 2
GROUP BY slice, variant
