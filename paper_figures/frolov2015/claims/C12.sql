-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, comparison: streaming that regenerates at every bounce against no regeneration, at its worse within the noise.
SELECT place || iif(storage = 'move', ', paths moved', '') AS place, flags, trials, gain - noise AS at_worst
FROM test_gain
WHERE variant = 'stream_compact' AND over = 'pool_refill' AND compact_every = 1
ORDER BY test, max_bounces
