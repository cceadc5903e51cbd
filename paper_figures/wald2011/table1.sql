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
newest AS (                         -- one setting per cell, of a scene that was made in two ways that with more of them
    SELECT p.panel, c.*, row_number() OVER (PARTITION BY p.panel, c.scene, c.variant
                                    ORDER BY c.seconds IS NULL, (SELECT count(k.seconds) FROM cell AS k
                                                                 WHERE k.work = c.work AND k.device_name = c.device_name AND k.schedule = c.schedule) DESC,
                                             c.newest DESC) AS nth
    FROM cell AS c
    JOIN panel AS p USING (device_name, width, height, max_bounces, family, schedule)
),
gained AS (                         -- the change with whole-frame compaction, in percent, on images that fill the device and on others
    SELECT device_name, min(iif(idle, NULL, change)) AS least, max(iif(idle, NULL, change)) AS most,
           min(iif(idle, change, NULL)) AS underfilled_least, max(iif(idle, change, NULL)) AS underfilled_most
    FROM (SELECT device_name, 100 * (speedup - 1) AS change, instr(speedup_flags, 'underfilled') > 0 AS idle, width * height = 1280 * 768 AS own
          FROM newest
          WHERE nth = 1 AND variant = 'whole_frame' AND max_bounces = 8 AND NOT fitted)
    WHERE own OR NOT idle
    GROUP BY device_name
)
SELECT n.panel, n.label AS scene_for,
       iif(n.max_bounces = 8, nullif(stands_for, ''), NULL) AS paper_scene,
       max(iif(variant = 'naive', spp / seconds, NULL)) AS naive,
       max(iif(variant = 'naive', spp / seconds / (1 + relative_ci), NULL)) AS naive_low,
       max(iif(variant = 'naive', spp / seconds * (1 + relative_ci), NULL)) AS naive_high,
       coalesce(max(iif(variant = 'naive', flags, NULL)), 'not_asked') AS naive_flags, max(iif(variant = 'naive', n.trials, NULL)) AS naive_trials,
       max(iif(variant = 'whole_frame', spp / seconds, NULL)) AS whole_frame,
       max(iif(variant = 'whole_frame', spp / seconds / (1 + relative_ci), NULL)) AS whole_frame_low,
       max(iif(variant = 'whole_frame', spp / seconds * (1 + relative_ci), NULL)) AS whole_frame_high,
       coalesce(max(iif(variant = 'whole_frame', flags, NULL)), 'not_asked') AS whole_frame_flags,
       max(iif(variant = 'whole_frame', n.trials, NULL)) AS whole_frame_trials,
       max(iif(variant = 'whole_frame', 100 * (speedup - 1), NULL)) AS whole_frame_change,
       max(iif(variant = 'whole_frame', 100 * (speedup * (1 - speedup_ci) - 1), NULL)) AS whole_frame_change_low,
       max(iif(variant = 'whole_frame', 100 * (speedup * (1 + speedup_ci) - 1), NULL)) AS whole_frame_change_high,
       max(iif(variant = 'whole_frame', speedup * q.naive / q.whole_frame, NULL)) AS whole_frame_change_ratio,
       coalesce(max(iif(variant = 'whole_frame', speedup_flags || iif(fitted, '|fitted', ''), NULL)), 'not_asked') AS whole_frame_change_flags,
       max(iif(variant = 'whole_frame', both_trials, NULL)) AS whole_frame_change_trials,
       max(iif(variant = 'tiled_shared', spp / seconds, NULL)) AS tiled_shared,
       max(iif(variant = 'tiled_shared', spp / seconds / (1 + relative_ci), NULL)) AS tiled_shared_low,
       max(iif(variant = 'tiled_shared', spp / seconds * (1 + relative_ci), NULL)) AS tiled_shared_high,
       coalesce(max(iif(variant = 'tiled_shared', flags, NULL)), 'not_asked') AS tiled_shared_flags,
       max(iif(variant = 'tiled_shared', n.trials, NULL)) AS tiled_shared_trials,
       max(iif(variant = 'tiled_shared', 100 * (speedup - 1), NULL)) AS tiled_shared_change,
       max(iif(variant = 'tiled_shared', 100 * (speedup * (1 - speedup_ci) - 1), NULL)) AS tiled_shared_change_low,
       max(iif(variant = 'tiled_shared', 100 * (speedup * (1 + speedup_ci) - 1), NULL)) AS tiled_shared_change_high,
       max(iif(variant = 'tiled_shared', speedup * q.naive / q.tiled_shared, NULL)) AS tiled_shared_change_ratio,
       coalesce(max(iif(variant = 'tiled_shared', speedup_flags || iif(fitted, '|fitted', ''), NULL)), 'not_asked') AS tiled_shared_change_flags,
       max(iif(variant = 'tiled_shared', both_trials, NULL)) AS tiled_shared_change_trials,
       max(iif(variant = 'tiled_global', 100 * (speedup - 1), NULL)) AS tiled_global_change,
       max(iif(variant = 'tiled_global', 100 * (speedup * (1 - speedup_ci) - 1), NULL)) AS tiled_global_change_low,
       max(iif(variant = 'tiled_global', 100 * (speedup * (1 + speedup_ci) - 1), NULL)) AS tiled_global_change_high,
       coalesce(max(iif(variant = 'tiled_global', speedup_flags || iif(fitted, '|fitted', ''), NULL)), 'not_asked') AS tiled_global_change_flags,
       max(iif(variant = 'tiled_global', both_trials, NULL)) AS tiled_global_change_trials,
       iif(coalesce(g.least, g.underfilled_least) IS NULL, NULL,
           (SELECT printf('In the paper, compacting the active paths of the whole frame after each bounce raises the frame rate by %d to %d %% '
                          || 'over the naive kernel. On the %s, depending on the scene, the frame rate changes by ', min(whole_frame_change),
                          max(whole_frame_change), p.device_name) FROM published_table1) ||
           iif(g.least IS NULL, '', printf('%+.0f to %+.0f %% at resolutions large enough to fill the GPU', g.least, g.most)) ||
           iif(g.least + g.underfilled_least IS NULL, '', ', and by ') ||
           iif(g.underfilled_least IS NULL, '', printf('%+.0f to %+.0f %% at the paper''s own 1280x768, which is too small to fill it',
                                                       g.underfilled_least, g.underfilled_most)) || '.') AS headline,
       p.device, p.device_name, p.width, p.height, n.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM newest AS n
JOIN panel AS p ON p.panel = n.panel
LEFT JOIN gained AS g ON g.device_name = p.device_name
LEFT JOIN published_table1 AS q ON q.scene = n.stands_for AND n.max_bounces = 8
WHERE nth = 1
GROUP BY n.panel, n.scene
ORDER BY n.panel, place_in_paper, n.scene
