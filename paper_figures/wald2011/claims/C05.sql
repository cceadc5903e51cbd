-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.1 and Figure 2: occupancy of 64 lanes with 64 registers by the limits of compute capability 2.0, less the printed one.
SELECT iif(tile_m = 0, 'no shared memory', printf('M = %d, %g KB', tile_m, shared)) AS place, '' AS excluded, '' AS flags,
       abs(100 * occupancy(20, 64, 64, CAST(1024 * shared AS INTEGER)) - occupancy) AS difference
FROM published_figure2_right
ORDER BY CAST(tile_m AS INTEGER)
