-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, implementation details: seven kernels over a pool against one kernel of the same work, with trees of materials.
SELECT printf('%s, depth %d, %s', p.label, p.max_bounces, p.device_name) AS place, p.flags || '|' || k.flags AS flags, p.trials || ', ' || k.trials AS trials,
       k.seconds / p.seconds AS faster, k.seconds / p.seconds * sqrt(pow(p.relative_ci, 2) + pow(k.relative_ci, 2)) AS faster_half
FROM measured AS p
JOIN measured AS k ON k.work = p.work AND k.schedule = p.schedule AND k.device_name = p.device_name AND k.variant = 'naive' AND k.own = ''
WHERE p.variant = 'pool_refill' AND p.materials = 'tree' AND p.first_camera
