-- SPDX-License-Identifier: MIT
-- Wald 2011, Table 1, 4 and 4.1: slowdown of the tiled kernel with shared memory: of tiles with M = 4, as far throttled as it was
-- run, beside its share of the warps that naive keeps resident; and at the best M.
WITH tile AS (
    SELECT *, row_number() OVER (PARTITION BY work, device_name ORDER BY seconds IS NULL, seconds) AS rank
    FROM timed_case WHERE variant = 'tiled_shared' AND max_bounces = 8 AND unthrottled AND place_in_paper < 99
),
held AS MATERIALIZED (
    SELECT t.setting, min(k.multiprocessor_warps) AS warps
    FROM timed_case AS t JOIN kernels AS k ON k.trial = t.trial AND k.auxiliary = 0 AND k.collection = 'frame'
    WHERE t.variant IN ('tiled_shared', 'naive') AND t.max_bounces = 8
    GROUP BY t.setting
),
at_4 AS (
    SELECT t.*, 1.0 * h.warps / n.warps AS occupancy,
           row_number() OVER (PARTITION BY t.work, t.device_name ORDER BY t.seconds IS NULL, instr(t.excluded, 'underfilled') > 0, h.warps,
                                       t.carveout IS NOT NULL, t.resident_blocks IS NOT NULL) AS rank
    FROM timed_case AS t
    LEFT JOIN held AS h ON h.setting = t.setting
    LEFT JOIN held AS n ON n.setting = t.naive_setting
    WHERE t.variant = 'tiled_shared' AND t.tile_m = 4 AND t.max_bounces = 8 AND t.place_in_paper < 99
)
SELECT place || ', M 4' || iif(shared_pad > 0, ', ' || shared_pad || ' unused bytes', '') ||
           coalesce(', at most ' || resident_blocks || ' blocks', '') AS place,
       excluded, weak AS flags, both_trials AS trials, 1 / speedup AS slowdown, 1 / speedup * (1 - speedup_ci) AS slowdown_low,
       1 / speedup * (1 + speedup_ci) AS slowdown_high, iif(speedup IS NULL, NULL, occupancy) AS occupancy, NULL AS best, NULL AS best_low,
       NULL AS best_high, 0 AS half, width * height AS size, place_in_paper
FROM at_4 WHERE rank = 1
UNION ALL
SELECT t.place || ', best M ' || t.tile_m,
       trim(t.excluded || iif((t.tile_m = 1 OR EXISTS (SELECT 1 FROM tile AS o WHERE o.work = t.work AND o.device_name = t.device_name AND
                                                          o.tile_m = t.tile_m / 2)) AND
                              (t.tile_m = 32 OR EXISTS (SELECT 1 FROM tile AS o WHERE o.work = t.work AND o.device_name = t.device_name AND
                                                          o.tile_m = 2 * t.tile_m)), '', '|tiles_left_out'), '|'),
       t.weak, t.both_trials, NULL, NULL, NULL, NULL, 1 / t.speedup, 1 / t.speedup * (1 - t.speedup_ci), 1 / t.speedup * (1 + t.speedup_ci),
       1, t.width * t.height, t.place_in_paper
FROM tile AS t
WHERE t.rank = 1 AND (SELECT count(*) FROM tile AS o WHERE o.work = t.work AND o.device_name = t.device_name AND o.seconds IS NOT NULL) > 1
ORDER BY half, size, place_in_paper, 1
