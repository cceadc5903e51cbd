-- SPDX-License-Identifier: MIT
-- Thesis 2018, Table 4.3: regeneration by whole blocks against by thread and by warp, and against the naive kernel.
SELECT place || ', against ' || over AS place, flags, trials, iif(over <> 'volume_naive', gain, NULL) AS other, half AS other_half,
       iif(over = 'volume_naive' AND stands_for <> 'ad', gain, NULL) AS naive, half AS naive_half,
       iif(over = 'volume_naive' AND stands_for = 'ad', gain, NULL) AS on_ad, half AS on_ad_half
FROM scheme_pair
WHERE variant = 'regenerate_block' AND choice = '' AND over IN ('volume_naive', 'regenerate_thread', 'regenerate_warp') AND kind <> 'grid'
