-- SPDX-License-Identifier: MIT
-- CMU report: the third of the scenes that is most complex, by the ranks of its triangles and of the entropy of the materials that rays hit,
-- against the median of all scenes: gain over the CPU, gain of the wavefront, lanes that execute in one kernel, spread of path lengths.
WITH length AS (                    -- paths that reach bounce b have more than b segments
    SELECT n.trial, 1.0 * sum(b.active_paths) / sum(iif(b.bounce = 0, b.active_paths, 0)) AS mean,
           1.0 * sum((2 * b.bounce + 1) * b.active_paths) / sum(iif(b.bounce = 0, b.active_paths, 0)) AS squares
    FROM result AS n JOIN bounce_counts AS b ON b.attempt = n.attempt
    WHERE n.collection = 'counts' AND b.bounce >= 0 AND n.trial IN (SELECT mega_counted FROM compared)
    GROUP BY n.trial
),
scene AS (
    SELECT c.*, c.cpu / c.mega AS over_cpu, c.mega / c.wave2 AS over_mega, sqrt(max(0, l.squares - l.mean * l.mean)) / l.mean AS spread,
           (SELECT lanes FROM traversing WHERE setting = c.mega_setting ORDER BY rank LIMIT 1) AS lanes, w.scene_triangles AS triangles,
           (SELECT -sum(ln(1.0 * h.value / w.shaded) * h.value / w.shaded) FROM json_each(json_insert(w.others, '$[#]', w.lambert)) AS h WHERE h.value > 0) AS entropy
    FROM compared AS c
    JOIN work_done AS w ON w.trial = c.mega_counted AND w.shaded > 0
    JOIN length AS l ON l.trial = c.mega_counted
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY slice ORDER BY of_triangles + of_entropy DESC, triangles DESC) AS place_of, count(*) OVER (PARTITION BY slice) AS scenes
    FROM (SELECT *, rank() OVER (PARTITION BY slice ORDER BY triangles) AS of_triangles, rank() OVER (PARTITION BY slice ORDER BY entropy) AS of_entropy FROM scene)
),
value AS (
    SELECT slice, work, k.key AS name, k.value FROM scene, json_each(json_object('over_cpu', over_cpu, 'over_mega', over_mega, 'spread', spread, 'lanes', lanes)) AS k
    WHERE k.value IS NOT NULL
),
median AS (
    SELECT slice, name, avg(value) AS value
    FROM (SELECT *, row_number() OVER (PARTITION BY slice, name ORDER BY value) AS nth, count(*) OVER (PARTITION BY slice, name) AS n FROM value)
    WHERE nth IN ((n + 1) / 2, n / 2 + 1)
    GROUP BY slice, name
),
complex AS (SELECT * FROM ranked WHERE scenes >= 3 AND place_of <= scenes / 3)
SELECT r.place || ', over the CPU' AS place, r.cpu_flags || '|' || r.mega_flags AS flags, r.mega_trials || coalesce(', ' || r.cpu_trials, '') AS trials,
       r.over_cpu / a.value AS over_cpu, r.over_cpu / a.value * sqrt(r.cpu_ci * r.cpu_ci + r.mega_ci * r.mega_ci) AS over_cpu_half,
       NULL AS over_mega, NULL AS over_mega_half, NULL AS causes
FROM complex AS r
LEFT JOIN median AS a ON a.slice = r.slice AND a.name = 'over_cpu'
UNION ALL
SELECT r.place, r.mega_flags || '|' || r.wave2_flags, r.mega_trials || ', ' || r.wave2_trials, NULL, NULL,
       r.over_mega / b.value, r.over_mega / b.value * sqrt(r.mega_ci * r.mega_ci + r.wave2_ci * r.wave2_ci), (r.lanes < e.value) + (r.spread > s.value)
FROM complex AS r
LEFT JOIN median AS b ON b.slice = r.slice AND b.name = 'over_mega'
LEFT JOIN median AS e ON e.slice = r.slice AND e.name = 'lanes'
LEFT JOIN median AS s ON s.slice = r.slice AND s.name = 'spread'
