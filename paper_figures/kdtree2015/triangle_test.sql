-- SPDX-License-Identifier: MIT
-- Chapter on a kd-tree, 4.3: operations of a triangle test, counted in the text of the kernels; no trial.
SELECT 1 AS panel, column2 AS test, column3 AS published, o.mul, o.addsub, o.div, column4 AS bytes
FROM (VALUES ('moeller_trumbore', 'Möller and Trumbore', 'standard', 36), ('affine', 'affine', 'woop', 48), ('watertight', 'watertight', NULL, 36))
JOIN operations AS o ON o.test = column1
