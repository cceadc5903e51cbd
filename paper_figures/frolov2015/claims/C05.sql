-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, comparison: what regeneration gains in the stages that process paths, in place and by streaming at the interval
-- whose number of regenerations is nearest; how far the two are apart.
SELECT place, flags, excluded, trials, abs(tile_gain - stream_gain) AS apart, noise AS apart_half
FROM alike_launches
WHERE test IN ('T3', 'T4') AND tile_gain IS NOT NULL
