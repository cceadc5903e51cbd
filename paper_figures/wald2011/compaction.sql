-- SPDX-License-Identifier: MIT
-- Wald 2011, section 4.2.2: share of a frame that compaction takes, whole-frame compaction.
cell AS (
    SELECT s.*, row_number() OVER (PARTITION BY s.work, s.device_name, s.schedule, s.options ORDER BY f.times IS NOT 1, s.newest DESC) AS nth, f.times, f.replicates, f.path_seconds, f.auxiliary_seconds, f.gap_seconds, f.parts_seconds, f.auxiliary_share,
           f.gap_share, f.compaction_share,
           CASE WHEN f.setting IS NULL THEN w.reason WHEN NOT f.times THEN 'untimed'
                ELSE iif(f.replicates < 5, 'few_replicates|', '') || iif(x.underfilled, 'underfilled', '') END AS flags
    FROM setup AS s
    JOIN state AS w ON w.setting = s.setting AND w.collection = 'launches' AND NOT w.outdated
    LEFT JOIN frame_parts AS f ON f.setting = s.setting
    LEFT JOIN frame_waves AS x ON x.setting = s.setting
    WHERE s.variant = 'whole_frame' AND s.nearly_plain AND s.unthrottled AND s.dummy_flops = 0 AND s.traversal = 'while_while' AND s.matte AND
          s.first_camera
),
ranked AS (
    SELECT device_name, width, height, max_bounces, family, schedule, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY device_name, width, height
                              ORDER BY count(DISTINCT scene) DESC, abs(max_bounces - 8), min(distance), max(newest) DESC) +
               iif(count(*) < min(2, max(count(*)) OVER ()), 1000, 0) AS place -- one row compares nothing
    FROM cell WHERE nth = 1
    GROUP BY device_name, width, height, max_bounces, family, schedule
)
SELECT p.panel, c.label || c.options AS label, iif(c.times, 1000 * c.parts_seconds, NULL) AS frame, iif(c.times, 1000 * c.path_seconds, NULL) AS path_time,
       iif(c.times, 1000 * c.auxiliary_seconds, NULL) AS compaction_time, iif(c.times, 1000 * c.gap_seconds, NULL) AS gap_time,
       iif(c.times, c.auxiliary_share, NULL) AS compaction_share, iif(c.times, c.compaction_share, NULL) AS compaction_and_gaps,
       c.flags, c.trials AS row_trials, p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule,
       p.trials, p.left_out
FROM cell AS c
JOIN panel AS p USING (device_name, width, height, max_bounces, family, schedule)
WHERE c.nth = 1
ORDER BY p.panel, c.place_in_paper, c.scene, c.options
