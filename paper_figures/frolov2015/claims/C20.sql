-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, opening: time of the stages that process paths, with nine slots of ten dead behind the living ones over that without
-- them; and with the living ones spread over all blocks, a warp each, over that. Both at their least within the noise.
WITH each AS (SELECT * FROM test_stages WHERE variant = 'pool_refill')
SELECT t.place, replace(t.stage_flags, 'underfilled', '') AS flags, t.timed || ', ' || n.timed AS trials, t.path / n.path - 1 - t.path_noise - n.path_noise AS reading, NULL AS holding
FROM each AS t
JOIN each AS n ON n.dead_share = 0 AND n.work = t.work AND n.schedule = t.schedule AND n.device_name = t.device_name AND n.pool = t.pool
WHERE t.dead_share = 90 AND t.dead_places = 'together'
UNION ALL
SELECT a.place, replace(a.stage_flags, 'underfilled', ''), a.timed || ', ' || t.timed, NULL, a.path / t.path - 1 - a.path_noise - t.path_noise
FROM each AS a
JOIN each AS t ON t.dead_share = 90 AND t.dead_places = 'together' AND t.work = a.work AND t.schedule = a.schedule AND t.device_name = a.device_name AND t.pool = a.pool
WHERE a.dead_share = 90 AND a.dead_places = 'apart' AND t.block = a.block AND a.block = 10 * (SELECT max(x.warp_width) FROM result AS x WHERE x.trial = a.trial)
