-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.6: speculative traversal against while-while: nodes and triangles fetched by a ray, counted, and by how much the
-- speedup of whole_frame is greater.
WITH counted AS (                   -- fetches of a closest-hit ray by naive, on whatever device they were counted
    SELECT s.*, 1.0 * o.fetches / o.paths AS fetches,
           row_number() OVER (PARTITION BY s.work, s.traversal ORDER BY s.distance, s.device <> 'cuda', s.newest DESC) AS nth
    FROM setup AS s
    JOIN totals AS o ON o.spec = s.spec AND o.nth = 1
    WHERE s.variant = 'naive' AND s.plain AND s.unthrottled AND s.dummy_flops = 0 AND s.matte AND s.first_camera AND s.max_bounces = 8 AND o.fetches > 0
),
cell AS (
    SELECT v.*, w.speedup_excluded, w.speedup_weak,
           row_number() OVER (PARTITION BY v.work, v.device_name, v.schedule, v.traversal ORDER BY v.seconds IS NULL, v.newest DESC) AS nth
    FROM versus AS v
    JOIN weighed AS w ON w.setting = v.setting
    WHERE v.variant = 'whole_frame' AND v.plain AND v.unthrottled AND v.dummy_flops = 0 AND v.matte AND v.first_camera AND v.max_bounces = 8 AND
          v.lane_map = 'linear' AND v.pixel_order = 'tile' AND v.block = 64 AND v.registers IS 64
),
pair AS (
    SELECT s.label || printf(', %dx%d', s.width, s.height) AS place, s.place_in_paper, s.width, s.fetches / w.fetches AS fetches,
           NULL AS gain, NULL AS half, iif(s.fitted, 'fitted', '') AS excluded, '' AS flags, s.trials || ', ' || w.trials AS trials
    FROM counted AS s
    JOIN counted AS w ON w.work = s.work AND w.traversal = 'while_while' AND w.nth = 1
    WHERE s.traversal = 'speculative' AND s.nth = 1
    UNION ALL
    SELECT s.label || printf(', %dx%d, %s', s.width, s.height, s.device_name), s.place_in_paper, s.width, NULL, s.speedup - w.speedup,
           sqrt(pow(s.speedup * s.speedup_ci, 2) + pow(w.speedup * w.speedup_ci, 2)),
           iif(length(s.speedup_excluded) > length(w.speedup_excluded), s.speedup_excluded, w.speedup_excluded),
           trim(s.speedup_weak || '|' || w.speedup_weak, '|'), s.both_trials || ', ' || w.both_trials
    FROM cell AS s
    JOIN cell AS w ON w.work = s.work AND w.device_name = s.device_name AND w.schedule = s.schedule AND w.traversal = 'while_while' AND w.nth = 1
    WHERE s.traversal = 'speculative' AND s.nth = 1
)
SELECT place, fetches, gain, gain - half AS gain_low, gain + half AS gain_high, excluded, flags, trials
FROM pair
ORDER BY gain IS NOT NULL, place_in_paper, place
