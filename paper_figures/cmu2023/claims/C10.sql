-- SPDX-License-Identifier: MIT
-- CMU report: what queues of materials save and cost, in shares of the frame of two stages. Saved: time of the stage logic, which shades less.
-- Added: time of the stage of materials, of lists and of gaps between launches. And where lanes evaluate materials, as in C09.
WITH pair AS (
    SELECT a.label || ', ' || a.device_name || ', ' || a.width || 'x' || a.height || ', ' || a.spp || ' samples' || iif(a.batch < a.spp, ', batch ' || a.batch, '') AS place, a.setting AS two,
           b.setting AS three, a.counted AS two_counted, b.counted AS three_counted
    FROM cell AS a
    JOIN cell AS b ON b.slice = a.slice AND b.work = a.work AND b.variant = 'three_stage' AND b.plain AND b.tickets = a.tickets AND b.batch = a.batch
    WHERE a.variant = 'two_stage' AND a.plain AND a.tickets = 'atomic'
),
frame AS (
    SELECT setting, sum(seconds) AS seconds, sum(iif(stage IN ('logic', 'material', 'lists', 'gaps'), seconds, 0)) AS shading,
           sum(iif(stage IN ('logic', 'material', 'lists', 'gaps'), half * half, 0)) AS variance, max(trials) AS trials
    FROM stage_time
    GROUP BY setting
    HAVING max(stage = 'logic')
),
balance AS (
    SELECT p.place, coalesce((SELECT iif(max(f.underfilled), 'underfilled', '') FROM frame_waves AS f WHERE f.setting IN (p.two, p.three)), '') AS flags,
           a.trials || ', ' || b.trials AS trials, b.seconds > a.seconds AS slower, (a.shading - b.shading) / a.seconds AS net,
           sqrt(a.variance + b.variance) / a.seconds AS half
    FROM pair AS p
    JOIN frame AS a ON a.setting = p.two
    JOIN frame AS b ON b.setting = p.three
)
SELECT place, flags, '' AS excluded, trials, net, half AS net_half, NULL AS excess, NULL AS excess_half, NULL AS coherence FROM balance
UNION ALL
SELECT place || ', as meant', flags, iif(slower, '', 'three stages are not slower here'), trials, NULL, NULL, -net, half, NULL FROM balance
UNION ALL
SELECT p.place || ', lanes', '', '', p.two_counted || ', ' || p.three_counted, NULL, NULL, NULL, NULL,
       1.0 * b.shaded / (b.warp_width * b.shading_warps) - 1.0 * a.shaded / (a.warp_width * a.shading_warps)
FROM pair AS p
JOIN work_done AS a ON a.trial = p.two_counted AND a.shaded > 0
JOIN work_done AS b ON b.trial = p.three_counted AND b.shaded > 0
