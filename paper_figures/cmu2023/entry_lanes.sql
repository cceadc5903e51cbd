-- SPDX-License-Identifier: MIT
-- CMU report: lanes at work inside the traversal by live lanes at its entry, of trees of each width, with one kernel and with two stages (lockstep model). One
-- panel per device, image size, bounce limit and schedule; a row is a scene and a number of lanes.
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY device_name ORDER BY (SELECT count(*) FROM in_tree AS t WHERE t.slice = slice.slice AND t.form LIKE 'wide of%') DESC,
                                 settings DESC, newest DESC) AS place
    FROM slice
    WHERE slice IN (SELECT slice FROM in_tree AS t WHERE t.form <> '' AND t.counted IN (SELECT trial FROM entered))
),
shown AS (
    SELECT p.panel, c.slice, c.label, c.variant, c.form, e.bin, e.warps, e.live / e.steps AS lanes, 100.0 * e.warps / sum(e.warps) OVER (PARTITION BY p.panel, c.setting) AS share
    FROM panel AS p
    JOIN in_tree AS c ON c.slice = p.slice
    JOIN entered AS e ON e.trial = c.counted
    WHERE c.form IN ('', 'wide', 'wide of 4', 'wide of 2') AND e.steps > 0
)
SELECT s.panel, s.label || ', ' || (4 * s.bin - 3) || ' to ' || (4 * s.bin) AS line,
       max(iif(s.variant = 'naive' AND s.form = '', s.share, NULL)) AS naive_share, max(iif(s.variant = 'naive' AND s.form = '', s.lanes, NULL)) AS naive_binary,
       max(iif(s.variant = 'naive' AND s.form = 'wide of 2', s.lanes, NULL)) AS naive_wide2, max(iif(s.variant = 'naive' AND s.form = 'wide of 4', s.lanes, NULL)) AS naive_wide4,
       max(iif(s.variant = 'naive' AND s.form = 'wide', s.lanes, NULL)) AS naive_wide,
       max(iif(s.variant = 'two_stage' AND s.form = '', s.share, NULL)) AS wave_share, max(iif(s.variant = 'two_stage' AND s.form = '', s.lanes, NULL)) AS wave_binary,
       max(iif(s.variant = 'two_stage' AND s.form = 'wide of 2', s.lanes, NULL)) AS wave_wide2, max(iif(s.variant = 'two_stage' AND s.form = 'wide of 4', s.lanes, NULL)) AS wave_wide4,
       max(iif(s.variant = 'two_stage' AND s.form = 'wide', s.lanes, NULL)) AS wave_wide,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM shown AS s
JOIN panel AS p ON p.panel = s.panel
GROUP BY s.panel, s.label, s.bin
ORDER BY s.panel, s.label, s.bin
