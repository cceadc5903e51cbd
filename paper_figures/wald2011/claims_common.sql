-- SPDX-License-Identifier: MIT
-- After common.sql: what claims share with each other and with the tables of section 4.2.7.

-- timed settings as in the paper but for one choice: dummy work, traversal, light search, or block and registers
CREATE TEMP VIEW usual_case AS
SELECT * FROM (
    SELECT v.*, v.label || printf(', %dx%d, %s', v.width, v.height, v.device_name) AS place, iif(v.fitted, 'fitted|', '') || v.flags AS words,
           iif(v.fitted, 'fitted|', '') || v.speedup_flags AS speedup_words,
           row_number() OVER (PARTITION BY work, device_name, schedule, variant, tile_m, traversal, dummy_flops ORDER BY seconds IS NULL, newest DESC) AS nth
    FROM versus AS v
    WHERE plain AND unthrottled AND materials = 'lambert07' AND lighting = 'direct' AND first_camera AND max_bounces = 8 AND
          lane_map = 'linear' AND pixel_order = 'tile')
WHERE nth = 1;

-- whole_frame on every view and set of materials: what it saves against naive, and, where that was timed, what it gains
CREATE TEMP VIEW saving AS
SELECT c.*, c.label || iif(c.first_camera AND c.main_camera NOT IN ('', 'main'), ', ' || c.main_camera, '') AS view,
       iif(c.first_camera, c.main_camera, c.camera) AS eye,
       1.0 * n.last_paths / n.first_paths AS alive, 1.0 * n.paths / (n.warp_width * n.warps) AS utilisation,
       n.trials AS counted_trials, 1.0 * n.warps / o.warps AS saved, coalesce(o.trial, c.trials) || coalesce(', ' || n.trials, '') AS both_trials,
       iif(n.warps IS NULL OR o.warps IS NULL, 'not_asked|', '') || iif(c.fitted, 'fitted', '') AS saved_flags,
       coalesce(c.speedup_flags, 'not_asked') || iif(c.fitted, '|fitted', '') AS change_flags
FROM (SELECT s.*, v.seconds, v.speedup, v.speedup_ci, v.speedup_flags, coalesce(v.both_trials, s.trials) AS timed_trials,
             row_number() OVER (PARTITION BY s.scene, iif(s.first_camera, '', s.camera), s.materials, s.width, s.height, s.max_bounces, s.family, s.schedule,
                                             s.device_name ORDER BY v.seconds IS NULL, s.newest DESC) AS nth
      FROM setup AS s
      LEFT JOIN versus AS v ON v.setting = s.setting
      WHERE s.variant = 'whole_frame' AND s.usual AND s.lighting = 'direct' AND s.light_search = 'alias') AS c
LEFT JOIN totals AS o ON o.spec = c.spec AND o.nth = 1
LEFT JOIN counted_naive AS n ON n.work = c.work AND n.device_name = c.device_name AND n.schedule = c.schedule AND n.place = 1
WHERE c.nth = 1;

-- what is saved in 8 bounces, once for each view, set of materials, roulette and image size, on whatever device it was
-- counted: in the schedule that is nearest to the paper's
CREATE TEMP VIEW saved AS
SELECT *
FROM (SELECT s.*, t.roulette, s.view || printf(', %dx%d', s.width, s.height) AS place,
             row_number() OVER (PARTITION BY s.scene, s.eye, s.materials, t.roulette, s.width, s.height
                                ORDER BY s.distance, s.device_kind <> 'gpu', s.newest DESC) AS pick
      FROM saving AS s
      JOIN trial_record AS t ON t.id = s.trial
      WHERE s.saved IS NOT NULL AND s.max_bounces = 8)
WHERE pick = 1;

-- of the views of `saved`: the share of the paths that leave the scene, and of those of bounce 1 that are left at bounce 2 and at the last
CREATE TEMP VIEW leaving AS
SELECT s.work, 1.0 * sum(b.deaths_miss) / s.first_paths AS share,
       1.0 * sum(iif(b.bounce = 2, b.active_paths, 0)) / sum(iif(b.bounce = 1, b.active_paths, 0)) AS second,
       1.0 * s.last_paths / sum(iif(b.bounce = 1, b.active_paths, 0)) AS lasting
FROM (SELECT DISTINCT s.work, o.trial, o.first_paths, o.last_paths FROM saved AS s JOIN totals AS o ON o.spec = s.spec AND o.nth = 1 GROUP BY s.work) AS s
CROSS JOIN result AS a ON a.trial = s.trial AND a.collection = 'counts'
CROSS JOIN bounce_counts AS b ON b.attempt = a.attempt AND b.bounce >= 0
GROUP BY s.work;
