-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, relations: in closed, diffuse scenes the share of active warps with fewer than a quarter of their lanes, under
-- roulette by thread less without any, bounce by bounce; warps of which roulette by warp ended some paths and left others, of those in which
-- it ended any, in all scenes, and beside the same by thread.
WITH share AS (
    SELECT b.trial, b.bounce, 1.0 * sum(b.sparse) / sum(b.active) AS sparse
    FROM (SELECT a.trial, c.bounce, c.sparse_warps AS sparse, c.active_warps AS active
          FROM result AS a CROSS JOIN bounce_counts AS c ON c.attempt = a.attempt
          WHERE a.collection = 'counts' AND a.trial IN (SELECT counted FROM roulette_setting) AND c.bounce >= 3) AS b
    GROUP BY b.trial, b.bounce
    HAVING sum(b.active) > 0
)
SELECT printf('%s, bounce %d, %s', p.of_scene, a.bounce, p.device_name) AS place, p.counted || ', ' || p.over_counted AS trials,
       a.sparse - b.sparse AS more_sparse, NULL AS split, NULL AS split_by_thread, NULL AS sigmas
FROM roulette_pair AS p
JOIN share AS a ON a.trial = p.counted
JOIN share AS b ON b.trial = p.over_counted AND b.bounce = a.bounce
WHERE p.variant = 'pool_refill' AND p.over_variant = 'pool_refill' AND p.roulette = 'thread' AND p.over = 'none' AND p.scene IN ('cornell', 'closed_box', 'closed_varied')
UNION ALL
SELECT printf('by %s, %s, %s, %dx%d, seed %d, %s', roulette, of_scene, variant, width, height, seed, device_name), counted, NULL,
       iif(roulette = 'warp', 1.0 * split_warps / roulette_warps, NULL), iif(roulette = 'thread', 1.0 * split_warps / roulette_warps, NULL), NULL
FROM roulette_setting
WHERE variant = 'pool_refill' AND roulette IN ('warp', 'thread') AND roulette_warps > 0 AND spp > 1
UNION ALL
SELECT 'mean, ' || place, trials, NULL, NULL, NULL, sigmas FROM roulette_bias
WHERE roulette = 'warp' AND scene IN ('cornell', 'closed_box', 'closed_varied')
