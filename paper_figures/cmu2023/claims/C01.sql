-- SPDX-License-Identifier: MIT
-- CMU report: two stages against one kernel, scene by scene and as a geometric mean.
SELECT place, mega_flags || '|' || wave2_flags AS flags, wave2_trials || coalesce(', ' || mega_trials, '') AS trials, mega / wave2 AS gain,
       mega / wave2 * sqrt(mega_ci * mega_ci + wave2_ci * wave2_ci) AS gain_half, NULL AS mean
FROM compared
UNION ALL
SELECT 'mean of ' || count(*) || ' scenes', '', group_concat(wave2_trials || ', ' || mega_trials, ', '), NULL, NULL, exp(avg(ln(mega / wave2)))
FROM compared
WHERE mega / wave2 > 0 AND mega_flags || wave2_flags NOT LIKE '%underfilled%'
GROUP BY slice
