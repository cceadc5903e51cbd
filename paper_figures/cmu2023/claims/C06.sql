-- SPDX-License-Identifier: MIT
-- CMU report: one kernel against the same on a CPU.
SELECT m.label || ', ' || m.device_name || ', ' || m.width || 'x' || m.height AS place, coalesce(c.flags, 'not_asked') || '|' || m.flags AS flags,
       m.trials || coalesce(', ' || c.trials, '') AS trials, c.seconds / m.seconds AS gain,
       c.seconds / m.seconds * sqrt(c.relative_ci * c.relative_ci + m.relative_ci * m.relative_ci) AS gain_half
FROM cell AS m
LEFT JOIN on_cpu AS c ON c.subject = m.subject
WHERE m.variant = 'naive' AND m.own = '' AND m.device <> 'cpu'
