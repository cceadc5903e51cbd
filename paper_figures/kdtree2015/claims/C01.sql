-- SPDX-License-Identifier: MIT
-- Bytes of a node before and after, and the share of a tree's nodes whose fields come back from 16 bytes: each scene a case.
SELECT c.place || ', packed' AS place, '' AS flags, c.trial AS trials, l.bytes AS packed, 1.0 * c.tree_packed / c.tree_nodes AS lossless, NULL AS pointers
FROM kd_cell AS c
JOIN kd_layout AS l ON l.tree = c.tree
WHERE c.plain AND c.usual AND c.tree = 'kd16'
GROUP BY c.place
UNION ALL
SELECT c.place || ', pointers', '', c.trial, NULL, NULL, l.bytes
FROM kd_cell AS c
JOIN kd_layout AS l ON l.tree = c.tree
WHERE c.plain AND c.usual AND c.tree = 'kd_ptr25'
GROUP BY c.place
