-- SPDX-License-Identifier: MIT
-- Wald 2011, 3.2, 4.2.6: frame time with speculative traversal over that with while-while, of naive and of whole_frame: above 1,
-- while-while is faster.
WITH cell AS (
    SELECT t.*, row_number() OVER (PARTITION BY work, device_name, schedule, traversal, variant ORDER BY seconds IS NULL, newest DESC) AS nth
    FROM timed AS t
    WHERE variant IN ('naive', 'whole_frame') AND plain AND unthrottled AND dummy_flops = 0 AND matte AND first_camera AND max_bounces = 8 AND
          lane_map = 'linear' AND pixel_order = 'tile' AND block = 64 AND registers IS 64
),
pair AS (
    SELECT s.label, s.scene, s.place_in_paper, s.width, s.height, s.device_name, s.variant, s.fitted, s.seconds / w.seconds AS ratio,
           sqrt(s.relative_ci * s.relative_ci + w.relative_ci * w.relative_ci) AS ci, s.flags || '|' || w.flags AS words,
           s.trials || ', ' || w.trials AS trials
    FROM cell AS s
    JOIN cell AS w ON w.work = s.work AND w.device_name = s.device_name AND w.schedule = s.schedule AND w.variant = s.variant AND
                      w.traversal = 'while_while' AND w.nth = 1
    WHERE s.traversal = 'speculative' AND s.nth = 1
)
SELECT label || printf(', %dx%d, %s, %s', width, height, device_name, variant) AS place, iif(variant = 'naive', ratio, NULL) AS naive,
       iif(variant = 'naive', ratio * (1 - ci), NULL) AS naive_low, iif(variant = 'naive', ratio * (1 + ci), NULL) AS naive_high,
       iif(variant <> 'naive', ratio, NULL) AS whole_frame, iif(variant <> 'naive', ratio * (1 - ci), NULL) AS whole_frame_low,
       iif(variant <> 'naive', ratio * (1 + ci), NULL) AS whole_frame_high,
       rtrim(iif(fitted, 'fitted|', '') || iif(instr(words, 'underfilled'), 'underfilled', ''), '|') AS excluded,
       trim(replace(replace(replace(words, 'underfilled', ''), '||', '|'), '||', '|'), '|') AS flags, trials
FROM pair
ORDER BY variant, place_in_paper, scene, width
