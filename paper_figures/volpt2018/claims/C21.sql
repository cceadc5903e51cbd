-- SPDX-License-Identifier: MIT
-- Thesis 2018, image tiling and several kernels: longest launch of an image in 8x8 tiles over that of the whole image; and of several kernels over that
-- of one, by launches of the same specification as the frames. A row that stands for several launches counts with their mean.
WITH each AS (
    SELECT c.setting, c.trial, max(c.seconds / (1 + c.more)) AS seconds FROM clean_launch AS c WHERE c.times AND NOT c.auxiliary GROUP BY c.setting, c.trial, c.attempt, c.repetition
),
longest AS (
    SELECT * FROM (SELECT max(iif(t.replicate = 0, t.spec, NULL)) AS spec, avg(e.seconds) AS seconds, group_concat(DISTINCT e.trial) AS trials,
                          row_number() OVER (PARTITION BY max(iif(t.replicate = 0, t.spec, NULL)) ORDER BY max(t.last_run) DESC, max(t.id) DESC) AS nth
                   FROM each AS e JOIN trial_record AS t ON t.id = e.trial
                   GROUP BY e.setting)
    WHERE nth = 1
)
SELECT p.place || ', ' || p.variant AS place, '' AS flags, replace(a.trials || ',' || b.trials, ',', ', ') AS trials,
       iif(p.tiles = 8, a.seconds / b.seconds, NULL) AS tile,
       iif(p.variant = 'volume_steps', a.seconds / b.seconds, NULL) AS step
FROM scheme_pair AS p
JOIN scheme AS s ON s.setting = p.setting
JOIN scheme AS o ON o.setting = p.over_setting
JOIN longest AS a ON a.spec = s.spec
JOIN longest AS b ON b.spec = o.spec
WHERE p.kind <> 'grid' AND (p.over = p.variant AND p.choice = ', tiles 8' OR p.variant = 'volume_steps' AND p.over = 'volume_naive' AND p.choice = '')
