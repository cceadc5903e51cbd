-- SPDX-License-Identifier: MIT
-- Thesis 2018, Z-sorting: the albedo read behind the sort against before it: speed, and lines of 128 bytes of a warp's request for albedos.
SELECT p.place, p.flags, p.trials || coalesce(', ' || c.trials, '') AS trials, p.gain, p.half AS gain_half, c.lines
FROM scheme_pair AS p
LEFT JOIN counted_pair AS c USING (setting, over_setting)
WHERE p.variant = 'sort_albedo' AND p.choice = '' AND p.over = 'stream_sort' AND p.kind <> 'grid'
