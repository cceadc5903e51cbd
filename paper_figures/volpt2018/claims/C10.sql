-- SPDX-License-Identifier: MIT
-- Thesis 2018, compaction: streaming in one kernel against regeneration by warp; and where it is faster, lanes at work in steps of tracking.
WITH pair AS (SELECT * FROM scheme_pair WHERE variant = 'stream_block' AND choice = '' AND over = 'regenerate_warp' AND kind <> 'grid')
SELECT place, flags, NULL AS excluded, trials, gain, half AS gain_half, iif(kind = 'constant', gain, NULL) AS even, half AS even_half,
       iif(kind = 'uneven', gain, NULL) AS uneven, half AS uneven_half, NULL AS lanes
FROM pair
UNION ALL
SELECT p.place || ', lanes', p.flags, iif(p.gain - coalesce(p.half, 0) > 1, NULL, 'it is not known to be faster here'), a.trial || ', ' || b.trial, NULL, NULL,
       NULL, NULL, NULL, NULL,
       a.lanes - b.lanes
FROM pair AS p
JOIN tracking AS a ON a.setting = p.setting
JOIN tracking AS b ON b.setting = p.over_setting
