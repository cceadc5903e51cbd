-- SPDX-License-Identifier: MIT
-- Wald 2011, 3.2, 4.2.6: frame time with speculative traversal over that with while-while, of naive and of whole_frame: above 1,
-- while-while is faster. The interval is no narrower than the noise.
SELECT s.place || ', ' || s.variant AS place, s.words || '|' || w.words AS flags, s.trials || ', ' || w.trials AS trials,
       iif(s.variant = 'naive', s.seconds / w.seconds, NULL) AS naive, iif(s.variant = 'naive', NULL, s.seconds / w.seconds) AS whole_frame,
       s.seconds / w.seconds * max(s.noise_floor, w.noise_floor, sqrt(pow(s.relative_ci, 2) + pow(w.relative_ci, 2))) AS naive_half,
       s.seconds / w.seconds * max(s.noise_floor, w.noise_floor, sqrt(pow(s.relative_ci, 2) + pow(w.relative_ci, 2))) AS whole_frame_half
FROM usual_case AS s
JOIN usual_case AS w ON w.work = s.work AND w.device_name = s.device_name AND w.schedule = s.schedule AND w.variant = s.variant AND
                        w.registers IS 64 AND w.dummy_flops = 0 AND w.traversal = 'while_while'
WHERE s.variant IN ('naive', 'whole_frame') AND s.registers IS 64 AND s.dummy_flops = 0 AND s.traversal = 'speculative' AND s.light_search = 'alias'
ORDER BY s.variant, s.place_in_paper, s.scene, s.width
