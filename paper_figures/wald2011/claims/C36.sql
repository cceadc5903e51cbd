-- SPDX-License-Identifier: MIT
-- Wald 2011, 5: what is saved on every view that most paths leave, in Lambertian 0.7 and in own materials; and the most that Table 2 prints.
-- That none saves as much can only be told of several open scenes.
WITH viewed AS (
    SELECT s.* FROM saved AS s JOIN leaving AS l ON l.work = s.work WHERE s.roulette = 'weight5' AND l.share > 0.5
)
SELECT place || iif(matte, '', ', own materials') AS place, iif(fitted, 'fitted', '') AS flags, both_trials AS trials, saved, NULL AS printed,
       iif(saved < 2.95 AND (SELECT count(DISTINCT scene) FROM viewed WHERE matte AND NOT fitted) < 3, 'fewer than three open scenes', '') AS excluded
FROM viewed
UNION ALL
SELECT 'Table 2', '', '', NULL, max(saved), '' FROM published_table2
ORDER BY saved DESC, place
