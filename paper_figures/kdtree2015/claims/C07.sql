-- SPDX-License-Identifier: MIT
-- Distance of nodes at the bottom with a near ancestor, numbered depth first; lines that a step of a warp reads a byte that a lane reads, nodes (16 bytes)
-- relative to triangles (48).
SELECT place, '' AS flags, trial AS trials, node_distance AS distance,
       (1.0 * node_lines / inner_steps / 16) / (1.0 * triangle_lines / triangle_steps / 48) AS lines
FROM kd_cell
WHERE plain AND tree = 'kd16' AND triangle_test = 'watertight'
GROUP BY place
