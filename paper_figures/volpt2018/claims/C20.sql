-- SPDX-License-Identifier: MIT
-- Thesis 2018, image tiling: rays per second in tiles against those of one small image with as many samples as give a launch as many paths.
WITH swept AS (
    SELECT s.*, 1.0 * r.rays / s.spp / s.seconds AS rate, s.width * s.height * s.spp / (s.tiles * s.tiles) AS launched
    FROM scheme AS s JOIN traced AS r ON r.work = s.work
    WHERE variant IN ('volume_naive', 'regenerate_thread', 'stream_block') AND kind <> 'grid' AND choice = iif(tiles > 1, ', tiles ' || tiles, '')
),
curve AS (SELECT DISTINCT scene, variant, device_name, width, height FROM swept WHERE tiles > 1)
SELECT printf('%s, %s, %d paths, %s', t.label, t.variant, t.launched, t.device_name) AS place, replace(t.weak || '|' || s.weak, 'few_paths', '') AS flags,
       t.trials || ', ' || s.trials || coalesce(', ' || t.counted || ', ' || s.counted, '') AS trials, abs(t.rate / s.rate - 1) AS apart,
       t.rate / s.rate * sqrt(pow(t.relative_ci, 2) + pow(s.relative_ci, 2)) AS apart_half
FROM swept AS t
JOIN curve AS c ON c.scene = t.scene AND c.variant = t.variant AND c.device_name = t.device_name AND c.width = t.width AND c.height = t.height
JOIN swept AS s ON s.scene = t.scene AND s.variant = t.variant AND s.device_name = t.device_name AND s.launched = t.launched AND s.seed = t.seed AND
                    s.max_bounces IS t.max_bounces AND s.tiles = 1 AND s.width * s.height < t.width * t.height
