-- SPDX-License-Identifier: MIT
-- Maps of the affine test in an array of their own, relative to records of a map and all else: lines of 128 bytes that a visit to a leaf reads of triangles or,
-- where the hardware counted them and they are fewer, sectors that the first-level cache misses; the distance from a triangle of a leaf to the next. Where
-- lines are no fewer, the misses have to be known.
WITH lines AS (
    SELECT p.scene, max(p.trials) AS trials, (1.0 * b.leaf_lines / b.leaf_visits) / (1.0 * a.leaf_lines / a.leaf_visits) AS ratio
    FROM kd_pair AS p JOIN kd_cell AS a ON a.trial = p.was_trial JOIN kd_cell AS b ON b.trial = p.now_trial
    WHERE p.was = 'kd16' AND p.is_now = 'kd16_soa' AND p.triangle_test = 'affine'
    GROUP BY p.scene
),
missed AS (
    SELECT scene, max(trials) AS trials, misses FROM kd_counters WHERE was = 'kd16' AND is_now = 'kd16_soa' AND step = 'xor' AND was_step = step AND triangle_test = 'affine' GROUP BY scene
)
SELECT l.scene || ', maps apart' || iif(m.misses < l.ratio, ', cache misses', ', lines') AS place, '' AS flags, l.trials || coalesce(', ' || m.trials, '') AS trials,
       iif(l.ratio < 1 OR m.misses NOTNULL, min(l.ratio, coalesce(m.misses, l.ratio)), NULL) AS lines, NULL AS gap, NULL AS time, NULL AS time_half
FROM lines AS l LEFT JOIN missed AS m ON m.scene = l.scene
UNION ALL
SELECT place || ', leaves', '', trial, NULL, triangle_gap, NULL, NULL
FROM kd_cell WHERE plain AND usual AND tree = 'kd16' AND triangle_test = 'watertight' GROUP BY place
UNION ALL
SELECT place || ', maps apart', flags, trials, NULL, NULL, time, time_half FROM kd_times WHERE was_step = 'xor' AND step = 'xor' AND was_test = 'affine' AND test = was_test AND
      was = 'kd16' AND is_now = 'kd16_soa'
