-- SPDX-License-Identifier: MIT
-- CMU report: one kernel, in the frame of a scene with most samples, against the same on a CPU.
SELECT m.label || ', ' || m.device_name || ', ' || m.width || 'x' || m.height || ', ' || m.spp || ' samples' AS place, coalesce(c.flags, 'not_asked') || '|' || m.flags AS flags,
       m.trials || coalesce(', ' || c.trials, '') AS trials, c.seconds / m.seconds AS gain,
       c.seconds / m.seconds * sqrt(c.relative_ci * c.relative_ci + m.relative_ci * m.relative_ci) AS gain_half
FROM (SELECT *, rank() OVER (PARTITION BY label, device_name, width, height ORDER BY spp DESC) AS nth FROM cell WHERE variant = 'naive' AND own = '' AND device_kind <> 'processor') AS m
LEFT JOIN on_cpu AS c ON c.subject = m.subject
WHERE m.nth = 1
