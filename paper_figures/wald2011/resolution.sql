-- SPDX-License-Identifier: MIT
-- Wald 2011, section 4.2.4: how the time per warp rises with the bounce, by image size. One panel per scene, camera and device.
WITH cell AS (
    SELECT s.*, iif(s.variant = 'whole_frame', 'on', 'off') AS compaction
    FROM setup AS s
    JOIN state AS w ON w.setting = s.setting AND w.collection = 'launches' AND NOT w.outdated
    WHERE s.variant IN ('whole_frame', 'whole_frame_off') AND s.usual AND s.matte AND s.max_bounces >= 8
),
counts_and_times AS MATERIALIZED (
    SELECT c.scene, c.camera, c.device_name, c.family, c.schedule, c.max_bounces, c.width, c.height, c.compaction, c.distance, c.newest, c.trials,
           c.device, b.bounce, b.microseconds_per_warp AS time, b.relative_ci, b.waves, b.underfilled, b.replicates
    FROM cell AS c JOIN bounces AS b ON b.spec = c.spec
    WHERE b.bounce IN (0, 1, 2, 8)
),
size AS (                           -- one row per size and schedule; a compaction state missing leaves NULL
    SELECT scene, camera, device_name, family, schedule, max_bounces, width, height, min(device) AS device, min(distance) AS distance,
           max(newest) AS newest, coalesce(max(iif(compaction = 'on', trials, NULL)) || ', ', '') || coalesce(max(iif(compaction = 'off', trials, NULL)), '') AS trials,
           max(iif(compaction = 'on' AND bounce = 0, time, NULL)) AS on_0, max(iif(compaction = 'on' AND bounce = 1, time, NULL)) AS on_1,
           max(iif(compaction = 'on' AND bounce = 2, time, NULL)) AS on_2, max(iif(compaction = 'on' AND bounce = 8, time, NULL)) AS on_8,
           max(iif(compaction = 'off' AND bounce = 8, time, NULL)) AS off_8,
           max(iif(compaction = 'on' AND bounce = 2, relative_ci, NULL)) AS ci_2, max(iif(compaction = 'on' AND bounce = 8, relative_ci, NULL)) AS ci_8,
           max(iif(compaction = 'off' AND bounce = 8, relative_ci, NULL)) AS off_ci_8,
           max(iif(compaction = 'on' AND bounce = 0, relative_ci, NULL)) AS ci_0, max(iif(compaction = 'on' AND bounce = 1, relative_ci, NULL)) AS ci_1,
           max(iif(compaction = 'on' AND bounce = 8, waves, NULL)) AS waves_8,
           max(iif(compaction = 'on' AND bounce = 8 AND underfilled, 'few_waves', '')) AS flags_8,
           iif(min(replicates) < 5, 'few_replicates', '') AS few, iif(count(time) = 0, 'untimed', '') AS untimed
    FROM counts_and_times
    GROUP BY scene, camera, device_name, family, schedule, max_bounces, width, height
),
ranked AS (
    SELECT *, count(*) OVER configuration AS sizes, sum(distance) OVER configuration AS far, max(newest) OVER configuration AS last FROM size
    WINDOW configuration AS (PARTITION BY scene, camera, device_name, family, schedule, max_bounces)
),
placed AS (
    SELECT *, dense_rank() OVER (PARTITION BY scene, camera, device_name
                                 ORDER BY sizes DESC, abs(max_bounces - 8), far, last DESC, family, schedule) AS place FROM ranked
)
SELECT dense_rank() OVER (ORDER BY scene, camera, device_name, place) AS panel, width || 'x' || height AS image,
       round(1.0 * width * height / (1280 * 768), 2) AS pixels, on_2, on_8, waves_8, flags_8 AS waves_flags,
       on_8 / on_2 AS rise, on_8 / on_2 * (1 - sqrt(ci_2 * ci_2 + ci_8 * ci_8)) AS rise_low,
       on_8 / on_2 * (1 + sqrt(ci_2 * ci_2 + ci_8 * ci_8)) AS rise_high, few || '|' || untimed || '|' || flags_8 AS flags,
       on_8 / off_8 AS on_off, on_8 / off_8 * (1 - sqrt(off_ci_8 * off_ci_8 + ci_8 * ci_8)) AS on_off_low,
       on_8 / off_8 * (1 + sqrt(off_ci_8 * off_ci_8 + ci_8 * ci_8)) AS on_off_high,
       on_1 / on_0 AS first_rise, on_1 / on_0 * (1 - sqrt(ci_0 * ci_0 + ci_1 * ci_1)) AS first_rise_low,
       on_1 / on_0 * (1 + sqrt(ci_0 * ci_0 + ci_1 * ci_1)) AS first_rise_high,
       iif(width = 1280 AND height = 768, (SELECT e.on_time / b.on_time FROM published_table3 AS e, published_table3 AS b
                                           WHERE e.bounce = 8 AND b.bounce = 2), NULL) AS rise_published,
       iif(width = 1280 AND height = 768, (SELECT e.on_time / e.off_time FROM published_table3 AS e WHERE e.bounce = 8), NULL) AS on_off_published,
       iif(width = 1280 AND height = 768, (SELECT e.on_time / b.on_time FROM published_table3 AS e, published_table3 AS b
                                           WHERE e.bounce = 1 AND b.bounce = 0), NULL) AS first_rise_published,
       trials, scene, camera, device, device_name, max_bounces, family AS work, schedule,
       (SELECT count(*) FROM placed WHERE place > 1 AND :all = 0) AS left_out
FROM placed
WHERE place = 1 OR :all = 1
ORDER BY panel, width * height
