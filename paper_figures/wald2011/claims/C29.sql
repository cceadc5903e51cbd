-- SPDX-License-Identifier: MIT
-- Wald 2011, 4: how much faster than 64 registers and blocks of 64 the best other choice is, of register caps and of block sizes: by itself
-- and as far as it exceeds the noise. It is about all kernels, and not decided by some of them.
WITH compared AS (                  -- the paper's choice beside each other, the fastest first
    SELECT o.*, p.seconds / o.seconds AS faster, sqrt(pow(p.relative_ci, 2) + pow(o.relative_ci, 2)) AS ci, max(p.noise_floor, o.noise_floor) AS noise,
           p.words || '|' || o.words AS all_words, p.trials || ', ' || o.trials AS all_trials, o.block = 64 AS by_registers,
           row_number() OVER (PARTITION BY p.setting ORDER BY o.seconds IS NULL, o.seconds) AS place_of
    FROM usual_case AS p
    JOIN usual_case AS o ON o.scene = p.scene AND o.camera = p.camera AND o.width = p.width AND o.height = p.height AND o.family = p.family AND
                            o.device_name = p.device_name AND o.variant = p.variant AND o.tile_m IS p.tile_m AND o.setting <> p.setting AND
                            o.dummy_flops = 0 AND o.traversal = 'while_while' AND o.light_search = 'alias' AND
                            replace(replace(o.schedule, 'block ' || o.block, ''), coalesce(o.registers || ' registers at most', 'registers as the compiler chooses'), '') =
                            replace(replace(p.schedule, 'block 64', ''), '64 registers at most', '')
    WHERE p.block = 64 AND p.registers IS 64 AND p.dummy_flops = 0 AND p.traversal = 'while_while' AND p.light_search = 'alias'
)
SELECT variant || ', ' || label || printf(', %dx%d, %s: %s, block %d', width, height, device_name, coalesce(registers || ' registers', 'registers free'), block) AS place,
       iif((SELECT count(DISTINCT variant) FROM compared WHERE faster NOTNULL AND variant IN ('naive', 'whole_frame', 'tiled_global', 'tiled_shared')) < 4,
           'not all four kernels were compared', '') AS excluded,
       100 * (faster - 1 - noise) AS faster, 100 * faster * ci AS faster_half, 100 * (faster - 1) AS best, 100 * faster * ci AS best_half, all_words AS flags, all_trials AS trials
FROM compared
WHERE place_of = 1
ORDER BY variant, label, width
