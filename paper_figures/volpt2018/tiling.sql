-- SPDX-License-Identifier: MIT
-- Thesis 2018, Table 4.2: time of the whole image by the number of tiles that it is cut into, one rendered after the other, none copied. One panel
-- per scene, device, image size and schedule; a row is a number of tiles.
cell AS (
    SELECT c.*, t.tiles
    FROM measured AS c JOIN trial_record AS t ON t.id = c.trial
    WHERE c.variant IN ('volume_naive', 'regenerate_thread', 'stream_block') AND t.tile_streams = 1 AND t.tile_download = 'none' AND
          coalesce(t.tickets, 'atomic') = 'atomic' AND coalesce(t.lane_paths, '1') = '1' AND coalesce(t.loop, 'reconverged') = 'reconverged'
),
ranked AS (
    SELECT work, scene, camera, device_name, width, height, max_bounces, family, schedule, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY scene, camera, device_name ORDER BY count(*) DESC, max(newest) DESC) AS place
    FROM cell
    GROUP BY work, device_name, schedule
    HAVING count(DISTINCT tiles) > 1
)
SELECT p.panel, c.tiles || 'x' || c.tiles AS tiles, 1.0 * c.width * c.height * c.spp / (c.tiles * c.tiles) AS paths_per_tile,
       max(iif(c.variant = 'stream_block', c.seconds * c.spp, NULL)) AS streaming, max(iif(c.variant = 'stream_block', c.seconds * c.spp * (1 - c.relative_ci), NULL)) AS streaming_low,
       max(iif(c.variant = 'stream_block', c.seconds * c.spp * (1 + c.relative_ci), NULL)) AS streaming_high, coalesce(max(iif(c.variant = 'stream_block', c.flags, NULL)), 'not_asked') AS streaming_flags,
       max(iif(c.variant = 'stream_block', c.trials, NULL)) AS streaming_trials,
       max(iif(c.variant = 'regenerate_thread', c.seconds * c.spp, NULL)) AS regeneration, max(iif(c.variant = 'regenerate_thread', c.seconds * c.spp * (1 - c.relative_ci), NULL)) AS regeneration_low,
       max(iif(c.variant = 'regenerate_thread', c.seconds * c.spp * (1 + c.relative_ci), NULL)) AS regeneration_high, coalesce(max(iif(c.variant = 'regenerate_thread', c.flags, NULL)), 'not_asked') AS regeneration_flags,
       max(iif(c.variant = 'regenerate_thread', c.trials, NULL)) AS regeneration_trials,
       max(iif(c.variant = 'volume_naive', c.seconds * c.spp, NULL)) AS naive, max(iif(c.variant = 'volume_naive', c.seconds * c.spp * (1 - c.relative_ci), NULL)) AS naive_low,
       max(iif(c.variant = 'volume_naive', c.seconds * c.spp * (1 + c.relative_ci), NULL)) AS naive_high, coalesce(max(iif(c.variant = 'volume_naive', c.flags, NULL)), 'not_asked') AS naive_flags,
       max(iif(c.variant = 'volume_naive', c.trials, NULL)) AS naive_trials,
       max(iif(c.variant = 'regenerate_thread', k.mebibytes, NULL)) AS mebibytes, group_concat(c.counted, ', ') AS counted_trials,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials AS panel_trials, p.left_out
FROM cell AS c
JOIN panel AS p USING (work, device_name, schedule)
LEFT JOIN scheme_counts AS k ON k.trial = c.counted
GROUP BY p.panel, c.tiles
ORDER BY p.panel, c.tiles
