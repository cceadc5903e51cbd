-- SPDX-License-Identifier: MIT
-- Wald 2011, 5: what whole_frame's launches from bounce 2 on take longer, in percent, by each thing that is changed alone
-- (experiments/wald2011/interventions), beside the same kernel unchanged at the same carve-out; and the exponent of time over SIMD
-- efficiency, between compaction off and on.
WITH launched AS MATERIALIZED (     -- times from bounce 2 on, the newest; intervals are added up as if bounces erred together
    SELECT s.*, s.label || printf(', %dx%d, %s', s.width, s.height, s.device_name) AS place, sum(b.seconds) AS seconds,
           sum(b.seconds * b.relative_ci) / sum(b.seconds) AS ci, iif(s.fitted, 'fitted|', '') || iif(min(b.replicates) < 5, 'few_replicates|', '') ||
               iif(2 * sum(b.seconds * b.underfilled) > sum(b.seconds), 'bounce_idle', '') AS words
    FROM setup AS s
    JOIN (SELECT *, max(trial) FROM bounces WHERE bounce >= 2 AND seconds IS NOT NULL GROUP BY spec, bounce) AS b ON b.timed_setting = s.setting
    WHERE s.variant IN ('whole_frame', 'whole_frame_off') AND s.plain AND s.matte AND s.first_camera AND s.max_bounces = 8 AND s.traversal = 'while_while'
    GROUP BY s.setting
),
change AS MATERIALIZED (            -- with the warps that a multiprocessor holds
    SELECT l.*, t.tree, max(k.multiprocessor_warps) AS held, max(k.spill_bytes) AS spilled
    FROM launched AS l JOIN trial_record AS t ON t.id = l.trial JOIN kernels AS k ON k.trial = l.trial AND k.collection <> 'counts' AND NOT k.auxiliary
    WHERE l.variant = 'whole_frame' AND l.carveout IS NOT NULL
    GROUP BY l.setting
),
pair_of AS (                        -- each beside the kernel that differs from it in this alone
    SELECT n.*, o.seconds AS other_seconds, o.ci AS other_ci, o.trials AS other_trials, o.spilled AS other_spilled,
           CASE WHEN n.tree <> o.tree THEN 'doubled' WHEN n.dummy_flops > 0 THEN 'flops' WHEN n.registers > o.registers THEN 'spills' ELSE 'halved' END AS name
    FROM change AS n
    JOIN change AS o ON o.work = n.work AND o.device_name = n.device_name AND o.carveout = n.carveout AND o.tree = 'binary' AND o.dummy_flops = 0 AND
                        o.registers = 64 AND CASE WHEN n.tree <> 'binary' OR n.dummy_flops > 0 OR n.registers > 64 THEN o.shared_pad = n.shared_pad AND o.held = n.held
                                                  ELSE o.shared_pad = 0 AND o.held = 2 * n.held END
),
arithmetic AS MATERIALIZED (        -- floating-point instructions from bounce 2 on, at whatever size they were counted
    SELECT s.scene, s.device_name, s.dummy_flops, s.width, sum(c.value) AS value
    FROM setup AS s JOIN trial_record AS t ON t.spec = s.spec AND t.tree = 'binary' JOIN counter AS c ON c.trial = t.id
    WHERE c.metric = 'fp32_lane_operations' AND c.bounce >= 2 AND NOT c.auxiliary AND s.variant = 'whole_frame' AND s.carveout IS NOT NULL
    GROUP BY c.attempt
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
value AS (                          -- in percent; 'flops' in proportion, as if 10 % had been added; 'spills': what is saved, nothing where there are none
    SELECT name, place_in_paper, place, words, other_trials || ', ' || trials AS trials, seconds / other_seconds - 1 AS change,
           seconds / other_seconds * sqrt(pow(ci, 2) + pow(other_ci, 2)) AS half,
           CASE name WHEN 'spills' THEN iif(other_spilled > 0, -100, 0)
                     WHEN 'flops' THEN 10 / (SELECT max(m.value / z.value - 1) FROM arithmetic AS m JOIN arithmetic AS z USING (scene, device_name, width)
                                             WHERE z.dummy_flops = 0 AND m.dummy_flops = n.dummy_flops AND scene = n.scene AND device_name = n.device_name)
                     ELSE 100 END AS scale
    FROM pair_of AS n
    UNION ALL
    SELECT 'exponent', n.place_in_paper, n.place, n.words, o.trials || ', ' || n.trials, ln(o.seconds / n.seconds), sqrt(pow(n.ci, 2) + pow(o.ci, 2)), 1 / ln(e.lanes / f.lanes)
    FROM launched AS n
    JOIN launched AS o ON o.variant = 'whole_frame_off' AND o.work = n.work AND o.device_name = n.device_name AND o.schedule = n.schedule AND o.unthrottled
    JOIN efficiency AS e ON e.spec = n.spec
    JOIN efficiency AS f ON f.spec = o.spec
    WHERE n.variant = 'whole_frame' AND n.unthrottled AND n.dummy_flops = 0 AND n.distance = 0
)
SELECT place, group_concat(words, '|') AS flags, group_concat(trials, ', ') AS trials,
       max(iif(name = 'doubled', scale * change, NULL)) AS doubled, max(iif(name = 'doubled', scale * half, NULL)) AS doubled_half,
       max(iif(name = 'halved', scale * change, NULL)) AS halved, max(iif(name = 'halved', scale * half, NULL)) AS halved_half,
       max(iif(name = 'exponent', scale * change, NULL)) AS exponent, max(iif(name = 'exponent', scale * half, NULL)) AS exponent_half,
       max(iif(name = 'flops', scale * change, NULL)) AS flops, max(iif(name = 'flops', scale * half, NULL)) AS flops_half,
       max(iif(name = 'spills', scale * change, NULL)) AS spills, max(iif(name = 'spills', abs(scale) * half, NULL)) AS spills_half
FROM value
GROUP BY place
ORDER BY place_in_paper, place
