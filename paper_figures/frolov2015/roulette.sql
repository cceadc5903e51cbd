-- SPDX-License-Identifier: MIT
-- What the claims of Frolov and Galaktionov about roulette share.

-- settings of the pipelines under each roulette: utilisation and extensions of a path over all bounces, warps in which roulette ended paths
-- and those that it split, mean of the image, variance of a path within its pixel
CREATE TEMP VIEW roulette_setting AS
SELECT m.*, q.test, coalesce(q.test || ', ', '') || m.scene AS of_scene, t.roulette, t.pool, t.storage, t.compact_every,
       1.0 * n.rays / (m.warp_width * n.warps) AS util, 1.0 * n.rays / m.paths AS extensions, n.roulette_warps, n.split_warps,
       nullif(n.radiance, 0) / (3.0 * m.paths) AS mean, (nullif(n.squares, 0) - n.pixel_squares) / nullif(m.paths - m.width * m.height, 0) AS variance
FROM measured AS m
JOIN trial_record AS t ON t.id = m.trial
JOIN (SELECT a.trial, sum(b.active_paths) AS rays, sum(b.active_warps) AS warps, sum(b.roulette_warps) AS roulette_warps,
             sum(b.split_warps) AS split_warps, sum(b.radiance) * pow(2, -24) AS radiance, sum(b.squares) * pow(2, -24) AS squares,
             sum(b.pixel_squares) * pow(2, -24) AS pixel_squares
      FROM trial_record AS t
      CROSS JOIN result AS a ON a.trial = t.id AND a.collection = 'counts'
      CROSS JOIN bounce_counts AS b ON b.attempt = a.attempt AND b.bounce = -1
      WHERE t.variant IN ('pool_refill', 'tile_regenerate', 'stream_compact')
      GROUP BY a.trial) AS n ON n.trial = m.counted
JOIN stand_in AS i ON i.scene = m.scene
LEFT JOIN published_tests AS q ON q.scene IN (i.stands_for, i.scene || ' box')
WHERE m.first_camera AND coalesce(t.dead_share, 0) = 0;

-- two of them that differ in roulette, in the pipeline, or in both
CREATE TEMP VIEW roulette_pair AS
SELECT a.scene, a.test, a.of_scene, a.device_name, a.width, a.height, a.spp, a.seed, a.max_bounces, a.schedule, a.pool, a.roulette, a.variant,
       b.roulette AS over, b.variant AS over_variant, a.util / b.util AS util, a.extensions, b.extensions AS over_extensions,
       a.mean, b.mean AS over_mean, b.seconds * b.variance / (a.seconds * a.variance) AS worth,
       sqrt(pow(a.relative_ci, 2) + pow(b.relative_ci, 2)) AS relative_ci, a.flags || '|' || b.flags AS flags,
       a.trials || ', ' || b.trials AS trials, a.counted, b.counted AS over_counted
FROM roulette_setting AS a
JOIN roulette_setting AS b ON b.scene = a.scene AND b.device_name = a.device_name AND b.width = a.width AND b.height = a.height AND b.spp = a.spp AND
                              b.seed = a.seed AND b.max_bounces = a.max_bounces AND b.materials IS a.materials AND b.lighting IS a.lighting AND
                              b.schedule = a.schedule AND b.pool IS a.pool AND coalesce(b.storage, 'indices') = coalesce(a.storage, 'indices')
WHERE a.roulette IN ('thread', 'warp', 'block') AND b.roulette IN ('none', 'thread');

-- the mean over seeds of what roulette adds to an image, in standard errors; frames of one seed have the same random numbers but for its own
CREATE TEMP VIEW roulette_bias AS
SELECT test, scene, roulette,
       printf('mean, %s, by %s, %s, %dx%d, %d seeds, %s', of_scene, roulette, variant, width, height, count(DISTINCT seed), device_name) AS place,
       min(counted) || ', ' || min(over_counted) AS trials, 100 * avg(more) / avg(over_mean) AS bias,
       abs(avg(more)) / nullif(sqrt((sum(more * more) - sum(more) * avg(more)) / (count(*) - 1) / count(*)), 0) AS sigmas
FROM (SELECT *, mean - over_mean AS more FROM roulette_pair WHERE over = 'none' AND over_variant = variant AND roulette IN ('thread', 'warp', 'block'))
GROUP BY scene, roulette, variant, device_name, width, height, spp, max_bounces, schedule, pool
HAVING count(DISTINCT seed) >= 16;

-- no regeneration under roulette by warp or block against streaming under roulette by thread
CREATE TEMP VIEW coarse_roulette AS
SELECT * FROM roulette_pair
WHERE test IS NOT NULL AND variant = 'pool_refill' AND roulette IN ('warp', 'block') AND over_variant = 'stream_compact' AND over = 'thread';
