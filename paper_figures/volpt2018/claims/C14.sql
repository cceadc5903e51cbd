-- SPDX-License-Identifier: MIT
-- Thesis 2018, image tiling: time in tiles, one after the other, over that of the whole image; and where that rises, the share of the device's lanes at
-- work over the frame, by its timeline, over that of the whole image.
WITH tiled AS (
    SELECT *, 1 / gain AS ratio, half / (gain * gain) AS ratio_half
    FROM scheme_pair
    WHERE variant = over AND variant IN ('volume_naive', 'regenerate_thread', 'stream_block') AND kind <> 'grid' AND choice = ', tiles ' || tiles
),
busy AS (
    SELECT t.setting, p.trial, 1.0 * sum(p.warp_cycles) / sum(p.cycles) * sum(p.thread_instructions) / nullif(sum(p.instructions), 0) AS lanes
    FROM timeline_part AS p
    JOIN trial_record AS o ON o.id = p.trial
    JOIN scheme AS t ON t.spec = o.spec
    GROUP BY t.setting
)
SELECT printf('%s, %s, %dx%d tiles', place, variant, tiles, tiles) AS place, flags, NULL AS excluded, trials, iif(tiles <= 8, ratio, NULL) AS few,
       ratio_half AS few_half,
       iif(tiles = 4, ratio, NULL) AS at_4, ratio_half AS at_4_half, iif(tiles = 64, ratio, NULL) AS many, ratio_half AS many_half, NULL AS busy
FROM tiled
UNION ALL
SELECT printf('%s, %s, %dx%d tiles, lanes at work', t.place, t.variant, t.tiles, t.tiles), '',
       iif(t.ratio - t.ratio_half > 1.05, NULL, 'it is not known to be slower here'),
       a.trial || ', ' || b.trial, NULL, NULL, NULL, NULL, NULL, NULL, a.lanes / b.lanes
FROM tiled AS t
JOIN busy AS a ON a.setting = t.setting
JOIN busy AS b ON b.setting = t.over_setting
