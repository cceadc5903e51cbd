-- SPDX-License-Identifier: MIT
-- CMU report, Table 1: time of a sample per pixel of one kernel, by the report's rules. One panel per device, image size, bounce limit
-- and schedule; a row is a scene.
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY device_name ORDER BY variants DESC, settings DESC, newest DESC) AS place FROM slice
),
line AS (                      -- scenes that were measured, then the paper's others
    SELECT m.*, (SELECT q.scene FROM published_table1 AS q LEFT JOIN full_name AS n ON n.scene = q.scene
                 WHERE lower(coalesce(n.name, q.scene)) = lower(m.stands_for)) AS paper_scene
    FROM cell_of AS m
    WHERE m.variant = 'naive' AND m.own = ''
)
SELECT * FROM (
SELECT p.panel, l.label AS scene_for, l.paper_scene, l.seconds AS cuda, l.seconds * (1 - l.relative_ci) AS cuda_low,
       l.seconds * (1 + l.relative_ci) AS cuda_high, l.flags AS cuda_flags, l.trials AS cuda_trials,
       c.seconds AS cpu, c.seconds * (1 - c.relative_ci) AS cpu_low, c.seconds * (1 + c.relative_ci) AS cpu_high, coalesce(c.flags, 'not_asked') AS cpu_flags,
       c.trials AS cpu_trials, NULL AS optix, 'no_optix' AS optix_flags,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM line AS l
JOIN panel AS p ON p.panel = l.panel
LEFT JOIN on_cpu AS c ON c.subject = l.subject
UNION ALL
SELECT p.panel, q.scene, q.scene, NULL, NULL, NULL, 'no_scene', NULL, NULL, NULL, NULL, 'no_scene', NULL, NULL, 'no_scene',
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family, p.schedule, p.trials, p.left_out
FROM panel AS p
CROSS JOIN published_table1 AS q
WHERE q.scene NOT IN (SELECT paper_scene FROM line WHERE paper_scene NOTNULL)
) ORDER BY panel, cuda_flags = 'no_scene', scene_for
