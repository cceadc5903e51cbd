-- SPDX-License-Identifier: MIT
-- What the tables of schemes read besides the counts of all papers, once a counted trial.
CREATE TEMP VIEW scheme_counts AS
SELECT a.trial, 1.0 * sum(iif(b.bounce < 0, b.barriers, 0)) / sum(iif(b.bounce >= 0, b.active_paths, 0)) AS barriers_per_ray,
       1.0 * sum(iif(b.bounce < 0, b.mixed_warps, 0)) / nullif(sum(iif(b.bounce < 0, b.active_warps, 0)), 0) AS mixed,
       1.0 * sum(iif(b.bounce < 0, b.albedo_lines, 0)) / nullif(sum(iif(b.bounce < 0, b.albedo_warps, 0)), 0) AS lines,
       1.0 * sum(iif(b.bounce >= 0, b.lookups, 0)) / nullif(sum(iif(b.bounce >= 0, b.collisions, 0)), 0) AS lookups,
       sum(iif(b.bounce < 0, b.scheme_bytes, 0)) / 1048576.0 AS mebibytes
FROM result AS a
CROSS JOIN bounce_counts AS b ON b.attempt = a.attempt
WHERE a.collection = 'counts'
GROUP BY a.trial;
