-- SPDX-License-Identifier: MIT
-- CMU report: what each choice of a wavefront does to its time, against the same wavefront without it. One panel per device, image size,
-- bounce limit and schedule; a row is a scene, a wavefront and its choices.
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY device_name ORDER BY choices DESC, settings DESC, newest DESC) AS place FROM slice WHERE choices > 0
)
SELECT c.panel, c.label || ', ' || c.variant || ': ' || c.chosen AS line, c.seconds AS time, c.seconds * (1 - c.relative_ci) AS time_low,
       c.seconds * (1 + c.relative_ci) AS time_high, c.flags AS time_flags, c.trials AS time_trials,
       b.seconds / c.seconds AS speedup, b.flags || '|' || c.flags AS speedup_flags, c.trials || ', ' || b.trials AS speedup_trials,
       c.lanes, c.rounds, c.launches, c.mixed_warps, c.atomics, 1.0 * c.moved_bytes / c.paths AS moved, c.counted_flags AS counted, c.counted AS counted_trial,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM cell_of AS c
JOIN panel AS p ON p.panel = c.panel
JOIN cell_of AS b ON b.panel = c.panel AND b.work = c.work AND b.variant = c.variant AND b.tickets = c.tickets AND b.batch = c.batch AND b.plain
WHERE NOT c.plain
ORDER BY c.panel, line
