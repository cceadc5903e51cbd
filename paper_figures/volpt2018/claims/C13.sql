-- SPDX-License-Identifier: MIT
-- Thesis 2018, data locality: one shape in grids of several sizes: speed of sorted paths over compacted ones in the smallest less that in the largest,
-- lines of a warp's request for albedos, read behind the sort, over those of compacted paths. In the published grids, of neighbours among the paths
-- that read albedos behind the sort at least so many read another line than the one before: a warp's lines, less one. Of neighbours in a sort's order the
-- share that is farther apart than a block of voxels of one line reaches: more than half of them, where the median distance is above a line.
WITH shape AS (
    SELECT p.*, CAST(substr(p.scene, 6) AS INTEGER) AS size, c.lines, c.trials AS counts
    FROM scheme_pair AS p LEFT JOIN counted_pair AS c USING (setting, over_setting)
    WHERE p.kind = 'grid' AND p.choice = '' AND p.over = 'stream_block'
)
SELECT printf('32^3 against 512^3, %s, %dx%d, %s', a.variant, a.width, a.height, a.device_name) AS place, a.flags || '|' || b.flags AS flags,
       a.trials || ', ' || b.trials || coalesce(', ' || a.counts || ', ' || b.counts, '') AS trials,
       iif(a.variant = 'stream_sort', a.gain - b.gain, NULL) AS rise, sqrt(a.half * a.half + b.half * b.half) AS rise_half, NULL AS apart, NULL AS far,
       iif(a.variant = 'sort_albedo', a.lines, NULL) AS small, iif(a.variant = 'sort_albedo', b.lines, NULL) AS large,
       iif(a.variant = 'sort_albedo', b.lines - a.lines, NULL) AS growth
FROM shape AS a
JOIN shape AS b ON b.variant = a.variant AND b.device_name = a.device_name AND b.width = a.width AND b.height = a.height AND b.spp = a.spp AND b.seed = a.seed AND
                   b.size = 512
WHERE a.variant IN ('stream_sort', 'sort_albedo') AND a.size = 32
UNION ALL
SELECT s.place || ', neighbours', s.thin, s.counted, NULL, NULL, 1.0 * (k.albedo_lines - k.albedo_warps) / nullif(k.collisions - k.albedo_warps, 0), NULL, NULL, NULL, NULL
FROM scheme AS s
JOIN scheme_counts AS k ON k.trial = s.counted
WHERE s.variant = 'sort_albedo' AND s.choice = '' AND s.stands_for <> ''
UNION ALL
SELECT s.place || ', ' || s.variant || ', distance of neighbours', s.thin, s.counted, NULL, NULL, NULL, k.sorted_apart, NULL, NULL, NULL
FROM scheme AS s
JOIN scheme_counts AS k ON k.trial = s.counted
WHERE s.variant IN ('stream_sort', 'sort_albedo') AND s.choice = '' AND s.stands_for <> ''
