-- SPDX-License-Identifier: MIT
-- Wald 2011, section 4.2.5: speedup where dummy arithmetic makes the naive kernel take 1 to 4 times as long, between the measured
-- amounts next to it, where both frame times are linear, for they go with the amount; and what a cost of so much a warp would give.
, wanted AS (SELECT column1 AS multiple FROM (VALUES (1.0), (1.5), (2.0), (3.0), (4.0))),
below AS (                          -- the last amount that takes at most as long
    SELECT g.*, w.multiple AS wanted, row_number() OVER (PARTITION BY g.panel, w.multiple ORDER BY g.multiple DESC) AS nth
    FROM grid AS g JOIN wanted AS w ON g.multiple <= w.multiple * (1 + 1e-9)
),
above AS (
    SELECT g.*, w.multiple AS wanted, row_number() OVER (PARTITION BY g.panel, w.multiple ORDER BY g.multiple) AS nth
    FROM grid AS g JOIN wanted AS w ON g.multiple >= w.multiple * (1 - 1e-9)
),
between_two AS (
    SELECT p.panel, w.multiple, b.multiple / b.speedup AS from_whole, a.multiple / a.speedup AS to_whole, -- in terms of naive without any
           b.speedup_ci AS from_ci, a.speedup_ci AS to_ci,
           b.speedup_flags || '|' || a.speedup_flags AS flags, b.both_trials || ', ' || a.both_trials AS both_trials,
           b.naive_0, b.whole_0, b.saved, iif(a.multiple > b.multiple, (w.multiple - b.multiple) / (a.multiple - b.multiple), 0) AS part,
           CASE WHEN EXISTS (SELECT 1 FROM grid AS g WHERE g.panel = p.panel AND g.multiple IS NOT NULL) THEN 'outside' ELSE 'untimed' END AS missing
    FROM panel AS p CROSS JOIN wanted AS w
    LEFT JOIN below AS b ON b.panel = p.panel AND b.wanted = w.multiple AND b.nth = 1
    LEFT JOIN above AS a ON a.panel = p.panel AND a.wanted = w.multiple AND a.nth = 1
),
printed AS (                        -- fairy's frame times and executions, from Tables 1 and 2
    SELECT 1 / t.naive AS naive, 1 / t.whole_frame AS whole, 1.0 * (SELECT sum(naive_warps) FROM published_table2) /
           (SELECT sum(active_paths) / 32 FROM published_table2) AS saved
    FROM published_table1 AS t WHERE t.scene = 'fairy'
)
SELECT b.panel, printf('%.1f', b.multiple) AS naive_multiple, multiple / (from_whole + part * (to_whole - from_whole)) AS speedup,
       multiple / (from_whole / (1 - from_ci) + part * (to_whole / (1 - to_ci) - from_whole / (1 - from_ci))) AS speedup_low,
       multiple / (from_whole / (1 + from_ci) + part * (to_whole / (1 + to_ci) - from_whole / (1 + from_ci))) AS speedup_high,
       coalesce(flags, missing) AS speedup_flags, both_trials,
       b.multiple * naive_0 / (whole_0 + (b.multiple - 1) * naive_0 / b.saved) AS model,
       b.multiple * q.naive / (q.whole + (b.multiple - 1) * q.naive / q.saved) AS model_published,
       CASE b.multiple WHEN 1 THEN q.naive / q.whole ELSE 1 + 0.01 * d.gain END AS speedup_published,
       b.saved, (SELECT saved FROM published_table2 ORDER BY bounce DESC LIMIT 1) AS saved_published, 0.05 AS saved_half,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM between_two AS b
JOIN panel AS p ON p.panel = b.panel
CROSS JOIN printed AS q
LEFT JOIN published_dummy AS d ON d.naive_multiple = b.multiple
ORDER BY b.panel, b.multiple
