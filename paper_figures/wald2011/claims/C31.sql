-- SPDX-License-Identifier: MIT
-- Wald 2011, 3.5: the greatest M whose tile of 64 x M paths fits into a block's shared memory: on the paper's GPU at 88 bytes per path, with
-- the 16 bytes of radiance beside them too, and at the kernel's own size on GPUs here.
WITH kernel_of AS (                 -- what the kernel takes of a path, of every GPU here
    SELECT s.device_name, min(1.0 * k.block_bytes / (s.block * s.tile_m)) AS bytes, group_concat(DISTINCT s.trial) AS trials,
           (SELECT CAST(substr(r.provenance, instr(r.provenance, 'sm_') + 3, 3) AS INTEGER) FROM result AS r
            WHERE r.device_name = s.device_name AND instr(r.provenance, 'sm_') LIMIT 1) AS version
    FROM setup AS s
    JOIN kernels AS k ON k.trial = s.trial AND k.auxiliary = 0 AND k.block_bytes > 0
    WHERE s.variant = 'tiled_shared' AND s.block = 64 AND s.plain AND s.unthrottled AND s.device_kind = 'gpu'
    GROUP BY s.device_name
)
SELECT c.example || printf(', %d bytes per path, %d bytes', b.column1, c.shared_block) AS place, c.shared_block / (64 * b.column1) AS most, '' AS trials,
       iif(b.column1 = 88, '', 'with the radiance of a path, which is kept elsewhere') AS excluded
FROM compute_capability AS c CROSS JOIN (VALUES (88), (104)) AS b
WHERE c.version = 20
UNION ALL
SELECT printf('%s, %.0f bytes per path, %d bytes', k.device_name, k.bytes, c.shared_block), CAST(c.shared_block / (64 * k.bytes) AS INTEGER), k.trials, 'another GPU'
FROM kernel_of AS k
JOIN compute_capability AS c ON c.version = (SELECT max(x.version) FROM compute_capability AS x WHERE x.version <= k.version AND x.version / 10 = k.version / 10)
