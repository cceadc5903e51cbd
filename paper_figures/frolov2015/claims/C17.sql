-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, related work: sectors of 32 bytes from which a warp of the stage trace reads a word of its slots, through indices
-- that are made anew every 4 rounds over slots that stay where they are.
SELECT a.place, '' AS flags, a.counted || ', ' || b.counted AS trials,
       (1.0 * a.slot_sectors / a.trace_warps) / (1.0 * b.slot_sectors / b.trace_warps) AS sectors
FROM test_counts AS a
JOIN test_counts AS b ON b.variant = 'tile_regenerate' AND b.as_printed AND b.trace_compaction = 'no' AND b.work = a.work AND b.schedule = a.schedule AND b.pool = a.pool
WHERE a.variant = 'stream_compact' AND a.storage = 'indices' AND a.compact_every = 4 AND a.max_bounces > 4 AND a.trace_warps > 0 AND b.slot_sectors > 0
GROUP BY a.work, a.schedule, a.pool
