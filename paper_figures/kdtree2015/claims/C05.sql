-- SPDX-License-Identifier: MIT
-- Maps of the affine test in an array of their own, relative to records of a map and all else: lines of 128 bytes that a visit to a leaf reads of triangles;
-- the distance from a triangle of a leaf to the next.
SELECT p.place, '' AS flags, p.trials, (1.0 * b.leaf_lines / b.leaf_visits) / (1.0 * a.leaf_lines / a.leaf_visits) AS lines, NULL AS gap, NULL AS time, NULL AS time_half
FROM kd_pair AS p JOIN kd_cell AS a ON a.trial = p.was_trial JOIN kd_cell AS b ON b.trial = p.now_trial
WHERE p.was = 'kd16' AND p.is_now = 'kd16_soa' AND p.triangle_test = 'affine'
UNION ALL
SELECT place, '', trial, NULL, triangle_gap, NULL, NULL
FROM kd_cell WHERE plain AND tree = 'kd16' AND triangle_test = 'watertight' GROUP BY place
UNION ALL
SELECT place, flags, trials, NULL, NULL, time, time_half FROM kd_times WHERE was_step = 'xor' AND step = 'xor' AND was_test = 'affine' AND test = was_test AND
      was = 'kd16' AND is_now = 'kd16_soa'
