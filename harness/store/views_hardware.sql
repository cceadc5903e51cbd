-- SPDX-License-Identifier: MIT
-- What the hardware counted and sampled, and what the compiler made. See views.sql.

-- Hardware counters. launch and bounce NULL: the whole frame; bounce NULL alone: a launch whose paths are at different ones.
CREATE TEMP VIEW counter AS
SELECT a.trial, a.id AS attempt, nullif(l.bounce, -1) AS bounce, nullif(v.launch, -1) AS launch, l.auxiliary,
       k.name AS kernel, n.name AS metric, v.value
FROM done_attempt AS a
CROSS JOIN metric_value AS v ON v.attempt = a.id
JOIN metric_name AS n ON n.id = v.metric
LEFT JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.number = v.launch
LEFT JOIN kernel AS k ON k.id = l.kernel
WHERE a.collection = 'counters';

-- Two witnesses of the counts, per launch: instructions of the extension's entry that the hardware counted in the clean
-- kernels, and ballots of the instrumented ones, of the same trial or of another with the same spec: of warps those of the totals,
-- where a warp at several bounces counts once. agree = 1: equal; with the free loop, whose warps are its own, and with tickets that
-- depend on a race, in paths alone.
CREATE TEMP VIEW witness AS
SELECT trial, launch, bounce, kernel, sass_warps, sass_paths, ballot_warps, ballot_paths,
       sass_paths = ballot_paths AND (paths_alone OR sass_warps = ballot_warps) AS agree
FROM (SELECT a.trial, nullif(s.launch, -1) AS launch, nullif(l.bounce, -1) AS bounce, k.name AS kernel,
             s.instructions AS sass_warps, s.thread_instructions AS sass_paths,
             coalesce(t.loop = 'free', 0) OR coalesce(t.tickets = 'atomic', 0) AS paths_alone,
             CASE WHEN c.id IS NOT NULL THEN
                 (SELECT coalesce(nullif(sum(iif(bounce < 0, active_warps, 0)), 0), sum(active_warps), 0) FROM bounce_counts AS b
                  WHERE b.attempt = c.id AND (s.launch = -1 OR b.launch = s.launch)) END AS ballot_warps,
             CASE WHEN c.id IS NOT NULL THEN
                 (SELECT coalesce(sum(active_paths), 0) FROM bounce_counts AS b
                  WHERE b.attempt = c.id AND b.bounce >= 0 AND (s.launch = -1 OR b.launch = s.launch)) END AS ballot_paths
      FROM done_attempt AS a
      CROSS JOIN site_count AS s ON s.attempt = a.id AND s.site = 0
      JOIN trial_record AS t ON t.id = a.trial
      LEFT JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.number = s.launch
      LEFT JOIN kernel AS k ON k.id = l.kernel
      LEFT JOIN attempt AS c ON c.id = (
          SELECT max(n.id) FROM trial_record AS same JOIN done_attempt AS n ON n.trial = same.id AND n.collection = 'counts'
          WHERE same.spec = t.spec)
      WHERE a.collection = 'counters' AND coalesce(l.auxiliary, 0) = 0);

-- Efficiency of the traversal: the lockstep model of another device's counts of the same paths in the same warps, against
-- instructions at the marked places. Both kinds of rays together; errors in points. Blocks may differ where they are whole warps
-- and own no tiles; the free loop has no model, nor has a grid that follows the number of multiprocessors.
-- bounce NULL: launches of mixed bounces, beside the model's sum over all bounces.
CREATE TEMP VIEW traversal_efficiency AS
WITH hardware AS (
    SELECT a.trial, l.bounce, a.warp_width,
           sum(CASE s.site WHEN 1 THEN s.instructions END) AS inner_steps,
           sum(CASE s.site WHEN 1 THEN s.thread_instructions END) AS inner_live,
           sum(CASE s.site WHEN 2 THEN s.instructions END) AS triangle_steps,
           sum(CASE s.site WHEN 2 THEN s.thread_instructions END) AS triangle_live
    FROM done_attempt AS a
    CROSS JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND NOT l.auxiliary
    CROSS JOIN site_count AS s ON s.attempt = a.id AND s.launch = l.number AND s.site IN (1, 2)
    WHERE a.collection = 'counters'
    GROUP BY a.id, l.bounce
), modelled AS (
    SELECT t.*, a.id AS attempt, a.warp_width AS width_of_warp
    FROM done_attempt AS a JOIN trial_record AS t ON t.id = a.trial
    WHERE a.collection = 'counts' AND EXISTS (SELECT 1 FROM lockstep WHERE attempt = a.id)
), paired AS MATERIALIZED (
    SELECT h.*, (SELECT max(m.attempt) FROM modelled AS m JOIN trial_record AS t ON t.id = h.trial
                 WHERE m.work = t.work AND m.variant = t.variant AND m.width_of_warp = h.warp_width AND
                       (m.block IS t.block OR (t.tile_m IS NULL AND m.block % h.warp_width = 0 AND
                                               t.block % h.warp_width = 0)) AND
                       coalesce(t.loop, 'reconverged') = 'reconverged' AND
                       (t.multiprocessors NOTNULL OR t.variant NOT IN (SELECT variant FROM variant_trait WHERE persistent)) AND
                       m.tree IS t.tree AND m.leaf_size IS t.leaf_size AND m.bins IS t.bins AND m.reinsert IS t.reinsert AND
                       m.top_tree IS t.top_tree AND m.tree_width IS t.tree_width AND m.child_order IS t.child_order AND
                       m.tree_stack IS t.tree_stack AND m.lane_map IS t.lane_map AND
                       m.pixel_order IS t.pixel_order AND m.traversal IS t.traversal AND m.far_first IS t.far_first AND
                       m.tile_m IS t.tile_m AND m.scan IS t.scan AND m.grid IS t.grid AND m.storage IS t.storage AND
                       m.compact_every IS t.compact_every AND
                       (m.tickets, m.batch, m.pool, m.pool_order, m.extend_over, m.ray_sort, m.queues, m.tile_slots, m.tile_order,
                        m.regenerate_every, m.regenerate_above, m.regenerate_of, m.trace_compaction, m.next_path, m.dead_share,
                        m.dead_places, m.refill_below, m.partition, m.lane_paths, m.sort_key, m.dead_key, m.tiles, m.launches,
                        m.step_list, m.resident_blocks, m.multiprocessors) IS
                       (t.tickets, t.batch, t.pool, t.pool_order, t.extend_over, t.ray_sort, t.queues, t.tile_slots, t.tile_order,
                        t.regenerate_every, t.regenerate_above, t.regenerate_of, t.trace_compaction, t.next_path, t.dead_share,
                        t.dead_places, t.refill_below, t.partition, t.lane_paths, t.sort_key, t.dead_key, t.tiles, t.launches,
                        t.step_list, t.resident_blocks, t.multiprocessors)) AS model_attempt
    FROM hardware AS h
), both AS (
    SELECT p.*, sum(l.inner_steps) AS model_inner_steps, sum(l.inner_live) AS model_inner_live,
           sum(l.triangle_steps) AS model_triangle_steps, sum(l.triangle_live) AS model_triangle_live
    FROM paired AS p
    JOIN lockstep AS l ON l.attempt = p.model_attempt AND (l.bounce = p.bounce OR (p.bounce = -1 AND l.bounce >= 0))
    GROUP BY p.trial, p.bounce
), efficiency AS (
    SELECT b.trial, nullif(b.bounce, -1) AS bounce, a.trial AS model_trial,
           1.0 * model_inner_live / nullif(b.warp_width * model_inner_steps, 0) AS model_inner,
           1.0 * inner_live / nullif(b.warp_width * inner_steps, 0) AS hardware_inner,
           1.0 * model_triangle_live / nullif(b.warp_width * model_triangle_steps, 0) AS model_triangle,
           1.0 * triangle_live / nullif(b.warp_width * triangle_steps, 0) AS hardware_triangle,
           (i.weight * model_inner_live + w.weight * model_triangle_live) /
               nullif(b.warp_width * (i.weight * model_inner_steps + w.weight * model_triangle_steps), 0) AS model,
           (i.weight * inner_live + w.weight * triangle_live) /
               nullif(b.warp_width * (i.weight * inner_steps + w.weight * triangle_steps), 0) AS hardware
    FROM both AS b
    JOIN attempt AS a ON a.id = b.model_attempt
    JOIN step_weight AS i ON i.step = 'inner'
    JOIN step_weight AS w ON w.step = 'triangle'
)
SELECT trial, bounce, model_trial, model_inner, hardware_inner, 100 * (model_inner - hardware_inner) AS error_inner,
       model_triangle, hardware_triangle, 100 * (model_triangle - hardware_triangle) AS error_triangle,
       model, hardware, 100 * (model - hardware) AS error
FROM efficiency;

-- Why warps waited: samples of a bounce by reason. bounce NULL: launches whose paths are at different ones.
CREATE TEMP VIEW stalls AS
SELECT a.trial, nullif(l.bounce, -1) AS bounce, l.auxiliary, n.name AS reason, sum(s.samples) AS samples,
       1.0 * sum(s.samples) / sum(sum(s.samples)) OVER (PARTITION BY a.trial, l.bounce, l.auxiliary) AS share
FROM done_attempt AS a
CROSS JOIN stall AS s ON s.attempt = a.id
JOIN stall_reason AS n ON n.id = s.reason
JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.number = s.launch
WHERE a.collection = 'stalls'
GROUP BY a.trial, l.bounce, l.auxiliary, s.reason;

-- The same by source line, over a frame; place 1 has the most samples. reason: the most frequent of the line that is none of
-- having issued.
CREATE TEMP VIEW stall_lines AS
WITH line AS (
    SELECT a.trial, s.attempt, s.kernel, s.file, s.line, sum(s.samples) AS samples,
           sum(CASE WHEN n.name <> 'selected' THEN s.samples ELSE 0 END) AS waiting
    FROM done_attempt AS a
    CROSS JOIN stall_line AS s ON s.attempt = a.id
    JOIN stall_reason AS n ON n.id = s.reason
    WHERE a.collection = 'stalls'
    GROUP BY s.attempt, s.kernel, s.file, s.line
)
SELECT v.trial, row_number() OVER (PARTITION BY v.attempt ORDER BY v.samples DESC, v.kernel, v.file, v.line) AS place,
       k.name AS kernel, f.name AS file, v.line, v.samples, v.waiting,
       1.0 * v.samples / sum(v.samples) OVER (PARTITION BY v.attempt) AS share,
       (SELECT n.name FROM stall_line AS s JOIN stall_reason AS n ON n.id = s.reason
        WHERE s.attempt = v.attempt AND s.kernel = v.kernel AND s.file = v.file AND s.line = v.line AND n.name <> 'selected'
        ORDER BY s.samples DESC, n.name LIMIT 1) AS reason
FROM line AS v
JOIN kernel AS k ON k.id = v.kernel
JOIN source_file AS f ON f.id = v.file;

-- What the compiler made of the kernels, with their names.
CREATE TEMP VIEW kernels AS
SELECT a.trial, a.collection, k.name AS kernel, f.registers, f.spill_bytes, f.local_bytes, f.static_shared_bytes, f.block,
       f.shared_bytes, f.static_shared_bytes + f.shared_bytes AS block_bytes, f.resident_warps,
       1.0 * f.resident_warps / nullif(a.multiprocessors, 0) AS multiprocessor_warps, f.auxiliary
FROM kernel_facts AS f
JOIN kernel AS k ON k.id = f.kernel
JOIN done_attempt AS a ON a.id = f.attempt;

-- Idle multiprocessors of each launch, a share of all, averaged over it: of the counters, or of a timeline with three samples in it. seconds:
-- what it takes while they run, or in the latest trial of the same spec whose launches were timed; NULL: not known.
CREATE TEMP VIEW launch_idle AS
SELECT a.trial, 'counters' AS source, v.launch, k.name AS kernel, nullif(l.stage, '') AS stage, l.iteration AS round,
       nullif(l.bounce, -1) AS bounce, l.auxiliary,
       coalesce((SELECT g.value / 1e9 FROM metric_name AS m JOIN metric_value AS g ON g.attempt = a.id AND g.launch = v.launch AND g.metric = m.id
                 WHERE m.name = 'gpu_time'),
                (SELECT avg(seconds) FROM (SELECT seconds FROM launch WHERE attempt = a.timed AND number = v.launch
                                           UNION ALL
                                           SELECT nanoseconds / 1e9 FROM launch_time WHERE attempt = a.timed AND number = v.launch))) AS seconds,
       1 - v.value / 100 AS idle_multiprocessors
FROM (SELECT c.id, c.trial, (SELECT d.id FROM trial_record AS o
                             CROSS JOIN trial_record AS n ON n.spec = o.spec
                             CROSS JOIN done_attempt AS d ON d.trial = n.id AND d.collection = 'launches' AND d.times
                             WHERE o.id = c.trial
                             ORDER BY n.last_run DESC, n.id DESC LIMIT 1) AS timed
      FROM done_attempt AS c WHERE c.collection = 'counters') AS a
CROSS JOIN metric_value AS v ON v.attempt = a.id AND v.launch >= 0 AND v.value IS NOT NULL
JOIN metric_name AS n ON n.id = v.metric AND n.name = 'busy_multiprocessors'
JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.number = v.launch
JOIN kernel AS k ON k.id = l.kernel
UNION ALL
SELECT trial, 'timeline', launch, kernel, stage, round, bounce, auxiliary, seconds, idle_multiprocessors
FROM timeline_kernel WHERE idle_multiprocessors IS NOT NULL;

-- The same of a setting's whole frame, the gaps between its launches included, from its latest trial that tells, which may be of another
-- experiment with the same spec: of the counters if they were read over the frame, or its only launch; else of a timeline, from the first
-- launch to the end of the last one.
CREATE TEMP VIEW frame_idle AS
WITH sampled AS MATERIALIZED (
    SELECT id, trial, (SELECT max(start + nanoseconds) FROM timeline_launch WHERE attempt = a.id) AS finish
    FROM done_attempt AS a WHERE collection = 'timeline'
), told AS MATERIALIZED (
    SELECT a.trial, 'counters' AS source, 1 - coalesce(max(iif(v.launch = -1, v.value, NULL)), max(v.value)) / 100 AS idle_multiprocessors
    FROM done_attempt AS a
    CROSS JOIN metric_value AS v ON v.attempt = a.id AND v.value IS NOT NULL
    JOIN metric_name AS n ON n.id = v.metric AND n.name = 'busy_multiprocessors'
    WHERE a.collection = 'counters' AND
          (v.launch = -1 OR (SELECT count(*) FROM launch WHERE attempt = a.id AND repetition = 0) = 1)
    GROUP BY a.trial
    UNION ALL
    SELECT a.trial, 'timeline', 1 - 1.0 * sum(s.active_cycles) / nullif(sum(s.cycles), 0)
    FROM sampled AS a
    CROSS JOIN timeline_sample AS s ON s.attempt = a.id
    WHERE s.start + s.nanoseconds / 2 >= 0 AND s.start + s.nanoseconds / 2 < a.finish
    GROUP BY a.trial
), ranked AS (
    SELECT t.setting, i.*, row_number() OVER (PARTITION BY t.setting ORDER BY i.source, n.last_run DESC, i.trial DESC) AS nth
    FROM told AS i
    JOIN trial_record AS n ON n.id = i.trial
    JOIN trial_record AS t ON t.spec = n.spec
    WHERE i.idle_multiprocessors IS NOT NULL
)
SELECT setting, trial, source, idle_multiprocessors FROM ranked WHERE nth = 1;
