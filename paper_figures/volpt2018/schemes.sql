-- SPDX-License-Identifier: MIT
-- Thesis 2018, Tables 4.1 and 4.3 to 4.6 together: rays per second of every scheme, each in the thesis's way, on every volume. One panel per device and
-- image size; a row is a scheme.
method (place, variant, title) AS (
    VALUES (1, 'volume_naive', 'naiveSK'), (2, 'volume_steps', 'naiveMK'), (3, 'regenerate_thread', 'regenerationSK (thread)'),
           (4, 'regenerate_warp', 'regenerationSK (warp)'), (5, 'regenerate_block', 'regenerationSK (block)'),
           (6, 'regenerate_block_part', 'regenerationSK (part of a block)'), (7, 'regenerate_device', 'regeneration (device)'), (8, 'stream_block', 'streamingSK'),
           (9, 'stream_device', 'streamingMK'), (10, 'stream_device_local', 'streamingMK (by block)'), (11, 'stream_sort', 'streamingSK (sorting)'),
           (12, 'sort_albedo', 'sortingSK')
),
cell AS (
    SELECT s.*, coalesce(nullif(s.stands_for, ''), s.scene) AS volume, 1e-6 * r.rays / s.spp / s.seconds AS rate
    FROM scheme AS s
    LEFT JOIN traced AS r ON r.work = s.work
    WHERE s.choice = '' AND s.kind <> 'grid'
),
ranked AS (
    SELECT device_name, width, height, spp, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY device_name ORDER BY count(*) DESC, max(newest) DESC) AS place
    FROM cell
    GROUP BY device_name, width, height, spp
),
printed AS (                        -- Table 4.1 has the naive kernel once more, a little faster
    SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY scene, method ORDER BY of_table = 41, of_table) AS nth FROM published_rate WHERE of_table <> 44)
    WHERE nth = 1
),
found AS (                          -- of a scheme on a volume of a panel
    SELECT p.panel, m.place AS method, m.title, c.*, q.rate AS printed, q.half AS printed_half
    FROM panel AS p
    JOIN cell AS c USING (device_name, width, height, spp)
    JOIN method AS m ON m.variant = c.variant
    LEFT JOIN printed AS q ON q.scene = c.scene AND q.method = m.title
)
SELECT f.panel, f.title AS method,
       max(iif(f.volume = 'cgg-logo', f.rate, NULL)) AS cube, max(iif(f.volume = 'cgg-logo', f.rate / (1 + f.relative_ci), NULL)) AS cube_low,
       max(iif(f.volume = 'cgg-logo', f.rate / (1 - f.relative_ci), NULL)) AS cube_high,
       coalesce(max(iif(f.volume = 'cgg-logo', f.flags || iif(f.rate IS NULL, '|' || f.counted_flags, ''), NULL)), 'not_asked') AS cube_flags, max(iif(f.volume = 'cgg-logo', f.trials, NULL)) AS cube_trials,
       max(iif(f.volume = 'cgg-logo', f.printed, NULL)) AS cube_printed, max(iif(f.volume = 'cgg-logo', f.printed_half, NULL)) AS cube_half,
       max(iif(f.volume = 'cgg-logo', f.lanes, NULL)) AS cube_lanes, max(iif(f.volume = 'cgg-logo', f.counted, NULL)) AS cube_counted,
       max(iif(f.volume = 'ad', f.rate, NULL)) AS slab, max(iif(f.volume = 'ad', f.rate / (1 + f.relative_ci), NULL)) AS slab_low,
       max(iif(f.volume = 'ad', f.rate / (1 - f.relative_ci), NULL)) AS slab_high,
       coalesce(max(iif(f.volume = 'ad', f.flags || iif(f.rate IS NULL, '|' || f.counted_flags, ''), NULL)), 'not_asked') AS slab_flags, max(iif(f.volume = 'ad', f.trials, NULL)) AS slab_trials,
       max(iif(f.volume = 'ad', f.printed, NULL)) AS slab_printed, max(iif(f.volume = 'ad', f.printed_half, NULL)) AS slab_half,
       max(iif(f.volume = 'ad', f.lanes, NULL)) AS slab_lanes, max(iif(f.volume = 'ad', f.counted, NULL)) AS slab_counted,
       max(iif(f.volume = 'artifix', f.rate, NULL)) AS knees, max(iif(f.volume = 'artifix', f.rate / (1 + f.relative_ci), NULL)) AS knees_low,
       max(iif(f.volume = 'artifix', f.rate / (1 - f.relative_ci), NULL)) AS knees_high,
       coalesce(max(iif(f.volume = 'artifix', f.flags || iif(f.rate IS NULL, '|' || f.counted_flags, ''), NULL)), 'not_asked') AS knees_flags, max(iif(f.volume = 'artifix', f.trials, NULL)) AS knees_trials,
       max(iif(f.volume = 'artifix', f.printed, NULL)) AS knees_printed, max(iif(f.volume = 'artifix', f.printed_half, NULL)) AS knees_half,
       max(iif(f.volume = 'artifix', f.lanes, NULL)) AS knees_lanes, max(iif(f.volume = 'artifix', f.counted, NULL)) AS knees_counted,
       max(iif(f.volume = 'manix', f.rate, NULL)) AS phantom, max(iif(f.volume = 'manix', f.rate / (1 + f.relative_ci), NULL)) AS phantom_low,
       max(iif(f.volume = 'manix', f.rate / (1 - f.relative_ci), NULL)) AS phantom_high,
       coalesce(max(iif(f.volume = 'manix', f.flags || iif(f.rate IS NULL, '|' || f.counted_flags, ''), NULL)), 'not_asked') AS phantom_flags, max(iif(f.volume = 'manix', f.trials, NULL)) AS phantom_trials,
       max(iif(f.volume = 'manix', f.printed, NULL)) AS phantom_printed, max(iif(f.volume = 'manix', f.printed_half, NULL)) AS phantom_half,
       max(iif(f.volume = 'manix', f.lanes, NULL)) AS phantom_lanes, max(iif(f.volume = 'manix', f.counted, NULL)) AS phantom_counted,
       max(iif(f.volume = 'head', f.rate, NULL)) AS ct, max(iif(f.volume = 'head', f.rate / (1 + f.relative_ci), NULL)) AS ct_low,
       max(iif(f.volume = 'head', f.rate / (1 - f.relative_ci), NULL)) AS ct_high,
       coalesce(max(iif(f.volume = 'head', f.flags || iif(f.rate IS NULL, '|' || f.counted_flags, ''), NULL)), 'not_asked') AS ct_flags, max(iif(f.volume = 'head', f.trials, NULL)) AS ct_trials,
       max(iif(f.volume = 'head', f.lanes, NULL)) AS ct_lanes, max(iif(f.volume = 'head', f.counted, NULL)) AS ct_counted,
       max(iif(f.volume = 'brain', f.rate, NULL)) AS mri, max(iif(f.volume = 'brain', f.rate / (1 + f.relative_ci), NULL)) AS mri_low,
       max(iif(f.volume = 'brain', f.rate / (1 - f.relative_ci), NULL)) AS mri_high,
       coalesce(max(iif(f.volume = 'brain', f.flags || iif(f.rate IS NULL, '|' || f.counted_flags, ''), NULL)), 'not_asked') AS mri_flags, max(iif(f.volume = 'brain', f.trials, NULL)) AS mri_trials,
       max(iif(f.volume = 'brain', f.lanes, NULL)) AS mri_lanes, max(iif(f.volume = 'brain', f.counted, NULL)) AS mri_counted,
       p.device, p.device_name, p.width, p.height, p.spp, p.trials AS panel_trials, p.left_out
FROM found AS f
JOIN panel AS p ON p.panel = f.panel
GROUP BY f.panel, f.method
ORDER BY f.panel, f.method
