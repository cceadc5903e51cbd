-- SPDX-License-Identifier: MIT
-- The most nodes that 24 bits can name; of each scene, how much of that its tree needs, and the share of leaves with more triangles than 31.
SELECT DISTINCT scene || ', ' || scene_triangles || ' triangles' AS place, '' AS flags, max(trial) AS trials, 1 << 24 AS nodes_most,
       1.0 * tree_nodes / (1 << 24) AS needed, 1.0 * tree_crowded / tree_leaves AS crowded
FROM kd_cell
WHERE plain AND tree = 'kd16'
GROUP BY scene
