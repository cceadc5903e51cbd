-- SPDX-License-Identifier: MIT
-- Thesis 2018, compaction: warps that a block leaves partly filled in an extension; lanes at work in steps of tracking beyond those of regeneration by
-- thread, and warps with paths at several bounces over those of it; and streaming's warps in the first extension that tracks, all of whose paths are
-- at their first, against all later ones: lanes at work, lines of 128 bytes of a look-up.
WITH streaming AS (SELECT * FROM scheme WHERE variant IN ('stream_block', 'stream_device') AND choice = '' AND kind <> 'grid'),
pair AS (SELECT * FROM counted_pair WHERE variant = 'stream_block' AND choice = '' AND over = 'regenerate_thread' AND kind <> 'grid'),
extension AS (
    SELECT s.place, s.thin, a.trial, l.bounce > min(l.bounce) OVER (PARTITION BY a.trial) AS later, l.inner_steps AS steps, l.inner_live AS live,
           (SELECT sum(b.node_lines) FROM bounce_counts AS b WHERE b.attempt = a.attempt AND b.bounce = l.bounce AND b.launch = l.launch) AS lines
    FROM streaming AS s
    JOIN result AS a ON a.trial = s.counted AND a.collection = 'counts'
    JOIN lockstep AS l ON l.attempt = a.attempt AND l.kind = 0 AND l.inner_steps > 0 AND l.bounce >= 0
    WHERE s.variant = 'stream_block'
),
part AS (SELECT place, thin, trial, later, 1.0 * sum(live) / sum(steps) AS lanes, 1.0 * sum(lines) / sum(steps) AS lines FROM extension GROUP BY trial, later)
SELECT s.place || ', ' || s.variant AS place, s.thin AS flags, s.counted AS trials, k.partial / nullif(k.trips, 0) AS partial, NULL AS lanes,
       NULL AS first_lanes, NULL AS first_lines, NULL AS mixed
FROM streaming AS s
JOIN scheme_counts AS k ON k.trial = s.counted
UNION ALL
SELECT p.place || ', lanes', p.thin, a.trial || ', ' || b.trial, NULL, a.lanes - b.lanes, NULL, NULL, NULL
FROM scheme_pair AS p
JOIN tracking AS a ON a.setting = p.setting
JOIN tracking AS b ON b.setting = p.over_setting
WHERE p.variant = 'stream_block' AND p.choice = '' AND p.over = 'regenerate_thread' AND p.kind <> 'grid'
UNION ALL
SELECT f.place || ', first extension', f.thin, f.trial, NULL, NULL, f.lanes / l.lanes, f.lines / nullif(l.lines, 0), NULL
FROM part AS f
JOIN part AS l ON l.trial = f.trial AND l.later
WHERE NOT f.later
UNION ALL
SELECT place || ', mixed warps', flags, trials, NULL, NULL, NULL, NULL, mixed FROM pair
