-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, regeneration overhead: on how many scenes streaming in its faster interval beats no regeneration, beyond the noise
-- and by 5 % more than it, and on how many of those whose rays take more steps than those of half of the scenes.
WITH each AS (
    SELECT n.device_name, n.scene, p.roulette, n.max_bounces, n.width, n.height, n.spp, p.pool, max(n.seconds / s.seconds) AS gain, 1.0 * (n.nodes + n.triangles) / n.rays AS steps,
           max(sqrt(pow(s.relative_ci, 2) + pow(n.relative_ci, 2)), coalesce(s.noise_floor, 0), coalesce(n.noise_floor, 0)) AS noise,
           n.trials || ', ' || s.trials AS trials, n.flags || '|' || s.flags AS flags
    FROM measured AS n
    JOIN measured AS s ON s.variant = 'stream_compact' AND s.work = n.work AND s.schedule = n.schedule AND s.device_name = n.device_name
    JOIN trial_record AS p ON p.id = n.trial
    JOIN trial_record AS q ON q.id = s.trial AND q.pool IS p.pool AND q.storage = 'indices' AND q.compact_every IN (4, 8)
    WHERE n.variant = 'pool_refill' AND coalesce(p.dead_share, 0) = 0 AND n.first_camera AND n.seconds > 0 AND s.seconds > 0 AND n.rays > 0 AND n.max_bounces > 20
    GROUP BY n.device_name, n.work, n.schedule, p.pool
),
placed AS (
    SELECT *, percent_rank() OVER (PARTITION BY device_name, roulette, max_bounces, pool, width, height, spp ORDER BY steps) > 0.5 AS heavy
    FROM each
    WHERE flags NOT LIKE '%underfilled%' AND noise NOTNULL
)
SELECT printf('%d scenes%s, pool of %s slots, depth %d, %s', count(*), iif(roulette IN ('thread', 'warp', 'block'), ', roulette by ' || roulette, ''), coalesce(pool, 'auto'), max_bounces, device_name) AS place,
       iif(count(*) < 10, 'fewer than ten scenes', '') AS excluded, group_concat(flags, '|') AS flags, group_concat(trials, ', ') AS trials,
       sum(heavy AND gain > 1 + gain * noise) AS heavy, avg(gain > 1 + gain * noise) AS faster, avg(gain - gain * noise > 1.05) AS clearly
FROM placed
GROUP BY device_name, roulette, max_bounces, pool, width, height, spp
