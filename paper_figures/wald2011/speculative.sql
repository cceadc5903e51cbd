-- SPDX-License-Identifier: MIT
-- Wald 2011, section 4.2.6: speculative traversal in place of while-while. Fetches: inner nodes and triangles of closest-hit rays.
cell AS (
    SELECT v.*, row_number() OVER (PARTITION BY work, device_name, schedule, traversal, variant ORDER BY seconds IS NULL, newest DESC) AS nth
    FROM versus AS v
    WHERE variant IN ('naive', 'whole_frame') AND plain AND unthrottled AND dummy_flops = 0 AND matte AND first_camera
),
scene_cell AS (                     -- both variants and both traversals of a scene in one row
    SELECT work, device_name, schedule, scene, label, place_in_paper, width, height, max_bounces, family, min(device) AS device,
           min(distance) AS distance, max(newest) AS newest, count(DISTINCT traversal) AS traversals,
           max(iif(variant = 'naive' AND traversal = 'while_while', seconds, NULL)) AS naive_ww,
           max(iif(variant = 'naive' AND traversal <> 'while_while', seconds, NULL)) AS naive_spec,
           max(iif(variant = 'whole_frame' AND traversal = 'while_while', seconds, NULL)) AS whole_ww,
           max(iif(variant = 'whole_frame' AND traversal <> 'while_while', seconds, NULL)) AS whole_spec,
           max(iif(variant = 'naive' AND traversal = 'while_while', relative_ci, NULL)) AS naive_ww_ci,
           max(iif(variant = 'naive' AND traversal <> 'while_while', relative_ci, NULL)) AS naive_spec_ci,
           max(iif(variant = 'whole_frame' AND traversal = 'while_while', relative_ci, NULL)) AS whole_ww_ci,
           max(iif(variant = 'whole_frame' AND traversal <> 'while_while', relative_ci, NULL)) AS whole_spec_ci,
           max(iif(variant = 'naive' AND traversal = 'while_while', spec, NULL)) AS ww_spec,
           max(iif(variant = 'naive' AND traversal <> 'while_while', spec, NULL)) AS spec_spec,
           group_concat(iif(variant = 'naive', flags, NULL), '|') AS naive_flags,
           group_concat(iif(variant = 'whole_frame', flags, NULL), '|') AS whole_flags, group_concat(flags, '|') AS all_flags,
           group_concat(iif(variant = 'naive', trials, NULL), ', ') AS naive_trials,
           group_concat(iif(variant = 'whole_frame', trials, NULL), ', ') AS whole_trials, group_concat(trials, ', ') AS trials
    FROM cell WHERE nth = 1
    GROUP BY work, device_name, schedule
    HAVING count(DISTINCT traversal) > 1
),
ranked AS (
    SELECT device_name, width, height, max_bounces, family, schedule, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY device_name, width, height
                              ORDER BY count(*) DESC, abs(max_bounces - 8), min(distance), max(newest) DESC) AS place
    FROM scene_cell
    GROUP BY device_name, width, height, max_bounces, family, schedule
),
hardware AS MATERIALIZED (          -- active lanes in the traversal over a frame: as the hardware counted at both places together
    SELECT t.spec, 1.0 * sum(s.thread_instructions) / (32.0 * sum(s.instructions)) AS efficiency
    FROM site_count AS s JOIN result AS a ON a.attempt = s.attempt JOIN trial_record AS t ON t.id = a.trial
    JOIN launch AS l ON l.attempt = s.attempt AND l.repetition = 0 AND l.number = s.launch AND NOT l.auxiliary
    WHERE s.site IN (1, 2)
    GROUP BY t.spec
),
modelled AS MATERIALIZED (          -- or as the lockstep model has it
    SELECT t.spec, 1.0 * sum(l.inner_live + l.triangle_live) / (max(a.warp_width) * sum(l.inner_steps + l.triangle_steps)) AS efficiency
    FROM (SELECT ww_spec AS spec FROM scene_cell UNION SELECT spec_spec FROM scene_cell) AS c
    CROSS JOIN trial_record AS t ON t.spec = c.spec
    CROSS JOIN result AS a ON a.trial = t.id
    CROSS JOIN lockstep AS l ON l.attempt = a.attempt AND l.bounce >= 0
    GROUP BY t.spec
)
SELECT p.panel, c.label, c.naive_spec / c.naive_ww AS naive_time,
       c.naive_spec / c.naive_ww * (1 - sqrt(naive_ww_ci * naive_ww_ci + naive_spec_ci * naive_spec_ci)) AS naive_time_low,
       c.naive_spec / c.naive_ww * (1 + sqrt(naive_ww_ci * naive_ww_ci + naive_spec_ci * naive_spec_ci)) AS naive_time_high, c.naive_flags,
       c.naive_trials, c.whole_spec / c.whole_ww AS whole_time,
       c.whole_spec / c.whole_ww * (1 - sqrt(whole_ww_ci * whole_ww_ci + whole_spec_ci * whole_spec_ci)) AS whole_time_low,
       c.whole_spec / c.whole_ww * (1 + sqrt(whole_ww_ci * whole_ww_ci + whole_spec_ci * whole_spec_ci)) AS whole_time_high, c.whole_flags,
       c.whole_trials, c.naive_ww / c.whole_ww AS speedup_ww, c.naive_spec / c.whole_spec AS speedup_spec, c.all_flags, c.trials AS row_trials,
       1.0 * w.fetches / w.paths AS fetches_ww, 1.0 * s.fetches / s.paths AS fetches_spec,
       coalesce(hw.efficiency, mw.efficiency) AS lanes_ww, coalesce(hs.efficiency, ms.efficiency) AS lanes_spec,
       iif(hw.efficiency IS NULL AND mw.efficiency IS NOT NULL, 'modelled', '') AS lanes_flags,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM scene_cell AS c
JOIN panel AS p USING (device_name, width, height, max_bounces, family, schedule)
LEFT JOIN totals AS w ON w.spec = c.ww_spec AND w.nth = 1
LEFT JOIN totals AS s ON s.spec = c.spec_spec AND s.nth = 1
LEFT JOIN hardware AS hw ON hw.spec = c.ww_spec
LEFT JOIN hardware AS hs ON hs.spec = c.spec_spec
LEFT JOIN modelled AS mw ON mw.spec = c.ww_spec
LEFT JOIN modelled AS ms ON ms.spec = c.spec_spec
ORDER BY p.panel, c.place_in_paper, c.scene
