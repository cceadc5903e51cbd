-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.4, 5: speedup of whole_frame at all of the resident warps and at an eighth of them (residency.yaml of
-- experiments/wald2011/interventions), and the share of its stall samples that wait for memory or its queues, in points. against: what one speedup
-- exceeds the other by where these shares are 20 points apart or more; where they are not, no small difference of the speedups speaks against it.
WITH residency AS (
    SELECT w.*, n.seconds / w.seconds AS ratio, n.seconds / w.seconds * sqrt(pow(n.relative_ci, 2) + pow(w.relative_ci, 2)) AS half,
           (SELECT 100.0 * sum(iif(k.reason IN ('long_scoreboard', 'lg_throttle'), k.samples, 0)) / sum(k.samples)
            FROM trial_record AS t JOIN stalls AS k ON k.trial = t.id AND NOT k.auxiliary WHERE t.spec = w.spec) AS memory,
           w.words || '|' || n.words AS all_words, w.trials || ', ' || n.trials AS all_trials
    FROM timed_case AS w
    JOIN timed_case AS n ON n.variant = 'naive' AND n.work = w.work AND n.device_name = w.device_name AND n.shared_pad = w.shared_pad AND n.carveout = w.carveout
    WHERE w.variant = 'whole_frame' AND w.max_bounces = 8
)
SELECT f.place, f.ratio AS speedup, f.half AS speedup_half, f.ratio - e.ratio AS rise, sqrt(pow(f.half, 2) + pow(e.half, 2)) AS rise_half,
       f.memory - e.memory AS stalls,
       iif(abs(f.memory - e.memory) >= 20, f.ratio - e.ratio, max(0, f.ratio - e.ratio)) AS against,
       iif(abs(f.memory - e.memory) >= 20, sqrt(pow(f.half, 2) + pow(e.half, 2)), 0) AS against_half, f.all_words || '|' || e.all_words AS flags, f.all_trials || ', ' || e.all_trials AS trials
FROM residency AS f
JOIN residency AS e ON e.work = f.work AND e.device_name = f.device_name AND e.carveout = f.carveout
WHERE f.shared_pad = 0 AND e.held * 8 = f.held
ORDER BY f.place_in_paper, f.place
