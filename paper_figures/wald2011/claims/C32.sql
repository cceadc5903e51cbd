-- SPDX-License-Identifier: MIT
-- Wald 2011, 3, 3.2 and 1: samples of whole_frame's warps that lie in the traversal, shadow rays included, over all others of a frame. Lines that
-- the traversal shares with others, arithmetic on vectors, count half, and make the interval.
WITH sampled AS (
    SELECT t.spec, k.trial, sum(iif(k.file GLOB 'trees/*' OR k.file = 'lib/traverse.h', k.samples, 0)) AS tracing,
           sum(iif(k.file IN ('lib/vec.h', 'lib/platform_cuda.h'), k.samples, 0)) AS either, 1.0 * sum(k.samples) AS samples,
           row_number() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM stall_lines AS k JOIN trial_record AS t ON t.id = k.trial
    WHERE t.variant = 'whole_frame' AND (:run = '' OR t.id IN (SELECT trial FROM asked))
    GROUP BY k.trial
),
fill AS (                           -- by its frames, which another experiment timed
    SELECT spec, max(instr(flags, 'underfilled')) AS underfilled FROM timed WHERE seconds IS NOT NULL GROUP BY spec
),
ends AS (                           -- least and most of the ratio
    SELECT *, tracing / (samples - tracing) AS low, (tracing + either) / (samples - tracing - either) AS high FROM sampled WHERE nth = 1
)
SELECT s.label || printf(', %dx%d, %s', s.width, s.height, s.device_name) AS place, (k.low + k.high) / 2 AS ratio, (k.high - k.low) / 2 AS ratio_half,
       iif(s.fitted, 'fitted|', '') || iif(coalesce(f.underfilled, 1), 'underfilled', '') AS flags, k.trial AS trials
FROM setup AS s
JOIN ends AS k ON k.spec = s.spec
LEFT JOIN fill AS f ON f.spec = s.spec
WHERE s.usual AND s.matte AND s.first_camera AND s.max_bounces = 8
GROUP BY s.spec
ORDER BY s.place_in_paper, s.label, s.width
