-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, comparison: bytes of path state that regeneration in place moves, in its checks and where tiles begin; over all
-- settings of a pool. No other of its stages writes to a slot that is not its path's own.
SELECT printf('%s, pool of %d slots', s.of_test, s.pool) AS place, group_concat(DISTINCT s.counted) AS trials, sum(r.moved_bytes) AS moved
FROM test_setting AS s
JOIN pipeline_round AS r ON r.trial = s.counted AND r.stage IN ('check', 'regenerate')
WHERE s.variant = 'tile_regenerate' AND s.pool IS NOT NULL
GROUP BY s.of_test, s.pool, s.width, s.height
