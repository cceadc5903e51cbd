-- SPDX-License-Identifier: MIT
-- CMU report: three stages against two; where the scene stands for Spaceship; and the rank correlation of that with the share of matte material.
-- Of several scenes that stand for one the report's own decides, or what there is of it.
WITH pair AS (
    SELECT c.*, row_number() OVER (PARTITION BY slice, coalesce(nullif(stands_for, ''), c.label)
                                   ORDER BY c.label LIKE '%(the report''s %' DESC, c.label LIKE '%\_partial (%' ESCAPE '\' DESC) AS nearest, wave3 / wave2 AS ratio, wave3 / wave2 * sqrt(wave3_ci * wave3_ci + wave2_ci * wave2_ci) AS half, 1.0 * w.lambert / w.shaded AS matte
    FROM compared AS c
    LEFT JOIN work_done AS w ON w.trial = c.wave2_counted AND w.shaded > 0
),
placed AS (
    SELECT slice, wave2_trials || ', ' || wave3_trials AS trials,
           rank() OVER (PARTITION BY slice ORDER BY matte) + 0.5 * (count(*) OVER (PARTITION BY slice, matte) - 1) AS x,
           rank() OVER (PARTITION BY slice ORDER BY ratio) + 0.5 * (count(*) OVER (PARTITION BY slice, ratio) - 1) AS y
    FROM pair
    WHERE ratio > 0 AND few = '' AND matte NOTNULL AND wave2_flags || wave3_flags NOT LIKE '%underfilled%'
)
SELECT place, wave3_flags || '|' || wave2_flags AS flags, iif(nearest > 1, 'another scene is nearer to the one that it stands for', few) AS excluded, wave2_trials || coalesce(', ' || wave3_trials, '') AS trials, ratio AS slower,
       half AS slower_half, NULL AS many, NULL AS many_half, NULL AS linked
FROM pair
UNION ALL
SELECT place || ', for Spaceship', wave3_flags || '|' || wave2_flags, few, wave2_trials || coalesce(', ' || wave3_trials, ''), NULL, NULL, ratio, half, NULL
FROM pair
WHERE lower(stands_for) = 'spaceship'
UNION ALL
SELECT 'rank correlation of ' || count(*) || ' scenes', '', iif(count(*) < 4, 'fewer than 4 scenes', ''), group_concat(trials, ', '), NULL, NULL, NULL, NULL,
       (avg(x * y) - avg(x) * avg(y)) / nullif(sqrt(max(0, (avg(x * x) - avg(x) * avg(x)) * (avg(y * y) - avg(y) * avg(y)))), 0)
FROM placed
GROUP BY slice
