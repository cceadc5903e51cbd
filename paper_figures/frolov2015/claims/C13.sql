-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, related work: regeneration by thread. Steps for which a camera ray keeps its warp busy, in mixed warps over warps
-- of camera rays; speed over no regeneration, at its worse within the noise; share of the frame that is not
-- spent on paths, beyond that of no regeneration.
SELECT place || ', next of its ' || next_path AS place, '' AS flags, counted AS trials,
       iif(test <> 'T1', 1.0 * steps_mixed / camera_mixed * camera_alone / steps_alone, NULL) AS steps, NULL AS at_worst, NULL AS cost, NULL AS cost_half
FROM test_counts
WHERE variant = 'thread_regenerate' AND camera_mixed > 0 AND steps_alone > 0
GROUP BY work, schedule, pool, next_path
UNION ALL
SELECT place, flags, trials, NULL, max(gain - noise), NULL, NULL
FROM test_gain
WHERE variant = 'thread_regenerate' AND over = 'pool_refill' AND test <> 'T2' AND max_bounces >= 8
GROUP BY place
UNION ALL
SELECT a.place || ', next of its ' || a.next_path, a.stage_flags || '|' || n.stage_flags, a.timed || ', ' || n.timed, NULL, NULL, a.cost - n.cost, a.cost_noise + n.cost_noise
FROM test_stages AS a
JOIN test_stages AS n ON n.variant = 'pool_refill' AND n.dead_share = 0 AND n.work = a.work AND n.schedule = a.schedule AND n.device_name = a.device_name AND
                         n.pool = a.pool
WHERE a.variant = 'thread_regenerate'
