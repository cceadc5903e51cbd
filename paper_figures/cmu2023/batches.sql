-- SPDX-License-Identifier: MIT
-- CMU report, Table 4: time of a sample per pixel of two stages by the size of a batch. One panel per device, image size, bounce limit
-- and schedule; a row is a scene under one kind of tickets and one order of the samples.
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY device_name ORDER BY batches DESC, settings DESC, newest DESC) AS place FROM slice WHERE batches > 1
),
wave AS (
    SELECT *, label || iif(tickets = 'atomic', ', tickets atomic', '') || iif(pool_order <> 'sequential', ', ' || pool_order, '') AS line FROM cell_of
    WHERE variant = 'two_stage' AND batch IN (4, 32, 128, 256) AND
          (plain OR pool IS NULL AND accumulate = 'atomic' AND extend_over = 'slots' AND ray_sort = 'none')
),
row AS (
    SELECT panel, line, work, tickets, pool_order, (SELECT q.scene FROM published_table4 AS q WHERE lower(q.scene) = lower(stands_for)) AS paper_scene
    FROM wave
    GROUP BY panel, line, work, tickets, pool_order
    HAVING count(DISTINCT batch) > 1
    UNION ALL
    SELECT p.panel, q.scene, NULL, NULL, NULL, q.scene FROM panel AS p CROSS JOIN published_table4 AS q
    WHERE lower(q.scene) NOT IN (SELECT lower(stands_for) FROM wave)
)
SELECT r.panel, r.line, r.paper_scene,
       a.seconds AS batch_4, a.seconds * (1 - a.relative_ci) AS batch_4_low, a.seconds * (1 + a.relative_ci) AS batch_4_high,
       coalesce(a.flags, iif(r.work IS NULL, 'no_scene', 'not_asked')) AS batch_4_flags, a.trials AS batch_4_trials,
       b.seconds AS batch_32, b.seconds * (1 - b.relative_ci) AS batch_32_low, b.seconds * (1 + b.relative_ci) AS batch_32_high,
       coalesce(b.flags, iif(r.work IS NULL, 'no_scene', 'not_asked')) AS batch_32_flags, b.trials AS batch_32_trials,
       c.seconds AS batch_128, c.seconds * (1 - c.relative_ci) AS batch_128_low, c.seconds * (1 + c.relative_ci) AS batch_128_high,
       coalesce(c.flags, iif(r.work IS NULL, 'no_scene', 'not_asked')) AS batch_128_flags, c.trials AS batch_128_trials,
       d.seconds AS batch_256, d.seconds * (1 - d.relative_ci) AS batch_256_low, d.seconds * (1 + d.relative_ci) AS batch_256_high,
       coalesce(d.flags, iif(r.work IS NULL, 'no_scene', 'not_asked')) AS batch_256_flags, d.trials AS batch_256_trials,
       a.seconds / d.seconds AS slower, q.batch_4 / q.batch_256 AS slower_published,
       q.batch_4 / q.batch_256 * (q.batch_4_half / q.batch_4 + q.batch_256_half / q.batch_256) AS slower_half,
       coalesce(a.flags, iif(r.work IS NULL, 'no_scene', 'not_asked')) || '|' || coalesce(d.flags, iif(r.work IS NULL, 'no_scene', 'not_asked')) AS slower_flags,
       coalesce(a.trials, '') || coalesce(', ' || d.trials, '') AS slower_trials,
       1.0 * a.rounds / d.rounds AS rounds, iif(r.work IS NULL, 'no_scene', coalesce(a.counted_flags, 'not_asked') || '|' || coalesce(d.counted_flags, 'not_asked')) AS rounds_flags,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM row AS r
JOIN panel AS p ON p.panel = r.panel
LEFT JOIN wave AS a ON a.panel = r.panel AND a.line = r.line AND a.work = r.work AND a.batch = 4
LEFT JOIN wave AS b ON b.panel = r.panel AND b.line = r.line AND b.work = r.work AND b.batch = 32
LEFT JOIN wave AS c ON c.panel = r.panel AND c.line = r.line AND c.work = r.work AND c.batch = 128
LEFT JOIN wave AS d ON d.panel = r.panel AND d.line = r.line AND d.work = r.work AND d.batch = 256
LEFT JOIN published_table4 AS q ON q.scene = r.paper_scene
ORDER BY r.panel, r.work IS NULL, r.line
