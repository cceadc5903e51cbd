-- SPDX-License-Identifier: MIT
-- CMU report: time and idle slots as batches shrink, in steps from each size to the next smaller one that was measured.
WITH wave AS (
    SELECT *, 1 - 1.0 * rays / (1.0 * rounds * width * height) AS idle, lead(batch) OVER (PARTITION BY slice, work ORDER BY batch) AS larger
    FROM cell
    WHERE variant = 'two_stage' AND plain AND tickets = 'atomic' AND batch IN (4, 32, 128, 256)
),
step AS (
    SELECT s.slice, s.label || ', ' || s.device_name || ', batch ' || s.batch || ' against ' || l.batch AS place, s.batch, l.batch AS larger,
           s.flags || '|' || l.flags AS flags, s.trials || ', ' || l.trials AS trials, s.seconds / l.seconds AS slower,
           s.seconds / l.seconds * sqrt(s.relative_ci * s.relative_ci + l.relative_ci * l.relative_ci) AS half, s.idle - l.idle AS drained,
           s.counted || ', ' || l.counted AS counted, l.batch = s.larger AS next
    FROM wave AS s JOIN wave AS l ON l.slice = s.slice AND l.work = s.work AND (l.batch = s.larger OR s.batch = 4 AND l.batch = 256)
)
SELECT 'share of ' || count(*) || ' steps' AS place, '' AS flags, group_concat(trials, ', ') AS trials, avg(slower > 1) AS rising, NULL AS slower,
       NULL AS slower_half, NULL AS drained
FROM step
WHERE next AND slower > 0 AND flags NOT LIKE '%underfilled%'
GROUP BY slice
UNION ALL
SELECT place, flags, trials, NULL, slower, half, NULL FROM step WHERE batch = 4 AND larger = 256
UNION ALL
SELECT place, '', counted, NULL, NULL, NULL, drained FROM step WHERE next
