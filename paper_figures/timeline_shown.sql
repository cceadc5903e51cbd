-- SPDX-License-Identifier: MIT
-- Between `listed` and a query of timelines: `shown`, the timelines of the configuration of each scene and device that has most of the
-- variants; `ran`, their launches by what they do: part.
taken AS (
    SELECT c.*, l.place_here, r.attempt, r.warp_width AS of_warp, r.multiprocessors AS of_device, coalesce(nullif(c.own, ''), '') AS own_words,
           (SELECT max(start + nanoseconds) FROM timeline_launch WHERE attempt = r.attempt) AS length,
           (SELECT count(*) FROM timeline_sample WHERE attempt = r.attempt) AS samples
    FROM listed AS l
    JOIN configured AS c ON c.variant = l.variant
    JOIN result AS r ON r.trial = c.trial AND r.collection = 'timeline'
),
ranked AS (
    SELECT device_name, scene, camera, width, height, family, schedule, materials, max_bounces,
           row_number() OVER (PARTITION BY device_name, scene ORDER BY count(DISTINCT variant) DESC, max(newest) DESC) AS place
    FROM taken
    GROUP BY device_name, scene, camera, width, height, family, schedule, materials, max_bounces
    HAVING max(variant <> 'naive')
),
shown AS (
    SELECT t.*, dense_rank() OVER (ORDER BY t.device_name, t.place_in_paper, t.scene, t.width, r.place) AS scene_panel,
           row_number() OVER (ORDER BY t.device_name, t.place_in_paper, t.scene, t.width, r.place, t.place_here, t.trial) AS panel,
           (SELECT count(*) FROM ranked WHERE place > 1 AND :all = 0) AS left_out
    FROM taken AS t
    JOIN ranked AS r ON r.device_name = t.device_name AND r.scene = t.scene AND r.camera = t.camera AND r.width = t.width AND r.height = t.height AND
                        r.family = t.family AND r.schedule = t.schedule AND r.materials IS t.materials AND r.max_bounces IS t.max_bounces
    WHERE t.samples > 0 AND t.length > 0 AND (r.place = 1 OR :all = 1)
),
ran AS (
    SELECT n.attempt, n.window, n.number, n.start, n.start + n.nanoseconds AS finish,
           CASE WHEN l.stage IN ('trace', 'shadow', 'regenerate') THEN l.stage
                WHEN l.auxiliary OR l.stage IN ('flag', 'check') THEN 'lists'
                WHEN l.stage = '' THEN 'kernel' ELSE 'shade' END AS part
    FROM shown AS s
    CROSS JOIN timeline_launch AS n ON n.attempt = s.attempt
    JOIN launch AS l ON l.attempt = n.attempt AND l.repetition = 0 AND l.number = n.number
),
