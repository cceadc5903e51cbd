-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, conclusion: paths per second of regeneration, in place, with compaction in the tracing blocks or without, or by streaming, whichever is fastest, over those without regeneration, at each depth; and the
-- largest such gain above a depth of 20, where more than one such depth was measured.
WITH deep AS (
    SELECT *, max(gain) AS best
    FROM test_gain
    WHERE variant IN ('tile_regenerate', 'stream_compact') AND over = 'pool_refill' AND roulette IN ('none', 'block') AND test <> 'T2'
    GROUP BY of_test, device_name, pool, block, spp, max_bounces
)
SELECT place, flags, trials, iif(max_bounces <= 20, gain, NULL) AS short_gain, half AS short_gain_half,
       iif(max_bounces = 8, gain, NULL) AS gain_at_8, half AS gain_at_8_half, NULL AS best_gain, NULL AS best_gain_half
FROM deep
UNION ALL
SELECT 'largest above depth 20: ' || place, flags, trials, NULL, NULL, NULL, NULL, max(gain), half
FROM deep
WHERE max_bounces > 20
GROUP BY of_test, device_name, pool, block, spp
HAVING count(*) > 1
