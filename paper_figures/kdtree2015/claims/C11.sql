-- SPDX-License-Identifier: MIT
-- The affine triangle test relative to Moeller's and Trumbore's, in the same tree: triangle tests a second of frame time, and frame time. Samples of warps in
-- the triangle tests, of those in the traversal. Lines of vector arithmetic, which the tests share with boxes and with shading, count half of them; all
-- and none are the ends of the interval. Not of cornell: 36 triangles are no mesh.
WITH sampled AS (
    SELECT t.id AS trial, t.scene || ', ' || t.width || 'x' || t.height || ', ' || t.device_name AS place, 1.0 * sum(iif(k.file GLOB 'trees/triangle*', k.samples, 0)) AS tests,
           1.0 * sum(iif(k.file GLOB 'trees/*', k.samples, 0)) AS tracing, 1.0 * sum(iif(k.file = 'lib/vec.h', k.samples, 0)) AS either,
           row_number() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM stall_lines AS k
    JOIN trial_record AS t ON t.id = k.trial
    WHERE t.variant = 'naive' AND t.scene <> 'cornell' AND t.tree = 'kd16' AND t.triangle_test = 'moeller_trumbore' AND (SELECT scene FROM report_option) IN ('', t.scene) AND
          ((SELECT run FROM report_option) = '' OR t.id IN (SELECT trial FROM asked))
    GROUP BY t.id
)
SELECT place, flags, trials, rate, rate_half, time, time_half, NULL AS share, NULL AS share_half
FROM kd_times
WHERE was = 'kd16' AND is_now = was AND was_step = 'xor' AND step = was_step AND was_test = 'moeller_trumbore' AND test = 'affine'
UNION ALL
SELECT place || ', samples', '', trial, NULL, NULL, NULL, NULL, 0.5 * (tests / (tracing + either) + (tests + either) / (tracing + either)),
       0.5 * ((tests + either) / (tracing + either) - tests / (tracing + either))
FROM sampled
WHERE nth = 1 AND tracing > 0
