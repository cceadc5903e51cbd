-- SPDX-License-Identifier: MIT
-- Wald 2011, 4: how much faster than 64 registers and blocks of 64 the best other choice is: of register caps at blocks of 64, and
-- of other block sizes.
WITH cell AS (
    SELECT *, row_number() OVER (PARTITION BY work, device_name, schedule, variant, tile_m ORDER BY seconds IS NULL, newest DESC) AS nth
    FROM timed
    WHERE variant IN ('naive', 'whole_frame', 'tiled_global') AND plain AND unthrottled AND dummy_flops = 0 AND traversal = 'while_while' AND matte AND
          lane_map = 'linear' AND pixel_order = 'tile' AND first_camera AND max_bounces = 8
),
compared AS (                       -- the paper's choice beside each other, the fastest first
    SELECT o.*, p.seconds / o.seconds AS faster, sqrt(p.relative_ci * p.relative_ci + o.relative_ci * o.relative_ci) AS ci, p.flags || '|' || o.flags AS words,
           p.trials || ', ' || o.trials AS both_trials, o.block = 64 AS by_registers,
           row_number() OVER (PARTITION BY p.setting, o.block = 64 ORDER BY o.seconds IS NULL, o.seconds) AS place_of
    FROM cell AS p
    JOIN cell AS o ON o.scene = p.scene AND o.camera = p.camera AND o.width = p.width AND o.height = p.height AND o.family = p.family AND
                      o.device_name = p.device_name AND o.variant = p.variant AND o.tile_m IS p.tile_m AND o.nth = 1 AND o.setting <> p.setting AND
                      replace(replace(o.schedule, 'block ' || o.block, ''), coalesce(o.registers || ' registers at most', 'registers as the compiler chooses'), '') =
                      replace(replace(p.schedule, 'block 64', ''), '64 registers at most', '')
    WHERE p.block = 64 AND p.registers IS 64 AND p.nth = 1
)
SELECT variant || ', ' || label || printf(', %dx%d, %s: %s, block %d', width, height, device_name, coalesce(registers || ' registers', 'registers free'), block) AS place,
       iif(by_registers, 100 * (faster - 1), NULL) AS registers, iif(by_registers, 100 * (faster * (1 - ci) - 1), NULL) AS registers_low,
       iif(by_registers, 100 * (faster * (1 + ci) - 1), NULL) AS registers_high,
       iif(by_registers, NULL, 100 * (faster - 1)) AS block, iif(by_registers, NULL, 100 * (faster * (1 - ci) - 1)) AS block_low,
       iif(by_registers, NULL, 100 * (faster * (1 + ci) - 1)) AS block_high,
       rtrim(iif(fitted, 'fitted|', '') || iif(instr(words, 'underfilled'), 'underfilled', ''), '|') AS excluded,
       trim(replace(replace(replace(words, 'underfilled', ''), '||', '|'), '||', '|'), '|') AS flags, both_trials AS trials
FROM compared
WHERE place_of = 1
ORDER BY by_registers, variant, label, width
