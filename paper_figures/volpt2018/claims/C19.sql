-- SPDX-License-Identifier: MIT
-- Thesis 2018, Tables 4.3 and 4.5 on uneven volumes: the fastest scheme against the naive kernel, streaming in one kernel against it, and regeneration
-- by warp against every other scheme, and the most of each over them.
WITH each AS (
    SELECT * FROM scheme_pair
    WHERE choice = '' AND kind = 'uneven' AND variant IN ('volume_naive', 'regenerate_thread', 'regenerate_warp', 'stream_block', 'stream_device') AND
          over IN ('volume_naive', 'regenerate_thread', 'regenerate_warp', 'stream_block', 'stream_device')
)
SELECT place || ', best of ' || count(*) || ': ' || variant AS place, flags, trials, max(gain) AS best, half AS best_half, NULL AS first, NULL AS first_half,
       NULL AS on_one,
       NULL AS on_one_half, NULL AS streaming, NULL AS streaming_half
FROM each
WHERE over = 'volume_naive' AND gain NOTNULL
GROUP BY scene, width, height, spp, seed, device_name
HAVING count(*) = 4
UNION ALL
SELECT place || ', against ' || over, flags, trials, NULL, NULL, gain, half, NULL, NULL, NULL, NULL FROM each WHERE variant = 'regenerate_warp'
UNION ALL
SELECT printf('%d volumes, %dx%d, %s, by warp against %s', count(*), width, height, device_name, over), group_concat(flags, '|'), group_concat(trials, ', '),
       NULL, NULL, NULL, NULL,
       max(gain), half, NULL, NULL
FROM each
WHERE variant = 'regenerate_warp' AND gain NOTNULL
GROUP BY over, width, height, spp, seed, device_name
HAVING count(DISTINCT scene) > 1
UNION ALL
SELECT place, flags, trials, NULL, NULL, NULL, NULL, NULL, NULL, gain, half FROM each WHERE variant = 'stream_block' AND over = 'volume_naive'
