-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.4, 5: what warps of whole_frame wait for, and how busy it keeps the arithmetic, from bounce 2 on: the least and
-- most of those bounces that fill the device.
WITH launch AS MATERIALIZED (       -- of each specification the newest trial with counters, and with samples
    SELECT t.spec, k.bounce, k.trial, max(iif(k.metric = 'fp32_utilisation', k.value, NULL)) AS fp32,
           max(iif(k.metric = 'issue_active', k.value, NULL)) AS issue,
           dense_rank() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM counter AS k JOIN trial_record AS t ON t.id = k.trial
    WHERE k.bounce >= 2 AND NOT k.auxiliary AND (:run = '' OR t.id IN (SELECT trial FROM asked)) AND
          k.metric IN ('fp32_utilisation', 'issue_active')
    GROUP BY k.trial, k.bounce
),
sampled AS MATERIALIZED (           -- next: the largest reason of waiting but memory
    SELECT t.spec, k.bounce, k.trial, sum(iif(k.reason = 'long_scoreboard', k.share, 0)) AS memory,
           max(iif(k.reason NOT IN ('long_scoreboard', 'selected'), k.share, 0)) AS next,
           dense_rank() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM stalls AS k JOIN trial_record AS t ON t.id = k.trial
    WHERE k.bounce >= 2 AND NOT k.auxiliary AND (:run = '' OR t.id IN (SELECT trial FROM asked))
    GROUP BY k.trial, k.bounce
),
filled AS MATERIALIZED (            -- waves of warps at work, where another experiment timed the launches
    SELECT spec, bounce, max(waves) >= 4 AS filled FROM bounces WHERE spec IN (SELECT spec FROM launch) GROUP BY spec, bounce
),
work AS (
    SELECT s.spec, s.label, s.width, s.height, s.device_name, s.fitted, s.place_in_paper, l.bounce, l.fp32, l.issue, m.memory - m.next AS ahead,
           l.trial, m.trial AS stall_trial, coalesce(f.filled, 0) AS filled, max(coalesce(f.filled, 0)) OVER (PARTITION BY s.spec) AS any_filled
    FROM setup AS s
    CROSS JOIN launch AS l ON l.spec = s.spec AND l.nth = 1
    LEFT JOIN sampled AS m ON m.spec = s.spec AND m.bounce = l.bounce AND m.nth = 1
    LEFT JOIN filled AS f ON f.spec = s.spec AND f.bounce = l.bounce
    WHERE s.variant = 'whole_frame' AND s.usual AND s.matte AND s.first_camera AND s.max_bounces = 8 AND s.device_kind = 'gpu'
    GROUP BY s.spec, l.bounce
)
SELECT label || printf(', %dx%d, %s, bounces %d to %d', width, height, device_name, min(bounce), max(bounce)) AS place,
       100 * min(ahead) AS ahead, NULL AS ahead_half, max(fp32) AS fp32, NULL AS fp32_half, max(issue) AS issue, NULL AS issue_half, -- one replicate
       iif(fitted, 'fitted|', '') || iif(any_filled, '', 'bounce_idle') AS flags,
       group_concat(DISTINCT trial) || coalesce(',' || group_concat(DISTINCT stall_trial), '') AS trials
FROM work
WHERE filled OR NOT any_filled
GROUP BY spec
ORDER BY place_in_paper, label, width
