-- SPDX-License-Identifier: MIT
-- CMU report: slots with a ray where extend begins, over the whole run; and slots without one for another reason than that their path ended at a
-- material for want of a valid direction: with two stages all of them, because logic gives a slot its next path at once. Of each scene the frame with
-- most samples.
WITH wave AS (
    SELECT place || ', 2 stages' AS place, wave2_counted AS trial, wave2_live AS live, 0 AS three, label, spp FROM compared
    UNION ALL
    SELECT place || ', 3 stages', wave3_counted, wave3_live, 1, label, spp FROM compared WHERE wave3_counted IS NOT NULL
)
SELECT w.place, '' AS flags, '' AS excluded, w.trial AS trials, w.live,
       1 - w.live - coalesce((SELECT 1.0 * sum(b.deaths_absorb)
                              FROM result AS n
                              JOIN launch AS l ON l.attempt = n.attempt AND l.repetition = 0 AND l.stage = 'material'
                              JOIN bounce_counts AS b ON b.attempt = n.attempt AND b.launch = l.number AND b.bounce >= 0
                              WHERE n.trial = w.trial AND n.collection = 'counts'), 0) /
                    ((SELECT sum(launches) FROM round_use WHERE trial = w.trial AND stage = 'trace') * 1.0 * t.width * t.height) AS other
FROM (SELECT *, rank() OVER (PARTITION BY label, three ORDER BY spp DESC) AS nth FROM wave) AS w
JOIN trial_record AS t ON t.id = w.trial
WHERE w.nth = 1
