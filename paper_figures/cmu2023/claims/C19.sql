-- SPDX-License-Identifier: MIT
-- CMU report: memory in which results wait, for each pixel and sample of a batch: of frames of different sizes, of batches of different sizes;
-- without a buffer; and the time of a frame with one.
WITH kept AS (
    SELECT c.*, w.result_bytes AS bytes, 1.0 * w.result_bytes / (c.width * c.height) AS a_pixel, 1.0 * w.result_bytes / c.batch AS a_sample
    FROM cell AS c
    JOIN work_done AS w ON w.trial = c.counted
    WHERE c.variant IN ('two_stage', 'three_stage')
)
SELECT a.label || ', ' || a.variant || ', ' || a.width || 'x' || a.height || ' against ' || b.width || 'x' || b.height AS place, '' AS flags,
       a.counted || ', ' || b.counted AS trials, a.a_pixel / b.a_pixel AS of_pixels, NULL AS of_batch, NULL AS bytes, NULL AS time, NULL AS time_half
FROM kept AS a
JOIN kept AS b ON b.scene = a.scene AND b.variant = a.variant AND b.batch = a.batch AND b.device_name = a.device_name AND b.accumulate = 'buffer' AND
                  b.width * b.height < a.width * a.height
WHERE a.accumulate = 'buffer' AND a.bytes > 0
UNION ALL
SELECT a.label || ', ' || a.variant || ', batch ' || a.batch || ' against ' || b.batch, '', a.counted || ', ' || b.counted, NULL, a.a_sample / b.a_sample, NULL, NULL, NULL
FROM kept AS a
JOIN kept AS b ON b.slice = a.slice AND b.scene = a.scene AND b.variant = a.variant AND b.batch < a.batch AND b.accumulate = 'buffer'
WHERE a.accumulate = 'buffer' AND a.bytes > 0
UNION ALL
SELECT label || ', ' || variant || ', batch ' || batch || ', without a buffer', '', counted, NULL, NULL, bytes, NULL, NULL
FROM kept
WHERE accumulate = 'atomic' AND EXISTS (SELECT 1 FROM kept WHERE bytes > 0) -- of counts that have this one
UNION ALL
SELECT a.label || ', ' || a.variant || ', ' || a.device_name || ', time', a.flags || '|' || b.flags, a.trials || ', ' || b.trials, NULL, NULL, NULL, a.seconds / b.seconds - 1,
       a.seconds / b.seconds * sqrt(a.relative_ci * a.relative_ci + b.relative_ci * b.relative_ci)
FROM cell AS a
JOIN cell AS b ON b.slice = a.slice AND b.work = a.work AND b.variant = a.variant AND b.batch = a.batch AND b.tickets = a.tickets AND b.accumulate = 'buffer' AND
                  b.pool IS NULL AND b.pool_order = 'sequential' AND b.extend_over = 'slots' AND b.ray_sort = 'none' AND coalesce(b.queues, 'material') = 'material'
WHERE a.plain AND a.seconds NOTNULL AND b.seconds NOTNULL
