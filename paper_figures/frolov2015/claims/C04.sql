-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, points 1 and 2: slots of the pool for each of the elements that a check of it looks at, by tiles and, beside,
-- by slots; over all settings of a pool.
SELECT printf('%s, %s, pool of %d slots', s.of_test, s.variant, s.pool) AS place,
       iif(s.pool > s.width * s.height, 'the pool is larger than the image', '') AS excluded, group_concat(DISTINCT s.counted) AS trials,
       iif(s.variant = 'tile_regenerate', 1.0 * s.pool * sum(r.launches) / sum(r.live_lanes), NULL) AS fewer,
       iif(s.variant = 'tile_regenerate', NULL, 1.0 * s.pool * sum(r.launches) / sum(r.live_lanes)) AS fewer_by_slots
FROM test_setting AS s
JOIN pipeline_round AS r ON r.trial = s.counted AND r.stage IN ('check', 'flag')
WHERE (s.variant = 'tile_regenerate' AND s.tile_slots = '256' OR s.variant = 'stream_compact' AND s.storage = 'indices') AND s.pool IS NOT NULL
GROUP BY s.variant, s.of_test, s.pool, s.width, s.height
HAVING sum(r.live_lanes) > 0
ORDER BY s.variant DESC, s.test, s.pool
