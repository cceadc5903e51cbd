-- SPDX-License-Identifier: MIT
-- Thesis 2018, persistent thread: regeneration by thread against every other scheme on volumes of constant density; and the most of each over them.
WITH each AS (
    SELECT *, over IN ('volume_naive', 'regenerate_warp', 'regenerate_block') AS regenerates,
           over IN ('stream_block', 'stream_device', 'stream_sort', 'sort_albedo') AS streams
    FROM scheme_pair
    WHERE variant = 'regenerate_thread' AND choice = '' AND kind = 'constant'
)
SELECT place || ', against ' || over AS place, flags, trials, iif(regenerates, gain, NULL) AS best, half AS best_half,
       iif(over = 'volume_naive', gain, NULL) AS naive,
       half AS naive_half, iif(streams, gain, NULL) AS streaming, half AS streaming_half, NULL AS on_one, NULL AS on_one_half
FROM each
WHERE regenerates OR streams
UNION ALL
SELECT printf('%d volumes, %dx%d, %s, against %s', count(*), width, height, device_name, over), group_concat(flags, '|'), group_concat(trials, ', '), NULL,
       NULL, NULL, NULL,
       NULL, NULL, max(gain), half
FROM each
WHERE streams AND gain NOTNULL
GROUP BY over, width, height, spp, seed, device_name
HAVING count(DISTINCT scene) > 1
