-- SPDX-License-Identifier: MIT
-- CMU report: two stages whose slots keep their pixels, against one kernel and against a pool; what of their slots has a ray.
SELECT place, tied_flags || '|' || mega_flags AS flags, tied_trials || coalesce(', ' || mega_trials, '') AS trials, tied / mega AS slower,
       tied / mega * sqrt(tied_ci * tied_ci + mega_ci * mega_ci) AS slower_half, NULL AS live, NULL AS pool, NULL AS pool_half
FROM compared
UNION ALL
SELECT place, '', tied_counted, NULL, NULL, tied_live, NULL, NULL FROM compared
UNION ALL
SELECT place || ', against a pool', tied_flags || '|' || wave2_flags, wave2_trials || coalesce(', ' || tied_trials, ''), NULL, NULL, NULL, tied / wave2,
       tied / wave2 * sqrt(tied_ci * tied_ci + wave2_ci * wave2_ci)
FROM compared
