-- SPDX-License-Identifier: MIT
-- Wald 2011, Figure 2, right: predicted occupancy of a kernel with 64 registers and blocks of 64 lanes against the shared memory
-- of its tile of 64 x M paths at 96 bytes (88 of state, 8 of list and flags): the paper's GPU, and every GPU of the database,
-- there beside what its own kernels may reach by their registers, and what the hardware counted. M = 0: no shared memory, and
-- the naive kernel.
--
WITH device AS (                       -- of GPUs the compute capability, from the compiler's options
    SELECT device_name, CAST(substr(provenance, instr(provenance, 'sm_') + 3, 3) AS INTEGER) AS version
    FROM result WHERE instr(provenance, 'sm_') GROUP BY 1, 2
),
shown AS (
    SELECT 0 AS place, c.example AS device, NULL AS device_name, c.* FROM compute_capability AS c WHERE c.version = 20
    UNION ALL
    SELECT 1, d.device_name, d.device_name, c.* FROM device AS d
    JOIN compute_capability AS c ON c.version = (SELECT max(x.version) FROM compute_capability AS x
                                                 WHERE x.version <= d.version AND x.version / 10 = d.version / 10)
),
panel AS (
    SELECT row_number() OVER (ORDER BY place, device) AS panel, * FROM shown
),
tile AS (
    SELECT column1 AS tile_m, 64 * 96 * column1 AS bytes
    FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (12), (16), (24), (32))
),
held AS (
    SELECT *, occupancy_warps(version, 64, 64, bytes) / 2 AS blocks FROM panel CROSS JOIN tile
),
measured AS MATERIALIZED (          -- kernels of the database: the nearest to the paper's of each device and tile
    SELECT m.*, row_number() OVER (PARTITION BY device_name, tile_m ORDER BY achieved IS NULL, distance, size DESC, newest DESC) AS nth
    FROM (SELECT s.device_name, iif(s.variant = 'naive', 0, s.tile_m) AS tile_m, s.distance, s.width * s.height AS size, s.newest,
                 s.trials, max(k.registers) AS kernel_registers, max(k.multiprocessor_warps) AS kernel_warps,
                 (SELECT percent FROM achieved AS a WHERE a.spec = s.spec) AS achieved
          FROM setup AS s
          JOIN kernels AS k ON k.trial = s.trial AND k.auxiliary = 0 AND k.collection <> 'counts'
          WHERE s.variant IN ('naive', 'tiled_shared') AND s.block = 64 AND s.plain AND s.unthrottled AND s.dummy_flops = 0
          GROUP BY s.setting) AS m
)
SELECT h.panel, h.tile_m, iif(h.place = 0, h.tile_m, NULL) AS paper_tile, h.bytes / 1024.0 AS shared, h.blocks,
       2 * h.blocks AS warps, 100.0 * 2 * h.blocks / h.max_warps AS occupancy,
       m.kernel_registers, 100.0 * m.kernel_warps / h.max_warps AS kernel_occupancy, m.achieved,
       CASE WHEN h.place = 0 THEN 'other_gpu' WHEN h.blocks = 0 THEN 'no_room' WHEN m.trials IS NULL THEN 'no_kernel'
            WHEN m.achieved IS NULL THEN 'no_counter' ELSE '' END AS achieved_flags,
       CASE WHEN h.place = 0 THEN 'other_gpu' WHEN h.blocks = 0 THEN 'no_room' WHEN m.trials IS NULL THEN 'no_kernel' ELSE '' END AS kernel_flags,
       iif(h.blocks = 0, 'no_room', '') AS occupancy_flags, m.trials AS kernel_trials,
       h.device, printf('compute capability %d.%d: %d warps, %d blocks, %d registers, %d KB shared memory a multiprocessor',
                        h.version / 10, h.version % 10, h.max_warps, h.max_blocks, h.registers, h.shared_multiprocessor / 1024) AS device_name
FROM held AS h
LEFT JOIN measured AS m ON m.device_name = h.device_name AND m.tile_m = h.tile_m AND m.nth = 1
WHERE h.blocks > 0 OR (h.place = 0 AND h.tile_m <= 8)
ORDER BY h.panel, h.tile_m
