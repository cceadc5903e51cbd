-- SPDX-License-Identifier: MIT
-- Wald 2011, section 4.2.7: open and closed scenes, and views from outside and inside: what compaction saves and what it gains.
-- One row per scene and camera, the least saved first.
cell AS (
    SELECT * FROM saving WHERE matte
),
ranked AS (
    SELECT device_name, width, height, max_bounces, family, schedule, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY device_name, width, height
                              ORDER BY count(DISTINCT label) DESC, abs(max_bounces - 8), min(distance), max(newest) DESC) +
               iif(count(*) < min(2, max(count(*)) OVER ()), 1000, 0) AS place -- one row compares nothing
    FROM cell
    GROUP BY device_name, width, height, max_bounces, family, schedule
)
SELECT p.panel, c.view, c.alive, c.utilisation, c.counted_trials AS naive_trials, c.saved, c.both_trials, c.saved_flags,
       100 * (c.speedup - 1) AS change, 100 * (c.speedup * (1 - c.speedup_ci) - 1) AS change_low,
       100 * (c.speedup * (1 + c.speedup_ci) - 1) AS change_high, c.change_flags, c.timed_trials,
       iif(c.saved > 1.05, (c.speedup - 1) / (c.saved - 1), NULL) AS realised,
       iif(c.saved <= 1.05, 'little_saved' || iif(c.fitted, '|fitted', ''), c.change_flags) AS realised_flags, c.timed_trials || ', ' || c.both_trials AS all_trials,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM cell AS c
JOIN panel AS p USING (device_name, width, height, max_bounces, family, schedule)
ORDER BY p.panel, saved IS NULL, saved, c.label
