-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, conclusion: gain in place where, without regeneration, the active warps of a round are as many as the device
-- holds of the kernel that traces rays, and where they are fewer; rays a second over the best of pools with twice as many.
WITH held AS (
    SELECT s.*, r.resident_warps, (s.spp * s.width * s.height + s.pool - 1) / s.pool AS fills
    FROM test_setting AS s
    JOIN (SELECT trial, max(resident_warps) AS resident_warps FROM kernels WHERE kernel = 'refill_trace' AND collection IN ('frame', 'launches') GROUP BY trial) AS r
    ON r.trial = s.trial
    WHERE s.variant = 'pool_refill' AND s.dead_share = 0 AND s.test <> 'T2' AND r.resident_warps > 0 AND s.counted IS NOT NULL
),
filled AS (                         -- share of the rounds of a fill, each of one bounce, that have so many active warps
    SELECT h.*, (SELECT avg(warps >= h.resident_warps) FROM (SELECT 1.0 * sum(b.active_warps) / h.fills AS warps
                 FROM result AS a CROSS JOIN bounce_counts AS b ON b.attempt = a.attempt AND b.bounce >= 0
                 WHERE a.trial = h.counted AND a.collection = 'counts' GROUP BY b.bounce)) AS share
    FROM held AS h
),
knee AS (
    SELECT h.place, h.stage_flags AS flags, h.timed, h.test, h.device_name, h.work, h.rays / h.trace AS rate,
           1.0 * c.trace_warps / c.traces / f.resident_warps AS load
    FROM test_stages AS h JOIN test_counts AS c ON c.setting = h.setting JOIN held AS f ON f.setting = h.setting
),
best AS (SELECT device_name, work, max(rate) AS rate FROM knee WHERE load >= 2 GROUP BY device_name, work)
SELECT g.place || printf(': %.0f %% of the rounds fill it', 100 * f.share) AS place, replace(g.flags, 'underfilled', '') AS flags, g.trials,
       iif(f.share >= 0.95, g.gain, NULL) AS above, g.half AS above_half, iif(f.share = 0, g.gain, NULL) AS below, g.half AS below_half,
       NULL AS plateau, NULL AS at_half
FROM filled AS f
JOIN test_gain AS g ON g.variant = 'tile_regenerate' AND g.over = 'pool_refill' AND g.trace_compaction = 'no' AND g.of_test = f.of_test AND
                       g.device_name = f.device_name AND g.pool = f.pool AND g.max_bounces = f.max_bounces
UNION ALL
SELECT k.place || printf(': %.2f times what it holds', k.load), replace(k.flags, 'underfilled', ''), k.timed, NULL, NULL, NULL, NULL,
       iif(k.load >= 2, k.rate / b.rate, NULL), iif(k.load BETWEEN 0.4 AND 0.6, k.rate / b.rate, NULL)
FROM knee AS k JOIN best AS b ON b.device_name = k.device_name AND b.work = k.work
