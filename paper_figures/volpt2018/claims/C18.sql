-- SPDX-License-Identifier: MIT
-- Thesis 2018, persistent thread: atomic operations of regeneration by warp beyond one for each 32 paths, over the warps of its launch.
SELECT s.place, '' AS flags, s.counted AS trials,
       1.0 * (s.atomics - (s.paths + s.warp_width - 1) / s.warp_width) / sum(l.grid * ((l.block + a.warp_width - 1) / a.warp_width)) AS beyond
FROM scheme AS s
JOIN result AS a ON a.trial = s.counted AND a.collection = 'counts'
JOIN launch AS l ON l.attempt = a.attempt AND l.repetition = 0 AND NOT l.auxiliary
WHERE s.variant = 'regenerate_warp' AND s.choice = '' AND s.kind <> 'grid'
GROUP BY s.setting
