-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.7: a scene in its own materials, mirrors and glass among them, against the same in Lambertian 0.7: utilisation of
-- naive, and what is saved.
SELECT o.place, 100 * (o.utilisation - m.utilisation) AS fuller, m.saved - o.saved AS less,
       iif(m.saved < 1.05, 'nothing to save in Lambertian 0.7', '') AS excluded, iif(o.fitted, 'fitted', '') AS flags, o.both_trials || ', ' || m.both_trials AS trials
FROM saved AS o
JOIN saved AS m ON m.scene = o.scene AND m.eye = o.eye AND m.width = o.width AND m.height = o.height AND m.roulette = o.roulette AND m.materials = 'lambert07'
WHERE o.materials = 'scene' AND o.roulette = 'weight5'
ORDER BY o.place_in_paper, o.place
