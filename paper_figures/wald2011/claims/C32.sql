-- SPDX-License-Identifier: MIT
-- Wald 2011, 3.1, 4.2.3: share of the samples of whole_frame's warps that lie in the traversal, shadow rays included, over a
-- frame.
WITH sampled AS (
    SELECT t.spec, k.trial, sum(iif(k.file GLOB 'trees/*' OR k.file = 'lib/traverse.h', k.samples, 0)) AS tracing,
           -- arithmetic on vectors, minima and maxima, which the traversal uses most, but others too
           sum(iif(k.file IN ('lib/vec.h', 'lib/platform_cuda.h'), k.samples, 0)) AS either, 1.0 * sum(k.samples) AS samples,
           row_number() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM stall_lines AS k JOIN trial_record AS t ON t.id = k.trial
    WHERE t.variant = 'whole_frame' AND (:run = '' OR t.id IN (SELECT trial FROM asked))
    GROUP BY k.trial
),
fill AS (                           -- by its frames, which another experiment timed
    SELECT spec, max(instr(flags, 'underfilled')) AS underfilled FROM timed WHERE seconds IS NOT NULL GROUP BY spec
)
SELECT s.label || printf(', %dx%d, %s', s.width, s.height, s.device_name) AS place, k.tracing / k.samples AS share,
       k.tracing / k.samples AS share_low, (k.tracing + k.either) / k.samples AS share_high, -- by where the shared lines belong
       rtrim(iif(s.fitted, 'fitted|', '') || iif(coalesce(f.underfilled, 1), 'underfilled', ''), '|') AS excluded, '' AS flags, k.trial AS trials
FROM setup AS s
JOIN sampled AS k ON k.spec = s.spec AND k.nth = 1
LEFT JOIN fill AS f ON f.spec = s.spec
WHERE s.plain AND s.unthrottled AND s.dummy_flops = 0 AND s.traversal = 'while_while' AND s.matte AND s.first_camera AND s.max_bounces = 8
GROUP BY s.spec
ORDER BY s.place_in_paper, s.label, s.width
