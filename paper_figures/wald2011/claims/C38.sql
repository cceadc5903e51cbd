-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.6: active lanes inside the traversal of whole_frame, whose warps are full, the most from bounce 2 on; and the warp
-- instructions of such a warp over those of a warp of whole_frame_off, of the bounces from 2 on where that has at most 6 live
-- lanes. Warps of whole_frame_off that find no live lane count by their instructions alone, which makes the ratio smaller.
WITH bounce AS MATERIALIZED (
    SELECT s.*, b.bounce, t.id AS counted, b.active_paths, b.active_warps, sum(iif(c.site = 3, c.instructions, 0)) AS instructions,
           sum(w.weight * c.thread_instructions) / (a.warp_width * sum(w.weight * c.instructions)) AS lanes
    FROM faithful AS s
    JOIN (SELECT *, max(trial) FROM bounces WHERE bounce >= 2 GROUP BY spec, bounce) AS b ON b.timed_setting = s.setting
    JOIN trial_record AS t ON t.spec = s.spec
    JOIN attempt AS a ON a.trial = t.id AND a.collection = 'counters' AND a.status = 'done' AND NOT a.superseded
    JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.bounce = b.bounce AND NOT l.auxiliary
    JOIN site_count AS c ON c.attempt = a.id AND c.launch = l.number AND c.site > 0
    LEFT JOIN step_weight AS w ON w.step = CASE c.site WHEN 1 THEN 'inner' WHEN 2 THEN 'triangle' END
    WHERE s.variant IN ('whole_frame', 'whole_frame_off') AND s.max_bounces = 8 AND s.unthrottled AND s.times_as
    GROUP BY s.setting, b.bounce
)
SELECT f.place || ', ' || f.device_name AS place, 100 * max(f.lanes) AS efficiency,
       sum(iif(o.active_paths <= 6 * o.active_warps, f.instructions, 0)) / sum(iif(o.active_paths <= 6 * o.active_warps, 1.0 * f.active_warps, 0)) /
           (sum(iif(o.active_paths <= 6 * o.active_warps, o.instructions, 0)) / sum(iif(o.active_paths <= 6 * o.active_warps, 1.0 * o.active_warps, 0))) AS instructions,
       iif(f.fitted, 'fitted', '') AS flags, group_concat(DISTINCT f.counted) || ',' || group_concat(DISTINCT o.counted) AS trials
FROM bounce AS f
JOIN bounce AS o ON o.variant = 'whole_frame_off' AND o.work = f.work AND o.device_name = f.device_name AND o.bounce = f.bounce
WHERE f.variant = 'whole_frame'
GROUP BY f.work, f.device_name
ORDER BY f.width * f.height, f.place_in_paper, f.place
