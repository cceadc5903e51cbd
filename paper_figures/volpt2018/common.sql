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

-- Of the model: lines of 128 bytes from which a warp reads densities in a step of tracking, and the share of its lanes at work in it.
CREATE TEMP VIEW lookup_steps AS
SELECT a.trial, 1.0 * (SELECT sum(b.node_lines) FROM bounce_counts AS b WHERE b.attempt = a.attempt) / sum(l.inner_steps) AS lines,
       1.0 * sum(l.inner_live) / sum(l.inner_steps) / t.warp_width AS lanes
FROM result AS a
CROSS JOIN trial_record AS t ON t.id = a.trial
CROSS JOIN lockstep AS l ON l.attempt = a.attempt
WHERE a.collection = 'counts' AND l.kind = 0 AND l.inner_steps > 0
GROUP BY a.trial;
