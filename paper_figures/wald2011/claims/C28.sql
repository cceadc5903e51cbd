-- SPDX-License-Identifier: MIT
-- Wald 2011, 3.3: utilisation of naive by bounce where paths end by roulette alone, all with one chance: over launched warps and over active
-- ones from bounce to bounce, where the chance is a half; and against the binomial formula.
WITH cell AS (                      -- closed, and of one reflectance everywhere: all paths have the same weight
    SELECT s.*, o.trial AS counted, o.first_paths, o.warp_width, row_number() OVER (PARTITION BY s.work ORDER BY s.distance, s.device_kind <> 'gpu', s.newest DESC) AS pick
    FROM setup AS s
    JOIN totals AS o ON o.spec = s.spec AND o.nth = 1
    WHERE s.variant = 'naive' AND s.plain AND s.unthrottled AND s.dummy_flops = 0 AND s.lighting = 'direct' AND
          (s.materials = 'lambert07' OR s.scene = 'furnace')
),
counted AS (                        -- launched: warps of a frame, empty ones included
    SELECT c.*, a.attempt, t.roulette, (SELECT 1.0 * sum(l.grid * ((l.block + c.warp_width - 1) / c.warp_width)) FROM launch AS l
                                        WHERE l.attempt = a.attempt AND l.repetition = 0 AND NOT l.auxiliary) AS launched
    FROM cell AS c
    JOIN trial_record AS t ON t.id = c.counted
    CROSS JOIN result AS a ON a.trial = c.counted AND a.collection = 'counts'
    WHERE c.pick = 1
),
ends AS (
    SELECT c.*, b.bounce, b.active_paths, b.active_warps, 1.0 * b.active_paths / c.first_paths AS alive,
           lag(b.deaths_roulette) OVER upwards AS ended, lag(b.deaths_roulette, 2) OVER upwards AS ended_before,
           lag(b.active_paths) OVER upwards AS paths_before, lag(b.active_warps) OVER upwards AS warps_before,
           sum(b.deaths_miss + b.deaths_absorb) OVER (PARTITION BY c.attempt) AS others
    FROM counted AS c
    CROSS JOIN bounce_counts AS b ON b.attempt = c.attempt AND b.bounce >= 0 -- naive has one launch
    WINDOW upwards AS (PARTITION BY c.attempt ORDER BY b.bounce)
),
expected AS (                       -- some: share of the warps with a path alive, by the formula; half: the chance is a half, once weights are even
    SELECT *, 1 - pow(1 - alive, warp_width) AS some, materials = 'scene' AND ended_before > 0 AS half FROM ends WHERE others = 0 AND ended > 0
)
SELECT label || printf(', %s, roulette %s, %dx%d, bounce %d', materials, roulette, width, height, bounce) AS place,
       iif(ratio, 1.0 * active_paths / paths_before, NULL) AS launched, iif(ratio, 1.0 * active_paths * warps_before / (active_warps * paths_before), NULL) AS active,
       iif(ratio, NULL, 100 * abs(1.0 * active_paths / (warp_width * active_warps) / (alive / some) - 1)) AS off,
       -- twice the standard deviation of the number of active warps, in terms of it: a ratio may be further off than the formula
       iif(2 * sqrt((1 - some) / (some * launched)) > iif(ratio, 0.05, 0.01), printf('chance alone may change it by more than %d %%', iif(ratio, 5, 1)), '') AS excluded,
       counted AS trials
FROM expected CROSS JOIN (SELECT 0 AS ratio UNION ALL SELECT 1)
WHERE half OR NOT ratio
ORDER BY ratio, label, materials, roulette, width, bounce
