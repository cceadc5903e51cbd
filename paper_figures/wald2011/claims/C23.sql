-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.6: speculative traversal against while-while: nodes and triangles fetched by a ray, counted, and by how much the
-- speedup of whole_frame is greater. That one's interval is no narrower than the noise.
WITH counted AS (                   -- fetches of a closest-hit ray by naive, on whatever device they were counted
    SELECT s.*, 1.0 * o.fetches / o.paths AS fetches,
           row_number() OVER (PARTITION BY s.work, s.traversal ORDER BY s.distance, s.device_kind <> 'gpu', s.newest DESC) AS nth
    FROM setup AS s
    JOIN totals AS o ON o.spec = s.spec AND o.nth = 1
    WHERE s.variant = 'naive' AND s.plain AND s.unthrottled AND s.dummy_flops = 0 AND s.matte AND s.first_camera AND s.max_bounces = 8 AND o.fetches > 0
),
cell AS (
    SELECT *, speedup * max(noise_floor, speedup_ci) AS noise FROM usual_case
    WHERE variant = 'whole_frame' AND registers IS 64 AND dummy_flops = 0 AND light_search = 'alias'
)
SELECT s.label || printf(', %dx%d', s.width, s.height) AS place, s.fetches / w.fetches AS fetches, NULL AS gain, NULL AS gain_half,
       iif(s.fitted, 'fitted', '') AS flags, s.trials || ', ' || w.trials AS trials, 0 AS timed, s.place_in_paper
FROM counted AS s
JOIN counted AS w ON w.work = s.work AND w.traversal = 'while_while' AND w.nth = 1
WHERE s.traversal = 'speculative' AND s.nth = 1
UNION ALL
SELECT s.place, NULL, s.speedup - w.speedup, sqrt(pow(s.noise, 2) + pow(w.noise, 2)), s.speedup_words || '|' || w.speedup_words,
       s.both_trials || ', ' || w.both_trials, 1, s.place_in_paper
FROM cell AS s
JOIN cell AS w ON w.work = s.work AND w.device_name = s.device_name AND w.schedule = s.schedule AND w.traversal = 'while_while'
WHERE s.traversal = 'speculative'
ORDER BY timed, 8, place
