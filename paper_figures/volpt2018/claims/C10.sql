-- SPDX-License-Identifier: MIT
-- Thesis 2018, compaction: streaming in one kernel against regeneration by warp; and where it is faster, lanes at work in steps of tracking, which the
-- hardware counts with fewer samples than are timed.
WITH pair AS (SELECT * FROM scheme_pair WHERE variant = 'stream_block' AND choice = '' AND over = 'regenerate_warp' AND kind <> 'grid'),
faster AS (
    SELECT scene, device_name, width, height, trials, row_number() OVER (PARTITION BY scene, device_name, width, height ORDER BY gain - half) AS nth
    FROM pair
    WHERE gain - half > 1
)
SELECT place, flags, NULL AS excluded, trials, gain, half AS gain_half, iif(kind = 'constant', gain, NULL) AS even, half AS even_half,
       iif(kind = 'uneven', gain, NULL) AS uneven, half AS uneven_half, NULL AS lanes
FROM pair
UNION ALL
SELECT p.place || ', lanes', p.flags, iif(coalesce(p.gain - p.half > 1, f.trials NOTNULL), NULL, 'it is not known to be faster here'),
       coalesce(f.trials || ', ', '') || a.trial || ', ' || b.trial, NULL, NULL,
       NULL, NULL, NULL, NULL,
       a.lanes - b.lanes
FROM pair AS p
JOIN tracking AS a ON a.setting = p.setting
JOIN tracking AS b ON b.setting = p.over_setting
LEFT JOIN faster AS f ON f.scene = p.scene AND f.device_name = p.device_name AND f.width = p.width AND f.height = p.height AND f.nth = 1
