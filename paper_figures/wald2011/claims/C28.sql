-- SPDX-License-Identifier: MIT
-- Wald 2011, 3.3: utilisation of naive by bounce where paths end by roulette alone, all with one chance, against the binomial
-- formula; and lanes alive over launched, from bounce to bounce.
WITH cell AS (                      -- closed, and of one reflectance everywhere: all paths have the same weight
    SELECT s.*, o.trial AS counted, o.first_paths, o.warp_width, row_number() OVER (PARTITION BY s.work ORDER BY s.distance, s.device <> 'cuda', s.newest DESC) AS pick
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
           lag(b.active_paths) OVER upwards AS paths_before, sum(b.deaths_miss + b.deaths_absorb) OVER (PARTITION BY c.attempt) AS others
    FROM counted AS c
    CROSS JOIN bounce_counts AS b ON b.attempt = c.attempt AND b.bounce >= 0 -- naive has one launch
    WINDOW upwards AS (PARTITION BY c.attempt ORDER BY b.bounce)
),
expected AS (                       -- share of the warps with a path alive, by the formula
    SELECT *, 1 - pow(1 - alive, warp_width) AS some FROM ends WHERE others = 0 AND ended > 0
)
SELECT label || printf(', %s, roulette %s, %dx%d, bounce %d', materials, roulette, width, height, bounce) AS place,
       -- what is alive of the lanes launched, over the same a bounce earlier, where the chance is 0.5: once weights are even
       iif(materials = 'scene' AND ended_before > 0, active_paths / (warp_width * launched) / (paths_before / (warp_width * launched)), NULL) AS halves,
       100 * abs(1.0 * active_paths / (warp_width * active_warps) / (alive / some) - 1) AS off,
       -- twice the standard deviation of the number of active warps, in terms of it
       iif(2 * sqrt((1 - some) / (some * launched)) > 0.01, 'chance alone may move it by more than 1 %', '') AS excluded, '' AS flags, counted AS trials
FROM expected
ORDER BY label, materials, roulette, width, bounce
