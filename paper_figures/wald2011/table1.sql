-- SPDX-License-Identifier: MIT
-- Wald 2011, Table 1: frames per second of each scene, and the change against the naive kernel.
--
-- One panel per device, image size, bounce limit and schedule, one row per scene in its first camera, and of scenes
-- those that stand for one of the paper's table. Unless :all is 1, a
-- size and bounce limit is shown in the schedule with the most cells, nearest to the paper's, and only where it has at least half as
-- many cells as the fullest panel.
cell AS (
    SELECT *
    FROM versus
    WHERE variant IN ('naive', 'whole_frame', 'tiled_shared', 'tiled_global') AND usual AND matte AND coalesce(tile_m, 4) = 4 AND first_camera AND listed
),
configuration AS (
    SELECT device_name, width, height, max_bounces, family, schedule, count(DISTINCT scene || '/' || variant) AS cells,
           max(newest) AS newest, min(distance) AS distance, min(device) AS device, group_concat(trials, ', ') AS trials
    FROM cell
    GROUP BY device_name, width, height, max_bounces, family, schedule
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY device_name, width, height, max_bounces ORDER BY cells DESC, distance, newest DESC) +
               iif(2 * cells < max(cells) OVER (PARTITION BY device_name), 1000, 0) AS place
    FROM configuration
),
newest AS MATERIALIZED (            -- one setting per cell, of a scene that was made in two ways that with more of them
    SELECT *, spp / seconds AS rate, spp / seconds / (1 + relative_ci) AS rate_low, spp / seconds * (1 + relative_ci) AS rate_high,
           100 * (speedup - 1) AS change, 100 * (speedup * (1 - speedup_ci) - 1) AS change_low, 100 * (speedup * (1 + speedup_ci) - 1) AS change_high,
           speedup_flags || iif(fitted, '|fitted', '') AS change_flags
    FROM (SELECT p.panel, c.*, row_number() OVER (PARTITION BY p.panel, c.scene, c.variant
                                     ORDER BY c.seconds IS NULL, (SELECT count(k.seconds) FROM cell AS k
                                                                  WHERE k.work = c.work AND k.device_name = c.device_name AND k.schedule = c.schedule) DESC,
                                              c.newest DESC) AS nth
          FROM cell AS c
          JOIN panel AS p USING (device_name, width, height, max_bounces, family, schedule))
    WHERE nth = 1
),
gained AS (                         -- the change with whole-frame compaction, in percent, on images that fill the device and on others
    SELECT device_name, min(iif(idle, NULL, change)) AS least, max(iif(idle, NULL, change)) AS most,
           min(iif(idle, change, NULL)) AS underfilled_least, max(iif(idle, change, NULL)) AS underfilled_most
    FROM (SELECT device_name, change, instr(speedup_flags, 'underfilled') > 0 AS idle, width * height = 1280 * 768 AS own
          FROM newest
          WHERE variant = 'whole_frame' AND max_bounces = 8 AND NOT fitted)
    WHERE own OR NOT idle
    GROUP BY device_name
)
SELECT l.panel, l.label AS scene_for, iif(l.max_bounces = 8, nullif(l.stands_for, ''), NULL) AS paper_scene,
       n.rate AS naive, n.rate_low AS naive_low, n.rate_high AS naive_high, coalesce(n.flags, 'not_asked') AS naive_flags, n.trials AS naive_trials,
       w.rate AS whole_frame, w.rate_low AS whole_frame_low, w.rate_high AS whole_frame_high, coalesce(w.flags, 'not_asked') AS whole_frame_flags,
       w.trials AS whole_frame_trials, w.change AS whole_frame_change, w.change_low AS whole_frame_change_low,
       w.change_high AS whole_frame_change_high, w.speedup * q.naive / q.whole_frame AS whole_frame_change_ratio,
       coalesce(w.change_flags, 'not_asked') AS whole_frame_change_flags, w.both_trials AS whole_frame_change_trials,
       s.rate AS tiled_shared, s.rate_low AS tiled_shared_low, s.rate_high AS tiled_shared_high, coalesce(s.flags, 'not_asked') AS tiled_shared_flags,
       s.trials AS tiled_shared_trials, s.change AS tiled_shared_change, s.change_low AS tiled_shared_change_low,
       s.change_high AS tiled_shared_change_high, s.speedup * q.naive / q.tiled_shared AS tiled_shared_change_ratio,
       coalesce(s.change_flags, 'not_asked') AS tiled_shared_change_flags, s.both_trials AS tiled_shared_change_trials,
       t.change AS tiled_global_change, t.change_low AS tiled_global_change_low, t.change_high AS tiled_global_change_high,
       coalesce(t.change_flags, 'not_asked') AS tiled_global_change_flags, t.both_trials AS tiled_global_change_trials,
       iif(coalesce(g.least, g.underfilled_least) IS NULL, NULL,
           (SELECT printf('In the paper, compacting the active paths of the whole frame after each bounce raises the frame rate by %d to %d %% '
                          || 'over the naive kernel. On the %s the frame rate changes by ', min(whole_frame_change),
                          max(whole_frame_change), p.device_name) FROM published_table1) ||
           iif(g.least IS NULL, '', printf('%+.0f to %+.0f %% at resolutions large enough to fill the GPU', g.least, g.most)) ||
           iif(g.least + g.underfilled_least IS NULL, '', ', and by ') ||
           iif(g.underfilled_least IS NULL, '', printf('%+.0f to %+.0f %% at the paper''s own resolution of 1280x768, which is too small to fill it',
                                                       g.underfilled_least, g.underfilled_most)) || ', depending on the scene.') AS headline,
       p.device, p.device_name, p.width, p.height, l.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM (SELECT panel, scene, label, stands_for, max_bounces, place_in_paper FROM newest GROUP BY panel, scene) AS l
JOIN panel AS p ON p.panel = l.panel
LEFT JOIN newest AS n ON n.panel = l.panel AND n.scene = l.scene AND n.variant = 'naive'
LEFT JOIN newest AS w ON w.panel = l.panel AND w.scene = l.scene AND w.variant = 'whole_frame'
LEFT JOIN newest AS s ON s.panel = l.panel AND s.scene = l.scene AND s.variant = 'tiled_shared'
LEFT JOIN newest AS t ON t.panel = l.panel AND t.scene = l.scene AND t.variant = 'tiled_global'
LEFT JOIN gained AS g ON g.device_name = p.device_name
LEFT JOIN published_table1 AS q ON q.scene = l.stands_for AND l.max_bounces = 8
ORDER BY l.panel, l.place_in_paper, l.scene
