-- SPDX-License-Identifier: MIT
-- Utilisation of naive by bounce where paths end by roulette alone, all with one chance, against the binomial formula; and lanes alive over launched, from bounce to bounce (3.3).
WITH cell AS (                      -- closed, and of one reflectance everywhere: all paths have the same weight
    SELECT s.*, o.trial AS counted, o.first_paths, row_number() OVER (PARTITION BY s.work ORDER BY s.distance, s.device <> 'cuda', s.newest DESC) AS pick
    FROM setup AS s
    JOIN totals AS o ON o.spec = s.spec AND o.nth = 1
    WHERE s.variant = 'naive' AND s.plain AND s.unthrottled AND s.dummy_flops = 0 AND s.lighting = 'direct' AND
          (s.materials = 'lambert07' OR s.scene = 'furnace')
),
bounces AS (
    SELECT c.label, c.materials, c.width, c.height, c.fitted, c.trials, t.roulette, b.trial, b.bounce, b.warp_width, b.active_paths, b.active_warps,
           1.0 * b.active_paths / c.first_paths AS alive, 1.0 * l.warps AS launched,
           lag(b.deaths_roulette) OVER bounces AS ended, lag(b.deaths_roulette, 2) OVER bounces AS ended_before,
           lag(b.active_paths) OVER bounces AS paths_before, sum(b.deaths_miss + b.deaths_absorb) OVER (PARTITION BY c.setting) AS others
    FROM cell AS c
    JOIN trial_record AS t ON t.id = c.counted
    JOIN bounce AS b ON b.trial = c.counted
    JOIN launched AS l ON l.attempt = b.attempt AND l.bounce = -1
    WHERE c.pick = 1
    WINDOW bounces AS (PARTITION BY c.setting ORDER BY b.bounce)
),
expected AS (                       -- share of the warps with a path alive, by the formula
    SELECT *, 1 - pow(1 - alive, warp_width) AS some FROM bounces WHERE others = 0 AND ended > 0
)
SELECT label || printf(', %s, roulette %s, %dx%d, bounce %d', materials, roulette, width, height, bounce) AS place,
       -- what is alive of the lanes launched, over the same a bounce earlier, where the chance is 0.5: once weights are even
       iif(materials = 'scene' AND ended_before > 0, active_paths / (warp_width * launched) / (paths_before / (warp_width * launched)), NULL) AS halves,
       100 * abs(1.0 * active_paths / (warp_width * active_warps) / (alive / some) - 1) AS off,
       -- twice the standard deviation of the number of active warps, in terms of it
       iif(2 * sqrt((1 - some) / (some * launched)) > 0.01, 'chance alone may move it by more than 1 %', '') AS excluded, '' AS flags, trial AS trials
FROM expected
ORDER BY label, materials, roulette, width, bounce
