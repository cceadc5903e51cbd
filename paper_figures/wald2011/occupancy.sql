-- SPDX-License-Identifier: MIT
-- Wald 2011, section 4.1: does the fall of occupancy explain the slow tiled kernel with shared memory? The tiled kernel with global memory,
-- held down to as few warps in two ways: by shared memory that it does not use, and by fewer blocks.
cell AS (
    SELECT t.*, row_number() OVER (PARTITION BY work, device_name, schedule, variant, tile_m, shared_pad, carveout, resident_blocks
                                   ORDER BY seconds IS NULL, newest DESC) AS nth
    FROM timed AS t
    WHERE variant IN ('tiled_global', 'tiled_shared') AND plain AND dummy_flops = 0 AND traversal = 'while_while' AND matte
),
ranked AS (
    SELECT work, scene, camera, device_name, width, height, max_bounces, family, schedule, carveout,
           min(device) AS device,
           group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY scene, camera, device_name, width, height
                              ORDER BY count(*) DESC, abs(max_bounces - 8), min(distance), max(newest) DESC) AS place
    FROM cell WHERE nth = 1
    GROUP BY work, device_name, schedule, carveout
    HAVING sum(shared_pad > 0 OR resident_blocks IS NOT NULL) > 0 OR :all = 1
),
kernel_of AS MATERIALIZED (
    SELECT s.setting, max(k.block_bytes) AS bytes, min(k.multiprocessor_warps) AS warps,
           (SELECT percent FROM achieved AS a WHERE a.spec = s.spec) AS achieved
    FROM setup AS s JOIN kernels AS k ON k.trial = s.trial AND k.auxiliary = 0 AND k.collection <> 'counts'
    GROUP BY s.setting
),
shown AS (
    SELECT p.panel, c.*, p.trials AS panel_trials, p.left_out
    FROM panel AS p
    JOIN cell AS c ON c.work = p.work AND c.device_name = p.device_name AND c.schedule = p.schedule AND c.carveout IS p.carveout AND c.nth = 1
)
SELECT s.panel, 'M ' || s.tile_m || ', ' || s.variant || iif(s.shared_pad > 0, ', ' || s.shared_pad || ' unused bytes', '') ||
           coalesce(', at most ' || s.resident_blocks || ' blocks', '') AS throttle,
       k.bytes / 1024.0 AS shared, k.warps, k.achieved / 100 AS achieved, iif(k.achieved IS NULL, 'no_counter', '') AS achieved_flags,
       1000 * s.seconds AS time, s.flags, s.trials AS row_trials, s.seconds / g.seconds AS slowdown,
       s.seconds / g.seconds * (1 - iif(s.setting = g.setting, NULL, sqrt(s.relative_ci * s.relative_ci + g.relative_ci * g.relative_ci))) AS slowdown_low,
       s.seconds / g.seconds * (1 + iif(s.setting = g.setting, NULL, sqrt(s.relative_ci * s.relative_ci + g.relative_ci * g.relative_ci))) AS slowdown_high,
       s.flags || coalesce('|' || g.flags, '|no_unthrottled') AS slowdown_flags,
       s.trials || iif(s.setting = g.setting, '', coalesce(', ' || g.trials, '')) AS both_trials,
       s.schedule || coalesce(', carve-out ' || s.carveout || ' %', '') AS schedule,
       s.scene, s.camera, s.device, s.device_name, s.width, s.height, s.max_bounces, s.family AS work, s.panel_trials AS trials, s.left_out
FROM shown AS s
LEFT JOIN shown AS g ON g.panel = s.panel AND g.tile_m = s.tile_m AND g.variant = 'tiled_global' AND g.shared_pad = 0 AND g.resident_blocks IS NULL
LEFT JOIN kernel_of AS k ON k.setting = s.setting
ORDER BY s.panel, s.tile_m, s.variant, s.resident_blocks IS NOT NULL, s.shared_pad, s.resident_blocks DESC, s.carveout
