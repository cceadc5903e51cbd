-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.3: overhead of whole_frame_off over naive, by bounce limit; and how far it spans over the limits that decide.
WITH cell AS (
    SELECT *, 1 / speedup - 1 AS overhead, speedup_ci / speedup AS error, count(*) OVER (PARTITION BY scene, device_name, width, height) AS limits
    FROM timed_case WHERE variant = 'whole_frame_off' AND unthrottled
),
most AS (
    SELECT *, row_number() OVER (PARTITION BY scene, device_name, width, height, idle ORDER BY overhead DESC) AS down,
           row_number() OVER (PARTITION BY scene, device_name, width, height, idle ORDER BY overhead) AS up
    FROM (SELECT *, instr(excluded, 'underfilled') > 0 AS idle FROM cell WHERE speedup IS NOT NULL)
)
SELECT printf('%s, %dx%d, limit %d, %s', label, width, height, max_bounces, device_name) AS place, excluded, weak AS flags, both_trials AS trials,
       100 * overhead AS overhead, 100 * (overhead - error) AS overhead_low, 100 * (overhead + error) AS overhead_high, NULL AS span,
       NULL AS span_low, NULL AS span_high, 0 AS half, width * height AS size, max_bounces
FROM cell
WHERE limits > 1
UNION ALL
SELECT printf('%s, %dx%d, limits %d to %d, %s', d.label, d.width, d.height, min(d.max_bounces, u.max_bounces), max(d.max_bounces, u.max_bounces),
              d.device_name),
       d.excluded, trim(d.weak || '|' || u.weak, '|'), d.both_trials || ', ' || u.both_trials, NULL, NULL, NULL, 100 * (d.overhead - u.overhead),
       100 * max(d.overhead - u.overhead - sqrt(d.error * d.error + u.error * u.error), 0),
       100 * (d.overhead - u.overhead + sqrt(d.error * d.error + u.error * u.error)), 1, d.width * d.height, 0
FROM most AS d
JOIN most AS u ON u.scene = d.scene AND u.device_name = d.device_name AND u.width = d.width AND u.height = d.height AND u.idle = d.idle AND u.up = 1
WHERE d.down = 1 AND d.max_bounces <> u.max_bounces
ORDER BY half, size, 1
