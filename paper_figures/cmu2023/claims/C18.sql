-- SPDX-License-Identifier: MIT
-- CMU report: time of extend over that of the stage that takes longest of the others; lanes that execute in it, and of all instructions those of
-- extend over the stage with the fewest.
WITH wave AS (
    SELECT label || ', ' || device_name || ', ' || width || 'x' || height || ', ' || spp || ' samples' || iif(variant = 'three_stage', ', 3 stages', ', 2 stages') ||
               iif(batch < spp, ', batch ' || batch, '') AS place, setting
    FROM cell
    WHERE variant IN ('two_stage', 'three_stage') AND plain AND tickets = 'atomic'
),
timed AS (
    SELECT w.place, coalesce((SELECT iif(f.underfilled, 'underfilled', '') FROM frame_waves AS f WHERE f.setting = w.setting), '') AS flags, s.trials, s.seconds, s.half, o.seconds AS other, o.half AS other_half,
           row_number() OVER (PARTITION BY w.setting ORDER BY o.seconds DESC) AS nth
    FROM wave AS w
    JOIN stage_time AS s ON s.setting = w.setting AND s.stage = 'trace'
    JOIN stage_time AS o ON o.setting = w.setting AND o.stage NOT IN ('trace', 'gaps')
)
SELECT place, flags, trials, seconds / other AS longer, seconds / other * sqrt((half / seconds) * (half / seconds) + (other_half / other) * (other_half / other)) AS longer_half,
       NULL AS lanes, NULL AS lowest
FROM timed
WHERE nth = 1
UNION ALL
SELECT w.place || ', ' || t.source, '', t.trial, NULL, NULL, t.lanes, NULL
FROM wave AS w
JOIN (SELECT *, row_number() OVER (PARTITION BY setting ORDER BY rank) AS nth FROM traversing) AS t ON t.setting = w.setting AND t.nth = 1
UNION ALL
SELECT w.place || ', all instructions', '', e.trial, NULL, NULL, NULL, 1.0 * e.executing / e.lanes / min(1.0 * o.executing / o.lanes)
FROM wave AS w
JOIN executed AS e ON e.setting = w.setting AND e.stage = 'trace'
JOIN executed AS o ON o.setting = w.setting AND o.trial = e.trial AND o.stage IN ('logic', 'material')
GROUP BY w.setting, e.trial
