-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.4, 5: speedup of whole_frame at all of the resident warps and at an eighth of them (experiments/wald2011/interventions:
-- residency.yaml), and the share of its stall samples that wait for memory or its queues, in points.
WITH sampled AS MATERIALIZED (
    SELECT t.spec, sum(iif(k.reason IN ('long_scoreboard', 'lg_throttle'), k.samples, 0)) * 100.0 / sum(k.samples) AS memory
    FROM stalls AS k JOIN trial_record AS t ON t.id = k.trial
    WHERE NOT k.auxiliary
    GROUP BY k.trial
),
residency AS (
    SELECT w.*, n.seconds / w.seconds AS speedup, n.seconds / w.seconds * sqrt(n.relative_ci * n.relative_ci + w.relative_ci * w.relative_ci) AS half,
           (SELECT max(memory) FROM sampled AS k WHERE k.spec = w.spec) AS memory, w.trials || ', ' || n.trials AS both_trials,
           w.flags || '|' || n.flags AS both_flags
    FROM timed AS w
    JOIN timed AS n ON n.variant = 'naive' AND n.work = w.work AND n.device_name = w.device_name AND n.schedule = w.schedule AND
                       n.shared_pad = w.shared_pad AND n.carveout = w.carveout AND n.dummy_flops = w.dummy_flops AND n.traversal = w.traversal
    WHERE w.variant = 'whole_frame' AND w.plain AND w.matte AND w.first_camera AND w.max_bounces = 8 AND w.carveout IS NOT NULL
)
SELECT f.label || printf(', %dx%d, %s', f.width, f.height, f.device_name) AS place, f.speedup, f.speedup - f.half AS speedup_low, f.speedup + f.half AS speedup_high,
       f.speedup - e.speedup AS rise, f.speedup - e.speedup - sqrt(f.half * f.half + e.half * e.half) AS rise_low,
       f.speedup - e.speedup + sqrt(f.half * f.half + e.half * e.half) AS rise_high, f.memory - e.memory AS stalls,
       trim(iif(f.fitted, 'fitted', '') || iif(instr(f.both_flags || e.both_flags, 'underfilled'), '|underfilled', ''), '|') AS excluded,
       trim(replace(replace(f.both_flags || '|' || e.both_flags, 'underfilled', ''), '||', '|'), '|') AS flags, f.both_trials || ', ' || e.both_trials AS trials
FROM residency AS f
JOIN residency AS e ON e.work = f.work AND e.device_name = f.device_name AND e.schedule = f.schedule AND e.carveout = f.carveout
WHERE f.shared_pad = 0 AND e.shared_pad = 15360
ORDER BY f.place_in_paper, f.label
