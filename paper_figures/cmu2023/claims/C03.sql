-- SPDX-License-Identifier: MIT
-- CMU report, Table 3: time with the wide tree over that with the binary one, of one kernel and of two stages; share of scenes on which
-- it is longer.
SELECT place, flags, trials, iif(variant = 'naive', time, NULL) AS mega, iif(variant = 'naive', half, NULL) AS mega_half,
       iif(variant = 'two_stage', time, NULL) AS wave, iif(variant = 'two_stage', half, NULL) AS wave_half, NULL AS slower
FROM tree_pair
WHERE form = 'wide'
UNION ALL
SELECT 'share of ' || count(*) || ' scenes, ' || variant, '', group_concat(trials, ', '), NULL, NULL, NULL, NULL, avg(time > 1)
FROM tree_pair
WHERE form = 'wide' AND time NOTNULL AND flags NOT LIKE '%underfilled%'
GROUP BY slice, variant
