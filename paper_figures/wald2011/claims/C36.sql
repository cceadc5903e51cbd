-- SPDX-License-Identifier: MIT
-- Wald 2011, 5: what is saved on every view, in Lambertian 0.7 and in own materials. That none saves so much can only be told of
-- several open scenes.
WITH viewed AS (
    SELECT s.*, (SELECT count(DISTINCT o.scene) FROM saved AS o JOIN leaving AS p ON p.work = o.work
                WHERE p.share > 0.5 AND o.matte AND NOT o.fitted AND o.roulette = 'weight5') < 3 AS few
    FROM saved AS s
    WHERE s.roulette = 'weight5'
)
SELECT place || iif(matte, '', ', own materials') AS place, saved,
       CASE WHEN fitted THEN 'fitted' WHEN few AND saved < 2.7 THEN 'fewer than three open scenes' ELSE '' END AS excluded, '' AS flags, both_trials AS trials
FROM viewed
ORDER BY saved DESC, place
