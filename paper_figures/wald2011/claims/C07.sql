-- SPDX-License-Identifier: MIT
-- Wald 2011, 4: speed of the tiled kernel with global memory at the best M, over that of whole-frame compaction.
WITH tile AS (
    SELECT *, row_number() OVER (PARTITION BY work, device_name ORDER BY seconds IS NULL, seconds) AS rank
    FROM timed_case WHERE variant = 'tiled_global' AND max_bounces = 8 AND unthrottled AND place_in_paper < 99
)
SELECT t.place || ', best M ' || t.tile_m AS place,
       trim(iif(t.fitted, 'fitted', '') || iif(instr(t.flags || w.flags, 'underfilled'), '|underfilled', '') ||
            iif((t.tile_m = 1 OR EXISTS (SELECT 1 FROM tile AS o WHERE o.work = t.work AND o.device_name = t.device_name AND
                                            o.tile_m = t.tile_m / 2)) AND
                (t.tile_m = 32 OR EXISTS (SELECT 1 FROM tile AS o WHERE o.work = t.work AND o.device_name = t.device_name AND
                                            o.tile_m = 2 * t.tile_m)), '', '|tiles_left_out'), '|') AS excluded,
       iif(t.seconds IS NULL, t.flags, trim(replace(t.flags || '|' || w.flags, 'underfilled', ''), '|')) AS flags, t.trials || ', ' || w.trials AS trials,
       w.seconds / t.seconds AS speed, w.seconds / t.seconds * (1 - sqrt(w.relative_ci * w.relative_ci + t.relative_ci * t.relative_ci)) AS speed_low,
       w.seconds / t.seconds * (1 + sqrt(w.relative_ci * w.relative_ci + t.relative_ci * t.relative_ci)) AS speed_high
FROM tile AS t
JOIN timed_case AS w ON w.work = t.work AND w.device_name = t.device_name AND w.variant = 'whole_frame' AND w.unthrottled
WHERE t.rank = 1
ORDER BY t.width * t.height, t.place_in_paper, t.place
