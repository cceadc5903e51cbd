-- SPDX-License-Identifier: MIT
-- Chapter on a kd-tree, 4.1: bits of the first word of a node, as kernels/trees/kd16.h has them (tests/test_kd_layouts.c reads them byte by byte).
SELECT 1 AS panel, column1 AS field, column1 AS published, column2 AS bits FROM (VALUES ('axis', 2), ('triangle_count', 5), ('is_leaf', 1), ('left_child', 24))
