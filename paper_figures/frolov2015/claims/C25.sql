-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, motivation: regeneration in place, with compaction in the tracing blocks, against none, at its best within the
-- noise, and against streaming in its fastest setting.
SELECT 'none, ' || place AS place, flags, trials, gain + noise AS at_best, NULL AS over_stream, NULL AS over_stream_half
FROM test_gain
WHERE variant = 'tile_regenerate' AND trace_compaction = 'yes' AND over = 'pool_refill'
UNION ALL
SELECT 'streaming, ' || place, flags, trials, NULL, min(gain), noise
FROM test_gain
WHERE variant = 'tile_regenerate' AND trace_compaction = 'yes' AND over = 'stream_compact' AND test <> 'T2'
GROUP BY place
