-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.7: views that hardly a path leaves, before and after: what one change adds to what is saved in Lambertian 0.7
-- with roulette below 5 % weight: harsher roulette, or the scene's own materials.
WITH closed AS (
    SELECT s.* FROM saved AS s JOIN leaving AS l ON l.work = s.work WHERE l.share < 0.01
)
SELECT c.place || iif(c.roulette = 'yocto', ', harsher roulette', ', own materials') AS place, c.saved - b.saved AS added,
       iif(c.fitted, 'fitted', '') AS flags, c.both_trials || ', ' || b.both_trials AS trials
FROM closed AS b
JOIN closed AS c ON c.scene = b.scene AND c.eye = b.eye AND c.width = b.width AND c.height = b.height AND
                    ((c.materials = b.materials AND c.roulette = 'yocto') OR (c.materials = 'scene' AND c.roulette = b.roulette))
WHERE b.matte AND b.roulette = 'weight5'
ORDER BY 1
