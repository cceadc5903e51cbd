-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, conclusion: what regeneration gains at Wald's depth of 8, in place and by streaming in its fastest setting.
SELECT iif(variant = 'tile_regenerate', 'in place, ', 'streaming, ') || place AS place, flags, trials,
       iif(variant = 'tile_regenerate', max(gain), NULL) AS in_place, half AS in_place_half, iif(variant = 'tile_regenerate', NULL, max(gain)) AS streaming, half AS streaming_half
FROM test_gain
WHERE variant <> 'thread_regenerate' AND over = 'pool_refill' AND trace_compaction = 'no' AND max_bounces = 8
GROUP BY variant, place
ORDER BY test, variant DESC
