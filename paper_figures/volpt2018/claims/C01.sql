-- SPDX-License-Identifier: MIT
-- Thesis 2018, single kernel versus multi kernel: the naive kernel against a launch for each extension.
SELECT place, flags, trials, gain, half AS gain_half, iif(stands_for = 'cgg-logo', gain, NULL) AS size, half AS size_half
FROM scheme_pair
WHERE variant = 'volume_naive' AND choice = '' AND over = 'volume_steps' AND kind <> 'grid'
