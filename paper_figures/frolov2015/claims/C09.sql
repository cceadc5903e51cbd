-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, conclusion: a pool without regeneration under roulette by warp or by block against streaming, in its best
-- setting, under roulette by thread: utilisation over all bounces; paths per second over the variance of a path, of the better of both.
SELECT printf('%s, by %s, depth %d, %.2f extensions a path against %.2f, %s', of_scene, roulette, max_bounces, extensions, over_extensions, device_name) AS place,
       '' AS flags, iif(abs(extensions / over_extensions - 1) > 0.1, 'paths are not equally long', '') AS excluded, counted || ', ' || over_counted AS trials, iif(roulette = 'warp', min(util), NULL) AS by_warp, iif(roulette = 'block', min(util), NULL) AS by_block,
       NULL AS worth, NULL AS worth_half, NULL AS sigmas
FROM roulette_pair
WHERE test IS NOT NULL AND variant = 'pool_refill' AND roulette IN ('warp', 'block') AND over_variant = 'stream_compact' AND over = 'thread' AND spp > 1
GROUP BY roulette, of_scene, max_bounces, width, height, schedule, pool, seed, device_name
UNION ALL
SELECT printf('speed, %s, depth %d, %s', of_scene, max_bounces, device_name), flags, '', trials, NULL, NULL, max(worth), worth * relative_ci, NULL
FROM (SELECT *, min(worth) AS worth FROM roulette_pair
      WHERE test IS NOT NULL AND variant = 'pool_refill' AND roulette IN ('warp', 'block') AND over_variant = 'stream_compact' AND over = 'thread'
      GROUP BY roulette, of_scene, max_bounces, width, height, spp, schedule, pool, seed, device_name)
WHERE worth IS NOT NULL
GROUP BY of_scene, max_bounces, width, height, spp, schedule, pool, seed, device_name
UNION ALL
SELECT 'mean, ' || place, '', '', trials, NULL, NULL, NULL, NULL, sigmas FROM roulette_bias WHERE roulette IN ('warp', 'block') AND test IS NOT NULL
