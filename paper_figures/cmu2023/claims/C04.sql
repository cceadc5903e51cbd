-- SPDX-License-Identifier: MIT
-- CMU report: two stages whose slots keep their pixels, against one kernel and against a pool, where the iterations that pixels need vary;
-- what of their slots has a ray. A slot lives in round r if its pixel needs more than r, so that the slots that live in each round tell how
-- many pixels need how many. Of a row that stands for several rounds the number of slots falls: `least` and `most` bound the sum of squares.
WITH row AS (
    SELECT u.trial, u.round, u.launches, u.live_lanes, 1.0 * t.width * t.height AS pixels
    FROM round_use AS u JOIN trial_record AS t ON t.id = u.trial
    WHERE u.stage = 'trace' AND u.trial IN (SELECT tied_counted FROM compared)
),
spread AS (
    SELECT trial, sum(live_lanes) / pixels AS mean, sum((2 * round + max(1, live_lanes / pixels)) * live_lanes) / pixels AS least,
           sum((2 * round + launches) * live_lanes) / pixels AS most
    FROM row
    GROUP BY trial
),
varied AS (
    SELECT c.*, sqrt(max(0, s.least - s.mean * s.mean)) / s.mean AS least, sqrt(max(0, s.most - s.mean * s.mean)) / s.mean AS most
    FROM compared AS c LEFT JOIN spread AS s ON s.trial = c.tied_counted
),
counted AS (
    SELECT *, CASE WHEN few <> '' THEN few
                   WHEN least IS NULL THEN 'the iterations of its pixels were not counted'
                   WHEN most < 0.5 THEN printf('the iterations of its pixels vary little: coefficient of variation %.2f', most)
                   WHEN least < 0.5 THEN printf('how much the iterations of its pixels vary is not known: %.2f to %.2f', least, most)
                   ELSE '' END AS excluded
    FROM varied
)
SELECT place, tied_flags || '|' || mega_flags AS flags, excluded, tied_trials || coalesce(', ' || mega_trials, '') AS trials, tied / mega AS slower,
       tied / mega * sqrt(tied_ci * tied_ci + mega_ci * mega_ci) AS slower_half, NULL AS live, NULL AS pool, NULL AS pool_half
FROM counted
UNION ALL
SELECT place, '', few, tied_counted, NULL, NULL, tied_live, NULL, NULL FROM counted
UNION ALL
SELECT place || ', against a pool', tied_flags || '|' || wave2_flags, excluded, wave2_trials || coalesce(', ' || tied_trials, ''), NULL, NULL, NULL,
       tied / wave2, tied / wave2 * sqrt(tied_ci * tied_ci + wave2_ci * wave2_ci)
FROM counted
