-- SPDX-License-Identifier: MIT
-- Distance of nodes at the bottom with a near ancestor, numbered depth first; lines that a step of a warp reads a byte that a lane reads, nodes (16 bytes)
-- relative to triangles (36, the corners that the watertight test reads); how far apart in number the nodes are that a ray visits one after the other, as
-- geometric mean, numbered depth first relative to breadth first.
SELECT place, '' AS flags, trial AS trials, node_distance AS distance,
       (1.0 * node_lines / inner_live / 16) / (1.0 * triangle_lines / triangle_live / 36) AS lines, NULL AS hops
FROM kd_cell
WHERE plain AND usual AND tree = 'kd16' AND triangle_test = 'watertight' AND triangle_live > 0
GROUP BY place
UNION ALL
SELECT d.place || ', depth against breadth first', '', d.trial || ', ' || b.trial, NULL, NULL,
       pow(2, (1.0 * d.hop_octaves / d.node_hops - 1.0 * b.hop_octaves / b.node_hops) / 8)
FROM kd_cell AS d
JOIN kd_cell AS b ON b.work = d.work AND b.place = d.place AND b.tree = d.tree AND b.kd_order = 'breadth' AND b.kd_step = d.kd_step AND b.kd_stack = d.kd_stack AND
     b.pixel_order = d.pixel_order AND b.affine_order = d.affine_order
WHERE d.plain AND d.tree = 'kd16' AND d.node_hops > 0 AND b.node_hops > 0
