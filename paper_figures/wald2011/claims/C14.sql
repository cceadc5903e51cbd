-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.3: overhead of whole_frame_off over naive: the least and the most of all bounce limits, and the span between them.
-- Of those limits that fill the device, where any do.
WITH cell AS (
    SELECT *, 100 * (1 / speedup - 1) AS overhead, 100 * speedup_ci / speedup AS error, instr(excluded, 'underfilled') > 0 AS idle,
           min(instr(excluded, 'underfilled') > 0) OVER (PARTITION BY scene, device_name, width, height) AS all_idle
    FROM timed_case WHERE variant = 'whole_frame_off' AND unthrottled
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY scene, device_name, width, height ORDER BY overhead IS NULL, overhead) AS up,
           row_number() OVER (PARTITION BY scene, device_name, width, height ORDER BY overhead DESC) AS down,
           count(*) OVER same AS limits, group_concat(max_bounces, ', ') OVER same AS limits_run, group_concat(both_trials, ', ') OVER same AS all_trials
    FROM cell WHERE idle = all_idle
    WINDOW same AS (PARTITION BY scene, device_name, width, height ORDER BY max_bounces ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
)
SELECT printf('%s, %dx%d, limits %s, %s', l.label, l.width, l.height, l.limits_run, l.device_name) AS place, l.excluded,
       iif(l.overhead IS NULL, l.weak, trim(iif(instr(l.weak, m.weak), l.weak, l.weak || '|' || m.weak), '|')) AS flags, l.all_trials AS trials,
       l.overhead AS least, l.overhead - l.error AS least_low, l.overhead + l.error AS least_high,
       m.overhead AS most, m.overhead - m.error AS most_low, m.overhead + m.error AS most_high,
       m.overhead - l.overhead AS span, max(m.overhead - l.overhead - sqrt(m.error * m.error + l.error * l.error), 0) AS span_low,
       m.overhead - l.overhead + sqrt(m.error * m.error + l.error * l.error) AS span_high
FROM ranked AS l
JOIN ranked AS m ON m.scene = l.scene AND m.device_name = l.device_name AND m.width = l.width AND m.height = l.height AND m.down = 1
WHERE l.up = 1 AND l.limits > 1
ORDER BY l.width * l.height, place
