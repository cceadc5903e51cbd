-- SPDX-License-Identifier: MIT
-- Wald 2011, 5: what whole_frame's launches from bounce 2 on take longer, in percent, by each thing that is changed alone
-- (experiments/wald2011/interventions): a row a scene and change, each beside the same kernel unchanged at the same carve-out. And
-- the exponent of time over SIMD efficiency, between compaction off and on.
WITH launched AS MATERIALIZED (     -- times from bounce 2 on, the newest; intervals are added up as if bounces erred together
    SELECT s.*, t.tree, max(k.spill_bytes) AS spills, sum(b.seconds) AS seconds, sum(b.seconds * b.relative_ci) / sum(b.seconds) AS ci,
           trim(iif(s.fitted, 'fitted', '') || iif(2 * sum(b.seconds * b.underfilled) > sum(b.seconds), '|bounce_idle', ''), '|') AS excluded,
           iif(min(b.replicates) < 5, 'few_replicates', '') AS weak
    FROM setup AS s
    JOIN trial_record AS t ON t.id = s.trial
    JOIN (SELECT *, max(trial) FROM bounces WHERE bounce >= 2 AND seconds IS NOT NULL GROUP BY spec, bounce) AS b ON b.timed_setting = s.setting
    LEFT JOIN kernels AS k ON k.trial = s.trial AND k.collection = 'launches' AND k.kernel LIKE '%bounce'
    WHERE s.variant IN ('whole_frame', 'whole_frame_off') AND s.plain AND s.matte AND s.first_camera AND s.max_bounces = 8 AND s.traversal = 'while_while'
    GROUP BY s.setting
),
change AS (                         -- the experiment's points, and which of them each is compared with
    SELECT *, CASE WHEN tree = 'binary_padded' THEN 'doubled' WHEN dummy_flops > 0 THEN 'flops' WHEN registers = 80 THEN 'spills' WHEN shared_pad = 3072 THEN 'halved'
                   WHEN shared_pad IN (0, 1664) THEN 'none' END AS name,
           iif(shared_pad = 1664, 'spills', 'others') AS beside
    FROM launched
    WHERE variant = 'whole_frame' AND carveout IS NOT NULL
),
arithmetic AS MATERIALIZED (        -- floating-point instructions from bounce 2 on, at whatever size they were counted
    SELECT s.scene, s.device_name, s.dummy_flops, s.width, sum(c.value) AS value
    FROM setup AS s JOIN trial_record AS t ON t.spec = s.spec JOIN counter AS c ON c.trial = t.id
    WHERE c.metric = 'fp32_lane_operations' AND c.bounce >= 2 AND NOT c.auxiliary AND s.variant = 'whole_frame' AND s.carveout IS NOT NULL AND
          s.schedule NOT LIKE '%padded%'
    GROUP BY c.attempt
),
added AS (                          -- by dummy arithmetic, as a share
    SELECT n.scene, n.device_name, n.dummy_flops, max(n.value / o.value - 1) AS share
    FROM arithmetic AS n JOIN arithmetic AS o ON o.scene = n.scene AND o.device_name = n.device_name AND o.width = n.width AND o.dummy_flops = 0
    WHERE n.dummy_flops > 0
    GROUP BY 1, 2, 3
),
efficiency AS (                     -- lanes of all warp instructions of the extension kernel from bounce 2 on
    SELECT t.spec, 1.0 * sum(c.thread_instructions) / sum(c.instructions) AS lanes
    FROM trial_record AS t
    JOIN attempt AS a ON a.trial = t.id AND a.collection = 'counters' AND a.status = 'done' AND NOT a.superseded
    JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.bounce >= 2 AND NOT l.auxiliary
    JOIN site_count AS c ON c.attempt = a.id AND c.launch = l.number AND c.site = 3
    WHERE t.spec IN (SELECT spec FROM launched WHERE unthrottled)
    GROUP BY t.spec
),
value AS (                          -- 'spills': what is saved, nothing where there are none; 'flops': in proportion, for 10 %
    SELECT n.name, n.place_in_paper, n.label, n.width, n.height, n.device_name, n.excluded, n.weak, o.trials || ', ' || n.trials AS trials,
           CASE n.name WHEN 'spills' THEN -100 * (o.spills > 0) WHEN 'flops' THEN 10 / a.share ELSE 100 END AS scale, n.seconds / o.seconds AS ratio,
           n.seconds / o.seconds * sqrt(n.ci * n.ci + o.ci * o.ci) AS half, 1.0 AS least
    FROM change AS n
    JOIN change AS o ON o.name = 'none' AND o.beside = n.beside AND o.work = n.work AND o.device_name = n.device_name AND o.carveout = n.carveout
    LEFT JOIN added AS a ON a.scene = n.scene AND a.device_name = n.device_name AND a.dummy_flops = n.dummy_flops
    WHERE n.name <> 'none'
    UNION ALL
    SELECT 'exponent', n.place_in_paper, n.label, n.width, n.height, n.device_name, n.excluded, n.weak, o.trials || ', ' || n.trials, 1 / ln(e.lanes / f.lanes),
           ln(o.seconds / n.seconds), sqrt(n.ci * n.ci + o.ci * o.ci), 0.0
    FROM launched AS n
    JOIN launched AS o ON o.variant = 'whole_frame_off' AND o.work = n.work AND o.device_name = n.device_name AND o.schedule = n.schedule AND o.unthrottled
    JOIN efficiency AS e ON e.spec = n.spec
    JOIN efficiency AS f ON f.spec = o.spec
    WHERE n.variant = 'whole_frame' AND n.unthrottled AND n.dummy_flops = 0 AND n.distance = 0
),
point AS (
    SELECT *, scale * (ratio - least) AS value, scale * (ratio - least) - abs(scale) * half AS low, scale * (ratio - least) + abs(scale) * half AS high FROM value
)
SELECT label || printf(', %dx%d, %s', width, height, device_name) AS place, excluded, weak AS flags, trials,
       iif(name = 'doubled', value, NULL) AS doubled, iif(name = 'doubled', low, NULL) AS doubled_low, iif(name = 'doubled', high, NULL) AS doubled_high,
       iif(name = 'halved', value, NULL) AS halved, iif(name = 'halved', low, NULL) AS halved_low, iif(name = 'halved', high, NULL) AS halved_high,
       iif(name = 'exponent', value, NULL) AS exponent, iif(name = 'exponent', low, NULL) AS exponent_low, iif(name = 'exponent', high, NULL) AS exponent_high,
       iif(name = 'flops', value, NULL) AS flops, iif(name = 'flops', low, NULL) AS flops_low, iif(name = 'flops', high, NULL) AS flops_high,
       iif(name = 'spills', value, NULL) AS spills, iif(name = 'spills', low, NULL) AS spills_low, iif(name = 'spills', high, NULL) AS spills_high
FROM point
ORDER BY place_in_paper, label, width, name
