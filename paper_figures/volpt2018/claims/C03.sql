-- SPDX-License-Identifier: MIT
-- Thesis 2018, persistent thread: regeneration by warp against by thread on uneven volumes: speed; warps with paths at several bounces, and lines of
-- 128 bytes of a warp's look-up, of the one over the other.
SELECT p.place, p.flags, p.trials || coalesce(', ' || c.trials, '') AS trials, p.gain, p.half AS gain_half, c.mixed, c.density_lines AS lines
FROM scheme_pair AS p
LEFT JOIN counted_pair AS c USING (setting, over_setting)
WHERE p.variant = 'regenerate_warp' AND p.choice = '' AND p.over = 'regenerate_thread' AND p.kind = 'uneven'
