-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.1: predicted occupancy that blocks of 64 lanes with 64 registers lose on the paper's GPU between 6 KB of shared memory
-- each and the next amount that can be had; and the speed of tiled_shared at the best M that leaves it the resident warps of naive.
WITH tile AS MATERIALIZED (
    SELECT c.*, row_number() OVER (PARTITION BY c.work, c.device_name ORDER BY c.speedup DESC) AS best
    FROM timed_case AS c
    WHERE c.variant = 'tiled_shared' AND c.unthrottled AND c.max_bounces = 8 AND c.place_in_paper < 99 AND c.speedup IS NOT NULL AND
          (SELECT max(multiprocessor_warps) FROM kernels WHERE trial = c.trial AND NOT auxiliary) >=
              (SELECT max(k.multiprocessor_warps) FROM kernels AS k JOIN setup AS n ON n.trial = k.trial
               WHERE n.setting = c.naive_setting AND NOT k.auxiliary)
)
SELECT printf('compute capability %d.%d (%s)', version / 10, version % 10, example) AS place, '' AS excluded, '' AS flags, '' AS trials,
       100 * (occupancy(version, 64, 64, 6144) - occupancy(version, 64, 64, 6144 + shared_unit)) AS lost,
       NULL AS speed, NULL AS speed_low, NULL AS speed_high
FROM compute_capability
WHERE version = 20
UNION ALL
SELECT place || printf(', M = %d', tile_m), excluded, weak, both_trials, NULL, speedup, speedup * (1 - speedup_ci), speedup * (1 + speedup_ci)
FROM tile
WHERE best = 1
