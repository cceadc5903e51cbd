-- SPDX-License-Identifier: MIT
-- From pointers to arrays: lines of 128 bytes that a step of a warp over nodes reads, and bytes of nodes (in sectors of 32) and lists that a ray reads, of
-- nodes in an array relative to pointers; the share of useful bytes among those that warps fetch for nodes, of pointers relative to one array; of one list
-- and one array of triangles relative to lists and triangles apart, the lines of nodes, lists and triangles to a step over nodes or triangles or, where the hardware counted
-- them and they are fewer, the sectors that the first-level cache misses. Where lines are no fewer, the misses have to be known.
WITH lines AS (
    SELECT p.scene, max(p.trials) AS trials,
           (1.0 * (b.node_lines + b.list_lines + b.triangle_lines) / (b.inner_steps + b.triangle_steps)) /
               (1.0 * (a.node_lines + a.list_lines + a.triangle_lines) / (a.inner_steps + a.triangle_steps)) AS ratio
    FROM kd_pair AS p JOIN kd_cell AS a ON a.trial = p.was_trial JOIN kd_cell AS b ON b.trial = p.now_trial
    WHERE p.was = 'kd_aos' AND p.is_now = 'kd_cat_lt' AND a.node_lines > 0
    GROUP BY p.scene
),
missed AS (
    SELECT scene, max(trials) AS trials, misses FROM kd_counters WHERE was = 'kd_aos' AND is_now = 'kd_cat_lt' AND step = was_step AND triangle_test = 'watertight' GROUP BY scene
)
SELECT p.place || ', pointers to an array' AS place, '' AS flags, p.trials,
       min((1.0 * b.node_lines / b.inner_steps) / (1.0 * a.node_lines / a.inner_steps),
           (32.0 * b.visit_sectors + 4 * b.triangles) / (32.0 * a.visit_sectors + 4 * a.triangles)) AS better,
       max((1.0 * b.node_lines / b.inner_steps) / (1.0 * a.node_lines / a.inner_steps),
           (32.0 * b.visit_sectors + 4 * b.triangles) / (32.0 * a.visit_sectors + 4 * a.triangles)) AS worse,
       NULL AS useful, NULL AS lines, NULL AS time, NULL AS time_half
FROM kd_pair AS p JOIN kd_cell AS a ON a.trial = p.was_trial JOIN kd_cell AS b ON b.trial = p.now_trial
WHERE p.was = 'kd_ptr25' AND p.is_now = 'kd_aos' AND a.node_lines > 0
UNION ALL
SELECT p.place || ', pointers against one array', '', p.trials, NULL, NULL, 1.0 * b.node_sectors / a.node_sectors, NULL, NULL, NULL
FROM kd_pair AS p JOIN kd_cell AS a ON a.trial = p.was_trial JOIN kd_cell AS b ON b.trial = p.now_trial
WHERE p.was = 'kd_ptr25' AND p.is_now = 'kd_cat_lt' AND a.node_sectors > 0
UNION ALL
SELECT l.scene || ', one list' || iif(m.misses < l.ratio, ', cache misses', ', lines'), '', l.trials || coalesce(', ' || m.trials, ''), NULL, NULL, NULL,
       iif(l.ratio < 1 OR m.misses NOTNULL, min(l.ratio, coalesce(m.misses, l.ratio)), NULL), NULL, NULL
FROM lines AS l LEFT JOIN missed AS m ON m.scene = l.scene
UNION ALL
SELECT place || iif(was = 'kd_ptr25', ', pointers to an array', ', lists apart to one'), flags, trials, NULL, NULL, NULL, NULL, time, time_half
FROM kd_times WHERE was_step = 'xor' AND step = 'xor' AND was_test = 'watertight' AND test = was_test AND
      ((was = 'kd_ptr25' AND is_now = 'kd_aos') OR (was = 'kd_aos' AND is_now = 'kd_cat_lt'))
