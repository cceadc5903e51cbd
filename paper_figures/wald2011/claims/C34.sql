-- SPDX-License-Identifier: MIT
-- Time of a path at bounce 2 over that at bounce 0, whole_frame, whose warps are full (4.2.4).
WITH bounces AS MATERIALIZED (
    SELECT t.spec, b.bounce, b.nanoseconds_per_path AS time, b.relative_ci, b.underfilled, b.throttled, b.replicates,
           row_number() OVER (PARTITION BY t.spec, b.bounce ORDER BY b.nanoseconds_per_path IS NULL, t.last_run DESC, t.id DESC) AS nth
    FROM table3 AS b JOIN trial_record AS t ON t.id = b.trial
    WHERE b.variant = 'whole_frame' AND b.bounce IN (0, 2) AND (:run = '' OR t.id IN (SELECT trial FROM asked))
)
SELECT s.label || printf(', %dx%d, %s', s.width, s.height, s.device_name) AS place, n.time / o.time AS ratio,
       n.time / o.time * (1 - sqrt(o.relative_ci * o.relative_ci + n.relative_ci * n.relative_ci)) AS ratio_low,
       n.time / o.time * (1 + sqrt(o.relative_ci * o.relative_ci + n.relative_ci * n.relative_ci)) AS ratio_high,
       rtrim(iif(s.fitted, 'fitted|', '') || iif(o.underfilled OR n.underfilled, 'few_waves', ''), '|') AS excluded,
       rtrim(iif(min(o.replicates, n.replicates) < 5, 'few_replicates|', '') || iif(o.throttled OR n.throttled, 'throttled', ''), '|') AS flags, min(s.trials) AS trials
FROM setup AS s
JOIN state AS w ON w.setting = s.setting AND w.collection = 'launches' AND NOT w.outdated
JOIN bounces AS o ON o.spec = s.spec AND o.bounce = 0 AND o.nth = 1
JOIN bounces AS n ON n.spec = s.spec AND n.bounce = 2 AND n.nth = 1
WHERE s.variant = 'whole_frame' AND s.plain AND s.unthrottled AND s.dummy_flops = 0 AND s.traversal = 'while_while' AND s.matte AND
      s.first_camera AND s.max_bounces = 8
GROUP BY s.spec, s.device_name
ORDER BY s.place_in_paper, s.label, s.width
