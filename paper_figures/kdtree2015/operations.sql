-- SPDX-License-Identifier: MIT
-- Operations of the triangle tests, counted in the kernels' own text by tests/count_operations.cpp, which fails where a row is not as here:
-- name, multiplications, additions and subtractions, divisions. A fused multiply-add is one of each of the first two.
CREATE TEMP VIEW operations AS
SELECT column1 AS test, column2 AS mul, column3 AS addsub, column4 AS div FROM (VALUES
    ('moeller_trumbore', 27, 23, 1),
    ('affine', 20, 17, 1),
    ('watertight', 36, 39, 1));
