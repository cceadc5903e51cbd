-- SPDX-License-Identifier: MIT
-- What the tables of schemes and the claims read besides the counts of all papers.

-- what the thesis prints of a scheme, by the scenes of the database that stand in for its own
CREATE TEMP VIEW published_rate AS
WITH cell AS (
    SELECT 43 AS of_table, * FROM published_table43 UNION ALL SELECT 44, * FROM published_table44 UNION ALL
    SELECT 45, * FROM published_table45 UNION ALL SELECT 46, * FROM published_table46
),
printed AS (
    SELECT 41 AS of_table, method, 'cgg-logo' AS original, rate, rate_half AS half FROM published_table41 UNION ALL
    SELECT of_table, method, 'cgg-logo', cgg_logo, cgg_logo_half FROM cell UNION ALL SELECT of_table, method, 'ad', ad, ad_half FROM cell UNION ALL
    SELECT of_table, method, 'artifix', artifix, artifix_half FROM cell UNION ALL SELECT of_table, method, 'manix', manix, manix_half FROM cell
)
SELECT p.*, i.scene FROM printed AS p JOIN stand_in AS i ON i.stands_for = p.original;

-- Rays of a work, which every scheme traces: of any setting that was counted.
CREATE TEMP VIEW traced AS SELECT work, max(rays) AS rays FROM measured WHERE rays NOTNULL GROUP BY work;

-- Once a counted trial. trips: of blocks that compact by a scan, which takes three barriers with what follows it. partial, uniform: NULL where
-- neither was counted.
CREATE TEMP VIEW scheme_counts AS
SELECT *, iif(partial_warps + parted_warps > 0, partial_warps, NULL) AS partial, iif(partial_warps + parted_warps > 0, 1 - 1.0 * parted_warps / warps,
       NULL) AS uniform
FROM (SELECT a.trial, 1.0 * sum(iif(b.bounce < 0, b.barriers, 0)) / sum(iif(b.bounce >= 0, b.active_paths, 0)) AS barriers_per_ray,
             sum(iif(b.bounce < 0, b.barriers, 0)) / 3.0 AS trips, nullif(sum(iif(b.bounce < 0, b.active_warps, 0)), 0) AS warps,
             sum(iif(b.bounce < 0, b.partial_warps, 0)) AS partial_warps, sum(iif(b.bounce < 0, b.parted_warps, 0)) AS parted_warps,
             1.0 * sum(iif(b.bounce < 0, b.mixed_warps, 0)) / nullif(sum(iif(b.bounce < 0, b.active_warps, 0)), 0) AS mixed,
             sum(iif(b.bounce < 0, b.albedo_lines, 0)) AS albedo_lines, sum(iif(b.bounce < 0, b.albedo_warps, 0)) AS albedo_warps,
             1.0 * sum(iif(b.bounce < 0, b.albedo_lines, 0)) / nullif(sum(iif(b.bounce < 0, b.albedo_warps, 0)), 0) AS lines,
             sum(iif(b.bounce >= 0, b.collisions, 0)) AS collisions, nullif(sum(iif(b.bounce >= 0, b.lookups, 0)), 0) AS looked,
             1.0 * sum(iif(b.bounce < 0, b.sorted_apart, 0)) / nullif(sum(iif(b.bounce < 0, b.sorted_pairs, 0)), 0) AS sorted_apart,
             1.0 * sum(iif(b.bounce >= 0, b.lookups, 0)) / nullif(sum(iif(b.bounce >= 0, b.collisions, 0)), 0) AS lookups,
             sum(iif(b.bounce < 0, b.scheme_bytes, 0)) / 1048576.0 AS mebibytes
      FROM result AS a
      CROSS JOIN bounce_counts AS b ON b.attempt = a.attempt
      WHERE a.collection = 'counts'
      GROUP BY a.trial);

-- Of the model: lines of 128 bytes from which a warp reads densities in a step of tracking, and the share of its lanes at work in it.
CREATE TEMP VIEW lookup_steps AS
SELECT a.trial, 1.0 * (SELECT sum(b.node_lines) FROM bounce_counts AS b WHERE b.attempt = a.attempt) / sum(l.inner_steps) AS lines,
       1.0 * sum(l.inner_live) / sum(l.inner_steps) / a.warp_width AS lanes
FROM result AS a
CROSS JOIN lockstep AS l ON l.attempt = a.attempt
WHERE a.collection = 'counts' AND l.kind = 0 AND l.inner_steps > 0
GROUP BY a.trial;

-- Tables of schemes, with the number of what the thesis prints; and their methods, in their order there.
CREATE TEMP VIEW method AS
WITH of (of_table, printed) AS (
    VALUES ('kernels', 41), ('regeneration', 43), ('bounded', 44), ('lane_paths', 43), ('compaction', 45), ('sorting', 46), ('schemes', NULL)
),
listed (place, variant, title, tables) AS (
    VALUES (1, 'volume_naive', 'naiveSK', 'kernels regeneration bounded lane_paths compaction sorting schemes'),
           (2, 'volume_steps', 'naiveMK', 'kernels schemes'),
           (3, 'regenerate_thread', 'regenerationSK (thread)', 'regeneration bounded lane_paths compaction sorting schemes'),
           (4, 'regenerate_warp', 'regenerationSK (warp)', 'regeneration bounded lane_paths compaction sorting schemes'),
           (5, 'regenerate_block', 'regenerationSK (block)', 'regeneration schemes'),
           (6, 'regenerate_block_part', 'regenerationSK (block, in part)', 'regeneration'),
           (6, 'regenerate_block_part', 'regenerationSK (part of a block)', 'schemes'),
           (7, 'regenerate_device', 'regeneration (device)', 'regeneration schemes'),
           (8, 'stream_block', 'streamingSK', 'compaction schemes'), (8, 'stream_block', 'streamingSK (compaction)', 'sorting'),
           (9, 'stream_device', 'streamingMK', 'compaction schemes'), (10, 'stream_device_local', 'streamingMK (by block)', 'compaction schemes'),
           (11, 'stream_sort', 'streamingSK (sorting)', 'sorting schemes'), (12, 'sort_albedo', 'sortingSK', 'sorting schemes')
)
SELECT o.*, l.* FROM of AS o JOIN listed AS l ON instr(l.tables, o.of_table);

-- Tables 4.1 and 4.3 to 4.6: rays per second by method; a ray is an extension of a path, the one that leaves included. A panel is a scene, device,
-- image size and schedule; a row is a method and its choices.
CREATE TEMP VIEW scheme_rate AS
WITH cell AS (
    SELECT m.of_table, m.printed, m.place, m.title, c.*, 1e-6 * r.rays / c.spp / c.seconds AS rate
    FROM method AS m
    JOIN measured AS c ON c.variant = m.variant
    LEFT JOIN traced AS r ON r.work = c.work
    WHERE m.of_table <> 'schemes' AND c.axes NOT LIKE '%tile%' AND
          iif(m.of_table = 'bounded', c.schedule LIKE '%registers 32%', c.schedule NOT LIKE '%registers %') AND
          (c.own NOT LIKE '%lane paths%' OR m.of_table = 'lane_paths')
)
SELECT c.of_table, c.title, c.chosen, c.rate, c.relative_ci, c.flags || iif(c.rate IS NULL, '|' || c.counted_flags, '') AS rate_flags, c.trials,
       n.seconds / c.seconds AS speedup, q.rate AS rate_published, q.half AS rate_half, q.rate / o.rate AS speedup_published,
       c.flags || '|' || coalesce(n.flags, 'not_asked') AS speedup_flags, c.trials || coalesce(', ' || n.trials, '') AS both_trials, c.lanes,
       c.counted_flags, c.counted AS counted_trial, 1.0 * c.rays / c.paths AS extensions, k.mixed, 1.0 * c.atomics / c.paths AS atomics,
       k.barriers_per_ray AS barriers, k.lines, k.lookups, e.lines AS density_lines, e.lanes AS tracking, k.mebibytes, c.launches,
       c.work AS frame, c.newest, c.scene, c.camera, c.device, c.device_name, c.width, c.height, c.max_bounces,
       c.family AS work, c.schedule || coalesce(', ' || max(nullif(c.axes, '')) OVER panel, '') AS schedule
FROM cell AS c
LEFT JOIN cell AS n ON n.of_table = c.of_table AND n.work = c.work AND n.device_name = c.device_name AND n.schedule = c.schedule AND
                       n.variant = 'volume_naive' AND n.own = ''
LEFT JOIN published_rate AS q ON q.of_table = c.printed AND q.scene = c.scene AND q.method = c.title
LEFT JOIN published_rate AS o ON o.of_table = c.printed AND o.scene = c.scene AND o.method = 'naiveSK'
LEFT JOIN scheme_counts AS k ON k.trial = c.counted
LEFT JOIN lookup_steps AS e ON e.trial = c.counted
WINDOW panel AS (PARTITION BY c.of_table, c.work, c.device_name, c.schedule)
ORDER BY c.scene, c.camera, c.device_name, c.width * c.height, c.place, c.own;

-- ---- what claims compare

-- Volumes by which they are judged: the stand-ins of the thesis's four; scans, as its artifix and manix are; one shape in grids of several sizes.
CREATE TEMP VIEW judged_volume AS
SELECT scene, stands_for AS original,
       CASE WHEN stands_for IN ('cgg-logo', 'ad') THEN 'constant' WHEN scene LIKE 'grid\_%' ESCAPE '\' THEN 'grid' ELSE 'uneven' END AS kind
FROM stand_in
WHERE stands_for IN ('cgg-logo', 'ad', 'artifix', 'manix') OR scene IN ('head', 'brain') OR scene LIKE 'grid\_%' ESCAPE '\';

-- Settings of schemes on them. vote, literal, in_document: how a claim counts them, each volume once, in the thesis's own frame where that counts:
-- that of Table 4.1, of Table 4.2 for tiles; the stand-ins for the thesis's four decide.
-- choice: in what they differ from those of the thesis's tables, '' = in nothing. thin: 'few_paths' where a frame has
-- fewer than four paths for each lane that the device holds, or that a persistent kernel is launched with: all samples are of one launch or queue,
-- but in `volume_steps`, which renders them one after the other.
CREATE TEMP VIEW scheme AS
SELECT *, replace(replace(flags, 'underfilled', ''), 'uncounted', '') || '|' || thin AS weak
FROM (SELECT m.*, v.kind, coalesce(nullif(m.stands_for, ''), m.scene) AS vote, m.stands_for <> '' AS in_document,
             iif(t.tiles > 1, m.width = 1920 AND m.height = 1920 AND m.spp = 5, m.width = 400 AND m.height = 400 AND m.spp = 100) AS literal,
             printf('%s, %dx%d, %d samples, %s', m.label, m.width, m.height, m.spp, iif(m.device_kind = 'model', m.device, m.device_name)) AS place,
             t.tiles, t.tile_streams, t.tile_download,
             iif(t.registers NOTNULL, ', registers ' || t.registers, '') || iif(t.block <> 256, ', block ' || t.block, '') ||
                 iif(t.resident_blocks NOTNULL, ', resident blocks ' || t.resident_blocks, '') || iif(t.shared_pad > 0, ', shared pad ' || t.shared_pad, '') ||
                 iif(t.carveout NOTNULL, ', carveout ' || t.carveout, '') || iif(t.loop = 'free', ', loop free', '') ||
                 iif(t.lane_paths <> '1', ', lane paths ' || t.lane_paths, '') || iif(t.tickets = 'ordered', ', tickets ordered', '') ||
                 iif(t.sort_key <> 'position', ', sort key ' || t.sort_key, '') || iif(t.dead_key = 'above', ', dead key above', '') ||
                 iif(t.launches = 'one', ', launches one', '') || iif(t.step_list = 'indices', ', step list indices', '') ||
                 iif(t.step_train <> 'none', ', step train ' || t.step_train, '') ||
                 iif(t.pool NOTNULL, ', pool ' || t.pool, '') ||
                 iif(t.tiles > 1, ', tiles ' || t.tiles, '') || iif(t.tile_streams > 1, ', tile streams ' || t.tile_streams, '') ||
                 iif(t.tile_download <> 'none', ', tile download ' || t.tile_download, '') || iif(t.tile_film = 'tile', ', tile film', '') ||
                 iif(t.boundary <> 'straight', ', boundary ' || t.boundary, '') ||
                 iif(t.multiprocessors NOTNULL AND m.device_kind <> 'model', ', multiprocessors ' || t.multiprocessors, '') ||
                 iif(t.grid_loads <> 'plain', ', grid loads ' || t.grid_loads, '') ||
                 iif(t.interpolation <> 'nearest', ', interpolation ' || t.interpolation, '') ||
                 iif(t.majorant <> 'box', ', majorant ' || t.majorant, '') AS choice,
             iif(1.0 * m.width * m.height * iif(m.variant = 'volume_steps', 1, m.spp) <
                     4.0 * coalesce(m.warp_width, r.warp_width) * coalesce(r.resident_warps, g.warps), 'few_paths', '') AS thin
      FROM measured AS m
      JOIN judged_volume AS v ON v.scene = m.scene
      JOIN trial_record AS t ON t.id = m.trial
      LEFT JOIN residency AS r ON r.setting = m.setting
      LEFT JOIN (SELECT a.trial, max(l."grid" * ((l.block + a.warp_width - 1) / a.warp_width)) AS warps
                 FROM result AS a JOIN launch AS l ON l.attempt = a.attempt AND l.repetition = 0 AND NOT l.auxiliary
                 WHERE a.collection = 'counts'
                 GROUP BY a.trial) AS g ON g.trial = m.counted AND m.variant NOT IN ('volume_naive', 'volume_steps')
      WHERE m.first_camera AND
            m.variant IN ('volume_naive', 'volume_steps', 'regenerate_thread', 'regenerate_warp', 'regenerate_block', 'regenerate_block_part',
                          'regenerate_device', 'stream_block', 'stream_device', 'stream_device_local', 'stream_sort', 'sort_albedo'));

-- Tables 4.1 and 4.3 to 4.6 as printed: methods by the volumes that stand in for the thesis's, each in the thesis's way. relation: rays a second
-- against what the table compares with: the naive kernel, regeneration by thread, or in Table 4.4 the same without a limit. All trace the same rays,
-- so that times tell it, counted or not. cells: those of a filled device.
CREATE TEMP VIEW printed_shape AS
WITH base AS (
    SELECT column1 AS of_table, column2 AS in_table, column3 AS title
    FROM (VALUES ('kernels', 'kernels', 'naiveSK'), ('regeneration', 'regeneration', 'naiveSK'), ('bounded', 'regeneration', NULL),
                 ('compaction', 'compaction', 'regenerationSK (thread)'), ('sorting', 'sorting', 'regenerationSK (thread)'))
),
rated AS (
    SELECT m.of_table, m.title, m.place AS line, s.*, 1e-6 * r.rays / s.spp / s.seconds AS rate, q.rate AS printed,
           s.flags || iif(r.rays / s.seconds IS NULL, '|' || s.counted_flags, '') AS rate_flags
    FROM method AS m
    JOIN scheme AS s ON s.variant = m.variant AND s.choice = iif(m.of_table = 'bounded', ', registers 32', '')
    JOIN published_rate AS q ON q.of_table = m.printed AND q.scene = s.scene AND q.method = m.title
    LEFT JOIN traced AS r ON r.work = s.work
)
SELECT r.of_table, r.title AS method, r.stands_for AS volume, r.rate, r.relative_ci, r.rate_flags, r.trials AS of_trials, b.seconds / r.seconds AS relation,
       r.printed / b.printed AS relation_published, r.flags || '|' || coalesce(b.flags, 'not_asked') AS relation_flags,
       r.trials || coalesce(', ' || b.trials, '') AS both_trials,
       count(iif(instr(r.flags, 'underfilled'), NULL, r.seconds)) OVER panel AS cells, r.newest, r.device, r.device_name, r.width, r.height, r.spp,
       r.max_bounces, r.family AS work
FROM rated AS r
JOIN base AS x ON x.of_table = r.of_table
LEFT JOIN rated AS b ON b.of_table = x.in_table AND b.title = coalesce(x.title, r.title) AND b.work = r.work AND b.device_name = r.device_name
WINDOW panel AS (PARTITION BY r.of_table, r.device_name, r.width, r.height, r.spp)
ORDER BY r.of_table, r.device_name, r.width * r.height, r.spp, r.line;

-- Two settings on the same paths, in the thesis's way but for what `choice` says of the first: how many times as fast it is, with half of the
-- interval. thin: as above, of either.
CREATE TEMP VIEW scheme_pair AS
SELECT a.variant, b.variant AS over, a.choice, a.kind, a.scene, a.stands_for, a.vote, a.literal, a.in_document, a.device_name, a.width, a.height, a.spp,
       a.seed, a.tiles, a.setting, b.setting AS over_setting,
       a.place,
       a.weak || '|' || b.weak AS flags, max(a.thin, b.thin) AS thin, a.trials || ', ' || b.trials AS trials, b.seconds / a.seconds AS gain,
       b.seconds / a.seconds * quadrature(a.relative_ci, b.relative_ci) AS half,
       a.counted, b.counted AS over_counted, a.lanes, b.lanes AS over_lanes
FROM scheme AS a
JOIN scheme AS b ON b.work = a.work AND b.device_name = a.device_name AND b.choice = '' AND b.setting <> a.setting;

-- The same where both were counted: warps with paths at several bounces, and lines of 128 bytes of a warp's request for albedos and of its look-up of a
-- density, of the first over the second.
CREATE TEMP VIEW counted_pair AS
SELECT p.variant, p.over, p.choice, p.kind, p.scene, p.device_name, p.width, p.height, p.setting, p.over_setting, p.place, p.vote, p.literal,
       p.in_document, p.thin AS flags,
       p.counted || ', ' || p.over_counted AS trials,
       a.mixed / nullif(b.mixed, 0) AS mixed, a.lines / b.lines AS lines, s.lines / t.lines AS density_lines, p.lanes, p.over_lanes
FROM scheme_pair AS p
JOIN scheme_counts AS a ON a.trial = p.counted
JOIN scheme_counts AS b ON b.trial = p.over_counted
LEFT JOIN lookup_steps AS s ON s.trial = p.counted
LEFT JOIN lookup_steps AS t ON t.trial = p.over_counted;

-- Counters of a setting's whole frame, the newest of its specification. stalls: warps that wait for each instruction issued, in all and for memory.
-- Warps that wait for their turn are left out.
CREATE TEMP VIEW scheme_counters AS
SELECT * FROM (SELECT s.setting, a.trial, max(iif(n.name = 'achieved_occupancy', v.value, NULL)) AS occupancy,
       max(iif(n.name = 'instructions', v.value, NULL)) AS instructions,
                      max(iif(n.name = 'l1_hit_rate', v.value, NULL)) AS l1_hits, max(iif(n.name = 'l2_hit_rate', v.value, NULL)) AS l2_hits,
                      max(iif(n.name = 'l2_throughput', v.value, NULL)) AS l2_busy, max(iif(n.name = 'dram_throughput', v.value, NULL)) AS dram_busy,
                      max(iif(n.name = 'memory_throughput', v.value, NULL)) AS busiest, max(iif(n.name = 'dram_bytes', v.value, NULL)) AS dram_bytes,
                      sum(iif(n.name LIKE 'stall\_%' ESCAPE '\' AND n.name <> 'stall_not_selected', v.value, NULL)) AS stalls,
                      sum(iif(n.name IN ('stall_long_scoreboard', 'stall_lg_throttle'), v.value, NULL)) AS memory_stalls,
                      max(iif(n.name = 'local_load_sectors', v.value, NULL)) / sum(iif(n.name IN ('local_load_sectors', 'load_sectors'), v.value, NULL))
                          * iif(count(iif(n.name = 'load_sectors', 1, NULL)), 1, NULL) AS local_share, -- of the sectors that loads ask for
                      sum(iif(n.name IN ('stall_long_scoreboard', 'stall_short_scoreboard', 'stall_wait'), v.value, NULL)) AS dependency_stalls,
                      row_number() OVER (PARTITION BY s.setting ORDER BY o.last_run DESC, o.id DESC) AS nth
               FROM scheme AS s
               JOIN trial_record AS o ON o.spec = s.spec
               JOIN result AS a ON a.trial = o.id AND a.collection = 'counters'
               JOIN metric_value AS v ON v.attempt = a.attempt AND v.launch = -1
               JOIN metric_name AS n ON n.id = v.metric
               GROUP BY s.setting, a.trial)
WHERE nth = 1;

-- Share of lanes at work in steps of tracking, by the model or, of a GPU, as the hardware counted it.
CREATE TEMP VIEW tracking AS
SELECT s.setting, l.trial, l.lanes, 0 AS by_hardware FROM scheme AS s JOIN lookup_steps AS l ON l.trial = s.counted
UNION ALL
SELECT setting, trial, lanes, 1
FROM (SELECT s.setting, a.trial, 1.0 * sum(c.thread_instructions) / (a.warp_width * sum(c.instructions)) AS lanes,
             row_number() OVER (PARTITION BY s.setting ORDER BY o.last_run DESC, o.id DESC) AS nth
      FROM scheme AS s
      JOIN trial_record AS o ON o.spec = s.spec
      JOIN result AS a ON a.trial = o.id AND a.collection = 'counters'
      JOIN site_count AS c ON c.attempt = a.attempt AND c.launch >= 0 AND c.site = 1
      GROUP BY s.setting, a.trial)
WHERE nth = 1;

-- ---- what single claims compare

-- regeneration by thread against all others on volumes of constant density
CREATE TEMP VIEW thread_on_constant AS
SELECT *, over IN ('volume_naive', 'regenerate_warp', 'regenerate_block', 'regenerate_block_part') AS regenerates
FROM scheme_pair
WHERE variant = 'regenerate_thread' AND choice = '' AND kind = 'constant' AND
      over IN ('volume_naive', 'regenerate_warp', 'regenerate_block', 'regenerate_block_part', 'stream_block', 'stream_device', 'stream_sort',
               'sort_albedo');

-- the schemes of Tables 4.3 and 4.5 against each other on uneven volumes
CREATE TEMP VIEW uneven_pair AS
SELECT * FROM scheme_pair
WHERE choice = '' AND kind = 'uneven' AND variant IN ('volume_naive', 'regenerate_thread', 'regenerate_warp', 'stream_block', 'stream_device') AND
      over IN ('volume_naive', 'regenerate_thread', 'regenerate_warp', 'stream_block', 'stream_device');

-- one path a lane and regeneration by thread, with what their warps do
CREATE TEMP VIEW tracked AS
SELECT s.*, k.uniform, e.lanes AS tracking, coalesce(s.counted, e.trial) AS source
FROM scheme AS s
LEFT JOIN scheme_counts AS k ON k.trial = s.counted
LEFT JOIN tracking AS e ON e.setting = s.setting
WHERE s.variant IN ('volume_naive', 'regenerate_thread') AND s.choice = '' AND s.kind <> 'grid';

-- kernels of a setting as they were built
CREATE TEMP VIEW built AS
SELECT t.setting, k.*
FROM kernels AS k JOIN trial_record AS t ON t.id = k.trial
WHERE k.auxiliary = 0 AND k.collection <> 'counts' AND k.registers > 0;

-- regeneration with at most 32 registers against without a limit
CREATE TEMP VIEW bounded_pair AS
SELECT * FROM scheme_pair
WHERE variant IN ('regenerate_thread', 'regenerate_warp') AND over = variant AND choice = ', registers 32' AND kind IN ('constant', 'uneven');

-- regeneration by thread in another way than the thesis's against that; of these with fewer blocks to a multiprocessor, best volume first
CREATE TEMP VIEW thread_choice AS
SELECT * FROM scheme_pair WHERE variant = 'regenerate_thread' AND over = variant AND kind IN ('constant', 'uneven') AND choice <> '';

CREATE TEMP VIEW capped_pair AS
SELECT *, row_number() OVER (PARTITION BY choice, width, height, spp, seed, device_name ORDER BY gain DESC) AS nth
FROM thread_choice
WHERE gain NOTNULL AND (choice GLOB ', resident blocks *' OR choice GLOB ', registers *, resident blocks *') AND choice NOT GLOB '*lane paths*';

-- An image in tiles against the whole one. in_turn: its tiles are launched one after the other, not at the same time, as the thesis does.
CREATE TEMP VIEW tiled AS
SELECT *, 1 / gain AS ratio, half / (gain * gain) AS ratio_half, iif(choice = ', tiles ' || tiles, 'in_turn', '') AS in_turn
FROM scheme_pair
WHERE variant = over AND variant IN ('volume_naive', 'regenerate_thread', 'stream_block') AND kind <> 'grid' AND
      (choice = ', tiles ' || tiles OR choice GLOB ', tiles ' || tiles || ', tile streams *' AND choice NOT GLOB '*download*');

-- several kernels, changed in their launches, beside several as they are and one
CREATE TEMP VIEW launching AS
SELECT a.place, a.vote, a.literal, a.in_document, a.choice, a.weak || '|' || p.flags AS flags, iif(p.gain - p.half > 1, NULL, 'several_fast') AS excluded,
       a.trials || ', ' || p.trials AS trials, a.seconds, a.relative_ci, m.seconds AS several, m.relative_ci AS several_ci, s.seconds AS one,
       s.relative_ci AS one_ci
FROM scheme AS a
JOIN scheme AS m ON m.work = a.work AND m.device_name = a.device_name AND m.variant = 'volume_steps' AND m.choice = ''
JOIN scheme AS s ON s.work = a.work AND s.device_name = a.device_name AND s.variant = 'volume_naive' AND s.choice = ''
JOIN scheme_pair AS p ON p.setting = s.setting AND p.over_setting = m.setting
WHERE a.variant = 'volume_steps' AND a.kind <> 'grid';
