-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.6: lanes at work inside the traversal of whole_frame, whose warps are full, the most from bounce 2 on; and the warp
-- instructions of such a warp over those of a warp of whole_frame_off, of the bounces from 2 on where that has at most 6 live
-- lanes. Warps of whole_frame_off that only find no live lane count as instructions and not as warps, which makes the ratio smaller.
WITH bounce AS MATERIALIZED (
    SELECT s.work, s.schedule, s.device_name, s.variant, s.label, s.width, s.height, s.fitted, s.place_in_paper, l.bounce, t.id AS trial, b.paths, b.warps,
           sum(iif(c.site = 3, c.instructions, 0)) AS instructions,
           sum(w.weight * c.thread_instructions) / (a.warp_width * sum(w.weight * c.instructions)) AS lanes
    FROM (SELECT *, max(newest) FROM setup GROUP BY spec) AS s
    JOIN trial_record AS t ON t.spec = s.spec
    JOIN attempt AS a ON a.trial = t.id AND a.collection = 'counters' AND a.status = 'done' AND NOT a.superseded
    JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.bounce >= 2 AND NOT l.auxiliary
    JOIN site_count AS c ON c.attempt = a.id AND c.launch = l.number AND c.site IN (1, 2, 3)
    LEFT JOIN step_weight AS w ON w.step = CASE c.site WHEN 1 THEN 'inner' WHEN 2 THEN 'triangle' END
    JOIN (SELECT spec, bounce, max(active_paths) AS paths, max(active_warps) AS warps FROM bounces GROUP BY spec, bounce) AS b
        ON b.spec = s.spec AND b.bounce = l.bounce
    WHERE s.variant IN ('whole_frame', 'whole_frame_off') AND s.plain AND s.matte AND s.first_camera AND s.max_bounces = 8 AND
          s.traversal = 'while_while' AND s.dummy_flops = 0 AND s.unthrottled
    GROUP BY s.spec, l.bounce
)
SELECT f.label || printf(', %dx%d, %s', f.width, f.height, f.device_name) AS place, 100 * max(f.lanes) AS efficiency,
       1.0 * sum(iif(o.paths <= 6 * o.warps, f.instructions, NULL)) / sum(iif(o.paths <= 6 * o.warps, f.warps, NULL)) /
           (1.0 * sum(iif(o.paths <= 6 * o.warps, o.instructions, NULL)) / sum(iif(o.paths <= 6 * o.warps, o.warps, NULL))) AS instructions,
       iif(f.fitted, 'fitted', '') AS excluded, '' AS flags, group_concat(DISTINCT f.trial) || ',' || group_concat(DISTINCT o.trial) AS trials
FROM bounce AS f
JOIN bounce AS o ON o.variant = 'whole_frame_off' AND o.work = f.work AND o.schedule = f.schedule AND o.device_name = f.device_name AND o.bounce = f.bounce
WHERE f.variant = 'whole_frame'
GROUP BY f.work, f.schedule, f.device_name
ORDER BY f.place_in_paper, f.label, f.width
