-- SPDX-License-Identifier: MIT
-- Wald 2011, abstract and Table 1: speedup of whole-frame compaction over naive, on the stand-ins of the paper's scenes; the same with
-- the noise for its interval; and the share of the saved warps' time that becomes saved time, where 1.5 times fewer are left.
SELECT p.place, p.both_words AS flags, p.pair_trials || coalesce(', ' || c.both_trials, '') AS trials, p.ratio AS speedup, p.half AS speedup_half,
       p.ratio AS faster, p.noise AS faster_half, iif(c.saved >= 1.5, 100 * (1 - 1 / p.ratio) / (1 - 1 / c.saved), NULL) AS realised,
       100 * p.half / pow(p.ratio, 2) / (1 - 1 / c.saved) AS realised_half
FROM pair AS p
LEFT JOIN counted_pair AS c ON c.work = p.work
WHERE p.variant = 'whole_frame' AND p.other = 'naive' AND p.max_bounces = 8 AND p.unthrottled AND p.place_in_paper < 99
ORDER BY p.width * p.height, p.place_in_paper, p.place
