-- SPDX-License-Identifier: MIT
-- After ../common.sql: the schemes of all documents, each beside the kernel that traces one path per lane, on the same frame.

-- Schemes in the order of the table; base: the kernel with one path per lane.
CREATE TEMP VIEW scheme AS
SELECT row_number() OVER () AS place_here, column1 AS study, column2 AS document, column3 AS variant, column4 AS base
FROM (VALUES ('wald2011', 'Wald 2011', 'naive', 'naive'), ('wald2011', 'Wald 2011', 'whole_frame_off', 'naive'),
             ('wald2011', 'Wald 2011', 'whole_frame', 'naive'), ('wald2011', 'Wald 2011', 'tiled_global', 'naive'),
             ('wald2011', 'Wald 2011', 'tiled_shared', 'naive'), ('frolov2015', 'Frolov 2015', 'naive', 'naive'),
             ('frolov2015', 'Frolov 2015', 'pool_refill', 'naive'), ('frolov2015', 'Frolov 2015', 'tile_regenerate', 'naive'),
             ('frolov2015', 'Frolov 2015', 'stream_compact', 'naive'), ('frolov2015', 'Frolov 2015', 'thread_regenerate', 'naive'),
             ('frolov2015', 'Frolov 2015', 'majority_state', 'naive'), ('volpt2018', 'thesis 2018', 'volume_naive', 'volume_naive'),
             ('volpt2018', 'thesis 2018', 'volume_steps', 'volume_naive'), ('volpt2018', 'thesis 2018', 'regenerate_warp', 'volume_naive'),
             ('volpt2018', 'thesis 2018', 'regenerate_block', 'volume_naive'), ('volpt2018', 'thesis 2018', 'regenerate_thread', 'volume_naive'),
             ('volpt2018', 'thesis 2018', 'stream_sort', 'volume_naive'), ('volpt2018', 'thesis 2018', 'stream_device', 'volume_naive'),
             ('volpt2018', 'thesis 2018', 'stream_block', 'volume_naive'), ('cmu2023', 'CMU 2023', 'naive', 'naive'),
             ('cmu2023', 'CMU 2023', 'two_stage', 'naive'), ('cmu2023', 'CMU 2023', 'two_stage_pixel', 'naive'),
             ('cmu2023', 'CMU 2023', 'three_stage', 'naive'));

-- What of a setting another one has to share for its lanes in the traversal to be the same: all but the samples of a pixel, and how many rounds of
-- a pipeline are stored one by one.
CREATE TEMP VIEW image_of AS
SELECT t.id AS trial, c.spec, printf('%s %s %s %dx%d %d %s %s %s | %s | %s | %s', c.variant, t.scene_content, c.camera, c.width, c.height,
                                     coalesce(c.max_bounces, -1), c.materials, c.lighting, substr(c.family, instr(c.family, ', seed')), c.schedule,
                                     c.chosen, c.axes) AS image
FROM configured AS c
JOIN trial_record AS t ON t.setting = c.setting;

-- Share of a warp's lanes that execute where the kernels' traversal is marked, by the hardware's counts of instructions.
CREATE TEMP VIEW traversal_lanes AS
SELECT i.image, a.device_name, sum(w.weight * c.thread_instructions) / (max(a.warp_width) * sum(w.weight * c.instructions)) AS traced, i.trial
FROM done_attempt AS a
CROSS JOIN image_of AS i ON i.trial = a.trial
CROSS JOIN site_count AS c ON c.attempt = a.id AND c.site IN (1, 2)
JOIN step_weight AS w ON w.step = iif(c.site = 1, 'inner', 'triangle')
WHERE a.collection = 'counters' AND (c.launch >= 0 OR NOT EXISTS (SELECT 1 FROM site_count AS o WHERE o.attempt = a.id AND o.launch >= 0))
GROUP BY a.id;

-- Share of all multiprocessors' cycles in a frame in which they hold no warp.
CREATE TEMP VIEW idle_multiprocessors AS
SELECT t.spec, 1 - 1.0 * sum(s.active_cycles) / sum(s.cycles) AS idle, t.id AS trial
FROM done_attempt AS a
CROSS JOIN trial_record AS t ON t.id = a.trial
CROSS JOIN timeline_sample AS s ON s.attempt = a.id
WHERE a.collection = 'timeline'
GROUP BY a.id;

-- Frames of a document's own experiments, on scenes that stand in for a document's, beside one kernel's of the same work, device and schedule. best: 1 is the
-- scheme's fastest choice there; literal: how near the scene is to the document's own
CREATE TEMP VIEW scheme_pair AS
SELECT s.study, s.document, s.place_here, s.variant, m.spec, m.label, m.stands_for, 2 * p.original + (m.scene LIKE '%\_partial' ESCAPE '\') AS literal,
       m.device, m.device_name, m.work, m.schedule, m.newest,
       printf('%dx%d %d %s %s %s | %s', m.width, m.height, coalesce(m.max_bounces, -1), m.materials, m.lighting, m.family, m.schedule) AS common,
       m.flags || '|' || n.flags AS flags, m.lanes, m.launches,
       1.0 * nullif(m.moved_bytes, 0) / m.rays AS moved, n.lanes AS base_lanes, n.seconds / m.seconds AS speed,
       m.trials || iif(m.trial <> n.trial, ', ' || n.trials, '') AS trials,
       row_number() OVER (PARTITION BY s.study, m.variant, m.device_name, m.work, m.schedule ORDER BY m.seconds) AS best
FROM measured AS m
JOIN scheme AS s ON s.variant = m.variant
JOIN place AS p ON p.scene = m.scene
JOIN measured AS n ON n.variant = s.base AND n.work = m.work AND n.device_name = m.device_name AND n.schedule = m.schedule AND n.own = ''
WHERE m.device_kind = 'gpu' AND m.seconds > 0 AND n.seconds > 0 AND NOT m.fitted AND m.stands_for <> '' AND
      m.flags || n.flags NOT LIKE '%underfilled%' AND
      EXISTS (SELECT 1 FROM experiment_trial AS o WHERE o.study = s.study AND o.trial IN (m.trial, m.newest));

-- Of each scheme and scene of a document one frame: on the nearest stand-in, with most of the document's schemes; of such frames that whose size,
-- samples, depth, roulette and common choices cover most schemes and scenes, or else settings on all devices, so that scenes and devices have the
-- same. most: how many schemes share a frame of the scene
CREATE TEMP VIEW scheme_frame AS
SELECT p.*, c.schemes, max(c.schemes) OVER (PARTITION BY p.study, p.device_name, p.stands_for) AS most,
       row_number() OVER (PARTITION BY p.study, p.device_name, p.stands_for, p.variant
                          ORDER BY p.literal DESC, c.schemes DESC, c.covered DESC, c.settings DESC, c.latest DESC, p.newest DESC) AS place
FROM scheme_pair AS p
JOIN (SELECT study, device_name, work, schedule, count(DISTINCT variant) AS schemes, sum(count(DISTINCT variant)) OVER shared AS covered,
             sum(count(*)) OVER common_to_all AS settings, max(max(newest)) OVER common_to_all AS latest
      FROM scheme_pair GROUP BY study, device_name, work, schedule
      WINDOW shared AS (PARTITION BY study, common, device_name), common_to_all AS (PARTITION BY study, common)) AS c
     ON c.study = p.study AND c.device_name = p.device_name AND c.work = p.work AND c.schedule = p.schedule
WHERE p.best = 1;

-- Those of the scenes on which at least three quarters of the schemes were measured, so that rows of a document cover about the same scenes.
CREATE TEMP VIEW scheme_case AS
SELECT f.*, (SELECT max(l.traced) FROM image_of AS i JOIN traversal_lanes AS l ON l.image = i.image AND l.device_name = f.device_name
            WHERE i.spec = f.spec) AS traced,
       (SELECT max(i.idle) FROM idle_multiprocessors AS i WHERE i.spec = f.spec) AS idle
FROM (SELECT *, max(most) OVER (PARTITION BY study, device_name) AS most_of_all FROM scheme_frame) AS f
WHERE f.place = 1 AND 4 * f.most >= 3 * f.most_of_all AND f.schemes > 1;

-- Frames of a document's own experiments that two GPUs rendered, first the one that takes longer in all; the same work, schedule and choices. Without
-- frames that read a count back over 10,000 times a second: the host decides these. first_dram and second_dram: device memory's throughput as a
-- share of its peak, over the frame with its gaps; first_bytes and second_bytes: what the frame moves there, where it is known of both; first_l2 and
-- second_l2: the second-level cache's throughput as a share of its peak; first_hits and second_hits: share of the sectors found there. moved: bytes
-- of state of a ray that pools and streams read and write
CREATE TEMP VIEW gpu_frame AS
WITH share AS (
    SELECT t.spec, t.device_name, max(iif(c.metric = 'dram_throughput', c.value, NULL)) / 100 AS dram,
           max(iif(c.metric = 'dram_bytes', c.value, NULL)) AS bytes, max(iif(c.metric = 'l2_throughput', c.value, NULL)) / 100 AS l2,
           max(iif(c.metric = 'l2_hit_rate', c.value, NULL)) / 100 AS hits
    FROM counter AS c JOIN trial_record AS t ON t.id = c.trial
    WHERE c.metric IN ('dram_throughput', 'dram_bytes', 'l2_throughput', 'l2_hit_rate') AND c.launch IS NULL
    GROUP BY t.spec, t.device_name
),
host AS (
    SELECT c.setting, avg(r.readbacks) / avg(r.host_seconds) AS readbacks
    FROM clean_result AS c CROSS JOIN repetition AS r ON r.attempt = c.attempt
    WHERE c.collection = 'frame'
    GROUP BY c.setting
),
timed AS (
    SELECT m.* FROM measured AS m JOIN host AS h ON h.setting = m.setting
    WHERE m.device_kind = 'gpu' AND m.seconds > 0 AND m.flags NOT LIKE '%underfilled%' AND h.readbacks <= 10000
),
pair AS (
    SELECT a.variant, a.scene, a.label, a.stands_for, a.first_camera, a.place_in_paper, a.width, a.height, a.newest, a.device,
           a.device_name AS first_name, b.device_name AS second_name,
           a.seconds / b.seconds AS ratio, 1.0 * nullif(coalesce(a.moved_bytes, b.moved_bytes), 0) / coalesce(a.rays, b.rays) AS moved,
           a.spec AS first_spec, b.spec AS second_spec, a.flags || '|' || b.flags AS flags,
           a.trials || ', ' || b.trials AS trials, sum(a.seconds / b.seconds - 1) OVER (PARTITION BY a.device_name, b.device_name) AS slower
    FROM timed AS a
    JOIN timed AS b ON b.work = a.work AND b.schedule = a.schedule AND b.variant = a.variant AND b.own = a.own AND b.axes IS a.axes AND
                       b.device = a.device AND b.device_name <> a.device_name
)
SELECT s.study, s.document, s.place_here, s.base, p.*, f.dram AS first_dram, g.dram AS second_dram, f.l2 AS first_l2, g.l2 AS second_l2,
       f.hits AS first_hits, g.hits AS second_hits,
       iif(g.bytes NOTNULL, f.bytes, NULL) AS first_bytes, iif(f.bytes NOTNULL, g.bytes, NULL) AS second_bytes
FROM pair AS p
JOIN scheme AS s ON s.variant = p.variant
LEFT JOIN share AS f ON f.spec = p.first_spec AND f.device_name = p.first_name
LEFT JOIN share AS g ON g.spec = p.second_spec AND g.device_name = p.second_name
WHERE p.slower > 0 AND EXISTS (SELECT 1 FROM experiment_trial AS o WHERE o.study = s.study AND o.trial = p.newest);
