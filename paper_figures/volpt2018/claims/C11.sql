-- SPDX-License-Identifier: MIT
-- Thesis 2018, data locality: paths sorted in place of compacted: speed, and lines of 128 bytes of a warp's request for albedos.
SELECT p.place, p.flags, p.trials || coalesce(', ' || c.trials, '') AS trials, p.gain, p.half AS gain_half, c.lines
FROM scheme_pair AS p
LEFT JOIN counted_pair AS c USING (setting, over_setting)
WHERE p.variant = 'stream_sort' AND p.choice = '' AND p.over = 'stream_block' AND p.kind <> 'grid'
