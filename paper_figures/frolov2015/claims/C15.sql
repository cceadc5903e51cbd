-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, test setup: each way to regenerate against none on Test 2, at its worse within the noise; and streaming every
-- 4 or 8 bounces on Tests 2 and 3.
SELECT variant || ', ' || place AS place, flags, trials, max(gain - noise) AS at_worst, NULL AS streaming, NULL AS streaming_half
FROM test_gain
WHERE over = 'pool_refill' AND test = 'T2'
GROUP BY variant, place
UNION ALL
SELECT 'every 4 or 8, ' || place, flags, trials, NULL, max(gain), noise
FROM test_gain
WHERE variant = 'stream_compact' AND over = 'pool_refill' AND test IN ('T2', 'T3') AND compact_every IN (4, 8) AND storage = 'indices'
GROUP BY place
