-- SPDX-License-Identifier: MIT
-- With a rewrite of the step alone, relative to none, in a frame of the same rays: warp instructions with common statements hoisted, since lanes that part
-- execute both arms of a branch one after the other, and what stands in front of it once; divergent branches with the swap, and with the mask. Frame time
-- with all of them. And how often there is something to gain: steps over nodes at which lanes part about the order of the children (lockstep model).
SELECT place || ', ' || step || ' against branchy' || same AS place, '' AS flags, trials, iif(step = 'hoist', instructions, NULL) AS shorter,
       iif(step = 'swap', divergent, NULL) AS swapped, iif(step = 'mask', divergent, NULL) AS masked, NULL AS time, NULL AS time_half, NULL AS parted
FROM kd_counters
WHERE was = 'kd16' AND is_now = was AND triangle_test = 'watertight' AND was_step = 'branchy' AND step IN ('hoist', 'swap', 'mask')
UNION ALL
SELECT place || ', all against branchy', flags, trials, NULL, NULL, NULL, time, time_half, NULL
FROM kd_times WHERE was = 'kd16' AND is_now = was AND was_test = 'watertight' AND test = was_test AND was_step = 'branchy' AND step = 'all'
UNION ALL
SELECT place || ', steps', '', trial, NULL, NULL, NULL, NULL, NULL, 1.0 * parted_order / inner_steps
FROM kd_cell WHERE plain AND usual AND tree = 'kd16' AND triangle_test = 'watertight' AND inner_steps > 0
GROUP BY place
