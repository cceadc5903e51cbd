-- SPDX-License-Identifier: MIT
-- CMU report: what queues of materials cost and save, in shares of the frame of two stages. Saved: the stage of logic, which shades no more.
-- Added: the stage of materials, lists, and gaps between launches. Where lanes evaluate materials, as in C09.
WITH pair AS (
    SELECT a.label || ', ' || a.device_name || ', ' || a.width || 'x' || a.height || iif(a.batch < a.spp, ', batch ' || a.batch, '') AS place, a.setting AS two,
           b.setting AS three, a.counted AS two_counted, b.counted AS three_counted, a.trials || ', ' || b.trials AS trials, a.flags || '|' || b.flags AS flags,
           a.seconds AS two_seconds, b.seconds AS three_seconds
    FROM cell AS a
    JOIN cell AS b ON b.slice = a.slice AND b.work = a.work AND b.variant = 'three_stage' AND b.plain AND b.tickets = a.tickets AND b.batch = a.batch
    WHERE a.variant = 'two_stage' AND a.plain AND a.tickets = 'atomic'
),
part AS (                           -- sign: +1 saved, -1 added
    SELECT p.place, s.seconds * k.sign AS seconds, s.half
    FROM pair AS p
    JOIN (SELECT 'logic' AS stage, 0 AS three, 1 AS sign UNION ALL SELECT 'lists', 0, 1 UNION ALL SELECT 'gaps', 0, 1 UNION ALL SELECT 'logic', 1, -1
          UNION ALL SELECT 'material', 1, -1 UNION ALL SELECT 'lists', 1, -1 UNION ALL SELECT 'gaps', 1, -1) AS k
    JOIN stage_time AS s ON s.setting = iif(k.three, p.three, p.two) AND s.stage = k.stage
),
balance AS (
    SELECT p.*, sum(s.seconds) / p.two_seconds / (SELECT spp FROM cell WHERE setting = p.two) AS net,
           sqrt(sum(s.half * s.half)) / p.two_seconds / (SELECT spp FROM cell WHERE setting = p.two) AS half
    FROM pair AS p
    JOIN part AS s ON s.place = p.place
    WHERE EXISTS (SELECT 1 FROM stage_time WHERE setting = p.three AND stage = 'material') AND EXISTS (SELECT 1 FROM stage_time WHERE setting = p.two AND stage = 'logic')
    GROUP BY p.place
)
SELECT place, flags, '' AS excluded, trials, net, half AS net_half, NULL AS excess, NULL AS excess_half, NULL AS coherence FROM balance
UNION ALL
SELECT place || ', as meant', flags, iif(three_seconds > two_seconds, '', 'three stages are not slower here'), trials, NULL, NULL, -net, half, NULL FROM balance
UNION ALL
SELECT p.place || ', lanes', '', '', p.two_counted || ', ' || p.three_counted, NULL, NULL, NULL, NULL,
       1.0 * b.shaded / (b.warp_width * b.shading_warps) - 1.0 * a.shaded / (a.warp_width * a.shading_warps)
FROM pair AS p
JOIN work_done AS a ON a.trial = p.two_counted AND a.shaded > 0
JOIN work_done AS b ON b.trial = p.three_counted AND b.shaded > 0
