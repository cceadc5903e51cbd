-- SPDX-License-Identifier: MIT
-- Wald 2011, section 4.2.1 goes no further than lanes alive in a warp. Here per bounce, of the lanes of active warps: alive at the entry
-- of the extension, and at work inside the traversal (both kinds of rays), by the lockstep model and by the hardware's counts.
--
-- One panel per configuration and device; unless :all is 1, that of each scene, camera and image size which is nearest to the paper's,
-- on devices with hardware counts where there are any. Variants of a panel run the same paths on the same map; the last row is all bounces.
counted AS MATERIALIZED (      -- newest counts of a setting's work: the warps are the same on every device of that width
    SELECT *, max(has_model) OVER (PARTITION BY work, schedule, lanes_of_warp) AS work_has_model
    FROM (SELECT s.work, s.schedule, s.variant, s.device_name, s.device, s.scene, s.camera, s.width, s.height, s.max_bounces, s.family,
                 s.matte, s.loop, s.distance, s.newest, a.id AS attempt, a.warp_width AS lanes_of_warp,
                 EXISTS (SELECT 1 FROM lockstep AS l WHERE l.attempt = a.id) AS has_model,
                 row_number() OVER (PARTITION BY s.work, s.schedule, s.variant, s.device_name, a.warp_width ORDER BY a.id DESC) AS nth
          FROM setup AS s
          JOIN trial_record AS t ON t.setting = s.setting
          JOIN attempt AS a ON a.trial = t.id AND a.collection = 'counts' AND a.status = 'done' AND NOT a.superseded
          WHERE s.variant IN ('naive', 'whole_frame', 'whole_frame_off') AND s.usual AND (:run = '' OR t.id IN (SELECT trial FROM asked)))
),
marked AS MATERIALIZED (            -- newest hardware counts at the marked places
    SELECT s.work, s.schedule, s.variant, s.device_name, a.id AS attempt, a.trial, a.warp_width AS lanes_of_warp,
           row_number() OVER (PARTITION BY s.work, s.schedule, s.variant, s.device_name, a.warp_width ORDER BY a.id DESC) AS nth
    FROM setup AS s
    JOIN trial_record AS t ON t.setting = s.setting
    JOIN attempt AS a ON a.trial = t.id AND a.collection = 'counters' AND a.status = 'done' AND NOT a.superseded
    WHERE EXISTS (SELECT 1 FROM site_count AS c WHERE c.attempt = a.id AND c.site IN (1, 2)) AND
          s.variant IN ('naive', 'whole_frame', 'whole_frame_off') AND s.usual AND (:run = '' OR t.id IN (SELECT trial FROM asked))
),
configuration AS (
    SELECT c.work, c.schedule, c.device_name, c.lanes_of_warp, min(c.device) AS device, c.scene, c.camera, c.width, c.height, c.max_bounces, c.family,
           max(c.matte) AS matte, min(c.distance) AS distance, max(c.newest) AS newest,
           EXISTS (SELECT 1 FROM marked AS m WHERE m.work = c.work AND m.schedule = c.schedule AND m.device_name = c.device_name) AS has_hardware,
           max(c.work_has_model) AS has_model
    FROM counted AS c
    WHERE c.nth = 1
    GROUP BY c.work, c.schedule, c.device_name, c.lanes_of_warp
    HAVING has_hardware OR has_model
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY scene, camera, device_name, width, height
                                 ORDER BY NOT has_hardware, abs(max_bounces - 8), NOT matte, abs(lanes_of_warp - 32), distance, newest DESC) +
               iif(NOT has_hardware AND max(has_hardware) OVER (PARTITION BY scene, camera, width, height), 1000, 0) AS place
    FROM configuration
),
step(panel, bounce, last) AS (      -- one beyond the limit: all bounces together
    SELECT panel, 0, max_bounces FROM panel
    UNION ALL
    SELECT panel, bounce + 1, last FROM step WHERE bounce <= last
),
entry AS MATERIALIZED (             -- lanes alive
    SELECT p.panel, c.variant, iif(g.value, p.max_bounces + 1, b.bounce) AS bounce, group_concat(DISTINCT a.trial) AS trials,
           1.0 * sum(b.active_paths) / nullif(p.lanes_of_warp * sum(b.active_warps), 0) AS alive
    FROM panel AS p
    JOIN counted AS c ON c.work = p.work AND c.schedule = p.schedule AND c.device_name = p.device_name AND c.lanes_of_warp = p.lanes_of_warp AND c.nth = 1
    JOIN attempt AS a ON a.id = c.attempt
    JOIN bounce_counts AS b ON b.attempt = c.attempt AND b.bounce >= 0
    CROSS JOIN json_each('[0, 1]') AS g
    GROUP BY p.panel, c.variant, iif(g.value, p.max_bounces + 1, b.bounce)
),
chosen_model AS (                   -- of any device that has the model
    SELECT p.panel, c.variant, max(c.attempt) AS attempt
    FROM panel AS p
    JOIN counted AS c ON c.work = p.work AND c.schedule = p.schedule AND c.lanes_of_warp = p.lanes_of_warp AND c.has_model
    WHERE c.loop = 'reconverged'
    GROUP BY p.panel, c.variant
),
modelled AS MATERIALIZED (
    SELECT p.panel, m.variant, iif(g.value, p.max_bounces + 1, l.bounce) AS bounce, max(a.trial) AS trial,
           (i.weight * sum(l.inner_live) + t.weight * sum(l.triangle_live)) /
               nullif(p.lanes_of_warp * (i.weight * sum(l.inner_steps) + t.weight * sum(l.triangle_steps)), 0) AS lanes
    FROM panel AS p
    JOIN chosen_model AS m ON m.panel = p.panel
    JOIN attempt AS a ON a.id = m.attempt
    JOIN lockstep AS l ON l.attempt = m.attempt AND l.bounce >= 0
    JOIN step_weight AS i ON i.step = 'inner'
    JOIN step_weight AS t ON t.step = 'triangle'
    CROSS JOIN json_each('[0, 1]') AS g
    GROUP BY p.panel, m.variant, iif(g.value, p.max_bounces + 1, l.bounce)
),
hardware AS MATERIALIZED (          -- a launch of mixed bounces has no row but the last
    SELECT p.panel, m.variant, iif(g.value, p.max_bounces + 1, l.bounce) AS bounce, max(m.trial) AS trial,
           sum(w.weight * c.thread_instructions) / nullif(p.lanes_of_warp * sum(w.weight * c.instructions), 0) AS lanes
    FROM panel AS p
    JOIN marked AS m ON m.work = p.work AND m.schedule = p.schedule AND m.device_name = p.device_name AND m.lanes_of_warp = p.lanes_of_warp AND m.nth = 1
    JOIN launch AS l ON l.attempt = m.attempt AND l.repetition = 0 AND NOT l.auxiliary
    JOIN site_count AS c ON c.attempt = m.attempt AND c.launch = l.number
    JOIN step_weight AS w ON w.step = CASE c.site WHEN 1 THEN 'inner' WHEN 2 THEN 'triangle' END
    CROSS JOIN json_each('[0, 1]') AS g
    GROUP BY p.panel, m.variant, iif(g.value, p.max_bounces + 1, l.bounce)
),
line AS (
    SELECT s.panel, s.bounce, s.last,
           max(iif(e.variant = 'naive', e.alive, NULL)) AS naive_alive, max(iif(e.variant = 'whole_frame', e.alive, NULL)) AS on_alive,
           max(iif(e.variant = 'naive', e.trials, NULL)) AS naive_trials, max(iif(e.variant = 'whole_frame', e.trials, NULL)) AS on_trials
    FROM step AS s
    LEFT JOIN entry AS e ON e.panel = s.panel AND e.bounce = s.bounce
    GROUP BY s.panel, s.bounce
),
wide AS (
    SELECT l.*, n.lanes AS naive_model, n.trial AS naive_model_trial, f.lanes AS off_model, f.trial AS off_model_trial, o.lanes AS on_model,
           o.trial AS on_model_trial, x.lanes AS naive_hardware, x.trial AS naive_hardware_trial, y.lanes AS off_hardware,
           y.trial AS off_hardware_trial, z.lanes AS on_hardware, z.trial AS on_hardware_trial
    FROM line AS l
    LEFT JOIN modelled AS n ON n.panel = l.panel AND n.bounce = l.bounce AND n.variant = 'naive'
    LEFT JOIN modelled AS f ON f.panel = l.panel AND f.bounce = l.bounce AND f.variant = 'whole_frame_off'
    LEFT JOIN modelled AS o ON o.panel = l.panel AND o.bounce = l.bounce AND o.variant = 'whole_frame'
    LEFT JOIN hardware AS x ON x.panel = l.panel AND x.bounce = l.bounce AND x.variant = 'naive'
    LEFT JOIN hardware AS y ON y.panel = l.panel AND y.bounce = l.bounce AND y.variant = 'whole_frame_off'
    LEFT JOIN hardware AS z ON z.panel = l.panel AND z.bounce = l.bounce AND z.variant = 'whole_frame'
)
SELECT w.panel, iif(w.bounce > w.last, 'all', w.bounce) AS place, iif(w.bounce > w.last, NULL, w.bounce) AS bounce,
       naive_alive, replace(naive_trials, ',', ', ') AS naive_trials, naive_model, iif(naive_model IS NULL, 'no_model', '') AS naive_model_flags, naive_model_trial,
       naive_hardware, CASE WHEN naive_hardware IS NOT NULL THEN '' WHEN w.bounce <= w.last AND p.has_hardware THEN 'one_launch' ELSE 'no_sites' END AS naive_hardware_flags,
       naive_hardware_trial, off_model, off_hardware, iif(off_hardware IS NULL, 'no_sites', '') AS off_hardware_flags, off_hardware_trial,
       on_alive, replace(on_trials, ',', ', ') AS on_trials, on_model, iif(on_model IS NULL, 'no_model', '') AS on_model_flags, on_model_trial,
       on_hardware, iif(on_hardware IS NULL, 'no_sites', '') AS on_hardware_flags, on_hardware_trial,
       (SELECT printf('over all bounces compaction changes the share of live lanes from %.0f to %.0f %%, and that of lanes executing during traversal from %.0f to %.0f %% (%s)',
                      100 * a.naive_alive, 100 * a.on_alive, 100 * iif(a.naive_hardware + a.on_hardware, a.naive_hardware, a.naive_model),
                      100 * iif(a.naive_hardware + a.on_hardware, a.on_hardware, a.on_model), iif(a.naive_hardware + a.on_hardware, 'hardware', 'model'))
        FROM wide AS a WHERE a.panel = w.panel AND a.bounce > a.last AND a.on_alive + a.naive_alive IS NOT NULL AND
                             coalesce(a.naive_hardware + a.on_hardware, a.naive_model + a.on_model) IS NOT NULL) AS finding,
       p.scene, p.camera, p.device, p.device_name, p.lanes_of_warp AS warp_width, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.left_out,
       (SELECT group_concat(DISTINCT trial) FROM (SELECT trial FROM modelled WHERE panel = w.panel UNION SELECT trial FROM hardware WHERE panel = w.panel)) AS trials
FROM wide AS w
JOIN panel AS p ON p.panel = w.panel
ORDER BY w.panel, w.bounce
