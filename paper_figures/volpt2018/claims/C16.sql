-- SPDX-License-Identifier: MIT
-- Thesis 2018, image tiling: gain of copying a tile while the next one is rendered over waiting for it; and how much longer waiting takes than no copy.
WITH copied AS (
    SELECT * FROM scheme
    WHERE variant = 'regenerate_thread' AND kind <> 'grid' AND tile_streams = 1 AND
          choice = iif(tiles > 1, ', tiles ' || tiles, '') || iif(tile_download <> 'none', ', tile download ' || tile_download, '')
)
SELECT printf('%s, %dx%d tiles', w.place, w.tiles, w.tiles) || iif(o.tile_download = 'none', ', copies', '') AS place, w.weak || '|' || o.weak AS flags,
       w.trials || ', ' || o.trials AS trials,
       iif(o.tile_download = 'overlap', w.seconds / o.seconds - 1, NULL) AS gain, w.seconds / o.seconds * sqrt(pow(w.relative_ci, 2) + pow(o.relative_ci,
       2)) AS gain_half,
       iif(o.tile_download = 'none', w.seconds / o.seconds - 1, NULL) AS copy, w.seconds / o.seconds * sqrt(pow(w.relative_ci, 2) + pow(o.relative_ci,
       2)) AS copy_half
FROM copied AS w
JOIN copied AS o ON o.work = w.work AND o.device_name = w.device_name AND o.tiles = w.tiles AND o.tile_download <> 'wait'
WHERE w.tile_download = 'wait'
