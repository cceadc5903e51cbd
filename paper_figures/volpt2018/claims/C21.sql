-- SPDX-License-Identifier: MIT
-- Thesis 2018, image tiling and several kernels: longest launch of an image in 8x8 tiles over that of the whole image; and of several kernels over that
-- of one. A row that stands for several launches counts with their mean.
WITH longest AS (
    SELECT setting, avg(seconds) AS seconds, group_concat(DISTINCT trial) AS trials
    FROM (SELECT setting, trial, max(seconds / (1 + more)) AS seconds FROM clean_launch WHERE times AND NOT auxiliary GROUP BY setting, trial, attempt, repetition)
    GROUP BY setting
)
SELECT p.place || ', ' || p.variant AS place, '' AS flags, replace(a.trials || ',' || b.trials, ',', ', ') AS trials,
       iif(p.tiles = 8, a.seconds / b.seconds, NULL) AS tile,
       iif(p.variant = 'volume_steps', a.seconds / b.seconds, NULL) AS step
FROM scheme_pair AS p
JOIN longest AS a ON a.setting = p.setting
JOIN longest AS b ON b.setting = p.over_setting
WHERE p.kind <> 'grid' AND (p.over = p.variant AND p.choice = ', tiles 8' OR p.variant = 'volume_steps' AND p.over = 'volume_naive' AND p.choice = '')
