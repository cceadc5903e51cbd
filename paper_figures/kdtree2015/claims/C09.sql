-- SPDX-License-Identifier: MIT
-- Loads of nodes with other stacks, relative to a stack of indices; what a stack of nodes loads more, relative to the children never visited.
SELECT a.place, '' AS flags, a.trial || ', ' || b.trial AS trials, iif(b.kd_stack = 'address', 1.0 * b.node_loads / a.node_loads, NULL) AS addresses,
       iif(b.kd_stack = 'record', 1.0 * (b.node_loads - a.node_loads) / a.never_visited, NULL) AS records
FROM kd_cell AS a
JOIN kd_cell AS b ON b.work = a.work AND b.device_name = a.device_name AND b.place = a.place AND b.tree = a.tree AND b.kd_order = a.kd_order AND
     b.kd_step = a.kd_step AND b.pixel_order = a.pixel_order AND b.affine_order = a.affine_order
WHERE a.plain AND b.kd_stack <> 'index' AND a.never_visited > 0
