-- SPDX-License-Identifier: MIT
-- CMU report, Table 3, Landscape: time with wide trees on both levels over that with binary ones, of two stages less that of one kernel. Of scenes of
-- instances in two levels alone.
SELECT w.label || ', ' || p.device_name || ', ' || p.width || 'x' || p.height AS place, w.flags || '|' || m.flags AS flags, w.trials || ', ' || m.trials AS trials,
       w.time AS wave, w.half AS wave_half, m.time AS mega, m.half AS mega_half,
       w.time - m.time AS gap, sqrt(w.half * w.half + m.half * m.half) AS gap_half
FROM tree_pair AS w
JOIN tree_pair AS m ON m.slice = w.slice AND m.work = w.work AND m.form = w.form AND m.variant = 'naive'
JOIN slice AS p ON p.slice = w.slice
WHERE w.variant = 'two_stage' AND w.form = 'wide' AND w.levels
