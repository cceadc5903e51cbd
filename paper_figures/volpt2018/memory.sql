-- SPDX-License-Identifier: MIT
-- One shape in grids of several sizes: along the sizes only memory changes, along the schemes mostly which paths share a warp. Rates of each scheme; speed
-- over that in the smallest grid, with memory as the one cause; over that of one path per lane at the same size, with divergence as the main one.
cell AS (
    SELECT s.*, CAST(substr(s.scene, 6) AS INTEGER) AS size, 1e-6 * r.rays / s.spp / s.seconds AS rate, c.l1_hits, c.l2_hits, c.dram_busy, c.trial AS hardware
    FROM scheme AS s
    LEFT JOIN traced AS r ON r.work = s.work
    LEFT JOIN scheme_counters AS c ON c.setting = s.setting
    WHERE s.kind = 'grid' AND s.choice = '' AND s.variant IN ('volume_naive', 'regenerate_thread', 'stream_block') AND s.device_kind <> 'model'
),
ranked AS (
    SELECT device_name, width, height, spp, family, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY device_name ORDER BY count(*) DESC, max(newest) DESC) AS place
    FROM cell
    GROUP BY device_name, width, height, spp, family
),
sized AS (SELECT p.panel, c.size FROM panel AS p JOIN cell AS c USING (device_name, width, height, spp, family) GROUP BY p.panel, c.size),
found AS (
    SELECT p.panel, c.*, b.seconds / c.seconds AS over_small, n.seconds / c.seconds AS over_naive, n.trials || ', ' || c.trials AS both, b.trials || ', ' || c.trials AS sizes, coalesce(n.flags, 'not_asked') || '|' || c.flags AS both_flags,
           c.flags || iif(c.rate IS NULL, '|' || c.counted_flags, '') AS rate_flags
    FROM panel AS p
    JOIN cell AS c USING (device_name, width, height, spp, family)
    LEFT JOIN cell AS b ON b.device_name = c.device_name AND b.width = c.width AND b.height = c.height AND b.spp = c.spp AND b.family = c.family AND b.variant = c.variant AND b.size = 32
    LEFT JOIN cell AS n ON n.work = c.work AND n.device_name = c.device_name AND n.variant = 'volume_naive'
)
SELECT s.panel, printf('%d^3', s.size) AS grid, n.rate AS naive, coalesce(n.rate_flags, 'not_asked') AS naive_flags, n.trials AS naive_trials, n.over_small AS naive_small, n.sizes AS naive_sizes,
       t.rate AS thread, coalesce(t.rate_flags, 'not_asked') AS thread_flags, t.trials AS thread_trials, t.over_small AS thread_small, t.sizes AS thread_sizes, t.over_naive AS thread_naive, t.both AS thread_both, coalesce(t.both_flags, 'not_asked') AS thread_weak,
       b.rate AS stream, coalesce(b.rate_flags, 'not_asked') AS stream_flags, b.trials AS stream_trials, b.over_small AS stream_small, b.sizes AS stream_sizes, b.over_naive AS stream_naive, b.both AS stream_both, coalesce(b.both_flags, 'not_asked') AS stream_weak,
       t.l1_hits / 100 AS l1_hits, t.l2_hits / 100 AS l2_hits, t.dram_busy / 100 AS dram_busy, t.hardware,
       coalesce(1.0 * n.rays / n.paths, 1.0 * b.rays / b.paths) AS extensions, coalesce(n.counted, b.counted) AS counted,
       p.device, p.device_name, p.width, p.height, p.spp, p.trials AS panel_trials, p.left_out
FROM sized AS s
JOIN panel AS p ON p.panel = s.panel
LEFT JOIN found AS n ON n.panel = s.panel AND n.size = s.size AND n.variant = 'volume_naive'
LEFT JOIN found AS t ON t.panel = s.panel AND t.size = s.size AND t.variant = 'regenerate_thread'
LEFT JOIN found AS b ON b.panel = s.panel AND b.size = s.size AND b.variant = 'stream_block'
ORDER BY s.panel, s.size
