-- SPDX-License-Identifier: MIT
-- Thesis 2018, persistent thread: extensions of a warp after which all of its paths go on or all have ended, on volumes of constant density and by how
-- much more than on uneven ones; and the same difference of lanes at work in steps of tracking.
WITH each AS (
    SELECT s.*, k.uniform, e.lanes AS tracking, coalesce(s.counted, e.trial) AS source
    FROM scheme AS s
    LEFT JOIN scheme_counts AS k ON k.trial = s.counted
    LEFT JOIN tracking AS e ON e.setting = s.setting
    WHERE s.variant IN ('volume_naive', 'regenerate_thread') AND s.choice = '' AND s.kind <> 'grid'
)
SELECT place || ', ' || variant AS place, thin AS flags, source AS trials, uniform, NULL AS less, NULL AS tracking FROM each WHERE kind = 'constant'
UNION ALL
SELECT printf('%s against %s, %s, %dx%d, %s', a.label, b.label, a.variant, a.width, a.height, a.device_name), max(a.thin, b.thin),
       a.source || ', ' || b.source, NULL, a.uniform - b.uniform,
       iif(a.variant = 'regenerate_thread', a.tracking - b.tracking, NULL)
FROM each AS a
JOIN each AS b ON b.variant = a.variant AND b.device_name = a.device_name AND b.width = a.width AND b.height = a.height AND b.family = a.family AND
                    b.max_bounces IS a.max_bounces AND b.kind = 'uneven'
WHERE a.kind = 'constant'
