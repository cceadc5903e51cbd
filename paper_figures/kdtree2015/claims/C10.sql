-- SPDX-License-Identifier: MIT
-- Operations, counted in the text of the kernels (operations.sql): no trial.
SELECT 'counted by an instrumented number type' AS place, '' AS flags, '' AS trials, s.mul AS standard_mul, s.addsub AS standard_addsub, a.mul AS affine_mul,
       a.addsub AS affine_addsub, max(1.0 * a.mul / s.mul, 1.0 * a.addsub / s.addsub) AS least_fall
FROM operations AS s
JOIN operations AS a ON a.test = 'affine'
WHERE s.test = 'moeller_trumbore'
