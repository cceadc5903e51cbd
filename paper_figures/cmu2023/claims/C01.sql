-- SPDX-License-Identifier: MIT
-- CMU report: two stages against one kernel, scene by scene and as a geometric mean; and two stages over the wide tree against one kernel over the
-- binary one.
SELECT place, mega_flags || '|' || wave2_flags AS flags, few AS excluded, wave2_trials || coalesce(', ' || mega_trials, '') AS trials, mega / wave2 AS gain,
       mega / wave2 * sqrt(mega_ci * mega_ci + wave2_ci * wave2_ci) AS gain_half, NULL AS wide, NULL AS wide_half, NULL AS mean
FROM compared
UNION ALL
SELECT w.label || ', wide tree, ' || w.device_name || ', ' || w.width || 'x' || w.height || ', ' || w.spp || ' samples', m.flags || '|' || w.flags, '', w.trials || ', ' || m.trials, NULL, NULL,
       m.seconds / w.seconds, m.seconds / w.seconds * sqrt(m.relative_ci * m.relative_ci + w.relative_ci * w.relative_ci), NULL
FROM in_tree AS w
JOIN in_tree AS m ON m.slice = w.slice AND m.work = w.work AND m.variant = 'naive' AND m.form = ''
WHERE w.variant = 'two_stage' AND w.form = 'wide'
UNION ALL
SELECT 'mean of ' || count(*) || ' scenes', '', '', group_concat(wave2_trials || ', ' || mega_trials, ', '), NULL, NULL, NULL, NULL, exp(avg(ln(mega / wave2)))
FROM compared
WHERE mega / wave2 > 0 AND mega_flags || wave2_flags NOT LIKE '%underfilled%' AND few = ''
GROUP BY slice
