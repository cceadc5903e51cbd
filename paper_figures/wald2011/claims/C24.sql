-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.7: what is saved on views that hardly a path leaves (closed) and on those that most paths leave (open), and each
-- open view against the most of a closed one.
WITH viewed AS (
    SELECT s.*, l.share FROM saved AS s JOIN leaving AS l ON l.work = s.work WHERE s.matte AND s.roulette = 'weight5'
)
SELECT place || printf(', %.0f %% leave', 100 * share) AS place, iif(share < 0.01, saved, NULL) AS closed, iif(share > 0.5, saved, NULL) AS open,
       iif(share > 0.5, saved - (SELECT max(saved) FROM viewed WHERE share < 0.01 AND NOT fitted), NULL) AS more,
       iif(fitted, 'fitted', '') AS excluded, '' AS flags, both_trials AS trials
FROM viewed
WHERE share NOT BETWEEN 0.01 AND 0.5
ORDER BY share, place
