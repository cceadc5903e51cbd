-- SPDX-License-Identifier: MIT
-- Wald 2011, abstract and Table 1: speedup of whole-frame compaction over naive, on the stand-ins of the paper's scenes.
SELECT place, excluded, weak AS flags, both_trials AS trials, speedup, speedup * (1 - speedup_ci) AS speedup_low,
       speedup * (1 + speedup_ci) AS speedup_high
FROM timed_case
WHERE variant = 'whole_frame' AND max_bounces = 8 AND unthrottled AND place_in_paper < 99
ORDER BY width * height, place_in_paper, place
