-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.7: views that hardly a path leaves, before and after: what one change adds to what is saved in Lambertian 0.7
-- with roulette below 5 % weight: harsher roulette, or the scene's own materials.
WITH closed AS (
    SELECT s.* FROM saved AS s JOIN leaving AS l ON l.work = s.work WHERE l.share < 0.01
),
base AS (
    SELECT * FROM closed WHERE matte AND roulette = 'weight5'
),
changed AS (
    SELECT c.place || iif(c.roulette = 'yocto', ', harsher roulette', ', own materials') AS place, c.saved - b.saved AS added,
           iif(c.fitted, 'fitted', '') AS excluded, c.both_trials || ', ' || b.both_trials AS trials
    FROM base AS b
    JOIN closed AS c ON c.scene = b.scene AND iif(c.first_camera, '', c.camera) = iif(b.first_camera, '', b.camera) AND c.width = b.width AND
                       c.height = b.height AND ((c.materials = b.materials AND c.roulette = 'yocto') OR
                                                (c.materials = 'scene' AND c.roulette = b.roulette))
),
shown AS (
    SELECT 0 AS last, place, added, NULL AS lowering, excluded, trials FROM changed
    UNION ALL
    SELECT 1, 'all of them', NULL, sum(added < -0.01), '', group_concat(trials, ', ') FROM changed WHERE excluded = '' HAVING count(*) > 0
)
SELECT place, added, lowering, excluded, '' AS flags, trials FROM shown ORDER BY last, place
