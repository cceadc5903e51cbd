-- SPDX-License-Identifier: MIT
-- CMU report: three stages against two.
SELECT place, wave3_flags || '|' || wave2_flags AS flags, wave2_trials || coalesce(', ' || wave3_trials, '') AS trials, wave3 / wave2 AS slower,
       wave3 / wave2 * sqrt(wave3_ci * wave3_ci + wave2_ci * wave2_ci) AS slower_half
FROM compared
