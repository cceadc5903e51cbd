-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.3: overhead of whole_frame_off over naive at each bounce limit; and between which values it varies with the limit, of
-- those that fill the device, where any do.
WITH cell AS (
    SELECT *, 100 * (1 / ratio - 1) AS overhead, 100 * half / pow(ratio, 2) AS error, min(instr(both_words, 'underfilled') > 0) OVER same AS idle
    FROM pair WHERE variant = 'whole_frame_off' AND other = 'naive' AND unthrottled AND max_bounces BETWEEN 1 AND 8 AND stands_for = 'fairy'
    WINDOW same AS (PARTITION BY scene, device_name, width, height)
)
SELECT printf('%s, limit %d', place, max_bounces) AS place, both_words AS flags, pair_trials AS trials, overhead, error AS overhead_half, NULL AS span, NULL AS span_half,
       0 AS part, width * height AS size
FROM cell
UNION ALL
SELECT printf('%s, %dx%d, limits %s, %s', label, width, height, group_concat(max_bounces, ', '), device_name), group_concat(both_words, '|'), group_concat(pair_trials, ', '),
       NULL, NULL, max(overhead) - min(overhead), sqrt(2) * max(error), 1, width * height
FROM (SELECT * FROM cell WHERE (instr(both_words, 'underfilled') > 0) = idle ORDER BY max_bounces)
GROUP BY scene, device_name, width, height
HAVING count(overhead) > 1
ORDER BY part, size, place
