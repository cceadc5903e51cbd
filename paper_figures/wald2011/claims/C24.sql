-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.7: views that hardly a path leaves (closed) beside those that most paths leave (open): the share of the paths that leave, in
-- terms of the least of an open view; the paths of bounce 1 that go on to bounce 8; and what is saved on each.
WITH viewed AS (
    SELECT s.*, l.share, l.lasting FROM saved AS s JOIN leaving AS l ON l.work = s.work WHERE s.matte AND s.roulette = 'weight5'
)
SELECT place || printf(', %.0f %% leave', 100 * share) AS place, iif(fitted, 'fitted', '') AS flags, both_trials AS trials,
       iif(share < 0.01, 100 * share / (SELECT min(share) FROM viewed WHERE share > 0.5 AND NOT fitted), NULL) AS escapes,
       iif(share < 0.01, 100 * lasting, NULL) AS lasting, iif(share < 0.01, saved, NULL) AS closed, iif(share > 0.5, saved, NULL) AS open,
       iif(share > 0.5, saved - (SELECT max(saved) FROM viewed WHERE share < 0.01 AND NOT fitted), NULL) AS more
FROM viewed
WHERE share NOT BETWEEN 0.01 AND 0.5
ORDER BY share, place
