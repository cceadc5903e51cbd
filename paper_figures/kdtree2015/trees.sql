-- SPDX-License-Identifier: MIT
-- Chapter on a kd-tree, 4.1: size of a node, and what it makes of the memory that a ray reads. One panel per scene, device, image size, bounce
-- limit, variant and schedule; a row is a tree.
WITH tree AS (
    SELECT column1 AS words, column2 AS layout, column3 AS bytes, column4 AS published FROM (VALUES
        ('', 'binary tree of boxes', 64, NULL), ('tree kd16', 'packed', 16, 'packed'))
),
cell AS (
    SELECT c.*, r.layout, r.bytes, r.published
    FROM measured AS c
    JOIN tree AS r ON r.words = c.axes
    WHERE c.variant IN ('naive', 'whole_frame') AND c.own = ''
),
ranked AS (
    SELECT work, variant, scene, camera, device_name, width, height, max_bounces, family, schedule, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY scene, camera, device_name, variant ORDER BY count(*) DESC, max(newest) DESC) AS place
    FROM cell
    GROUP BY work, variant, device_name, schedule
    HAVING count(DISTINCT axes) > 1
),
panel AS (
    SELECT row_number() OVER (ORDER BY scene, camera, device_name, variant, place) AS panel, *, (SELECT count(*) FROM ranked WHERE place > 1 AND :all = 0) AS left_out
    FROM ranked
    WHERE place = 1 OR :all = 1
),
read AS (                           -- of nodes of 16 bytes against boxes, least and most over the scenes and variants
    SELECT k.device_name, min(100.0 * k.bytes * k.nodes / k.rays / (b.bytes * b.nodes / b.rays)) AS least,
           max(100.0 * k.bytes * k.nodes / k.rays / (b.bytes * b.nodes / b.rays)) AS most,
           min(k.seconds / b.seconds) AS time_least, max(k.seconds / b.seconds) AS time_most
    FROM cell AS k
    JOIN cell AS b ON b.work = k.work AND b.variant = k.variant AND b.device_name = k.device_name AND b.schedule = k.schedule
    WHERE k.layout = 'packed' AND b.layout <> 'packed'
    GROUP BY k.device_name
)
SELECT p.panel, c.layout, c.published, c.bytes, c.bytes / 4 AS words, 1.0 * c.nodes / c.rays AS nodes, 1.0 * c.triangles / c.rays AS triangles,
       1.0 * c.bytes * c.nodes / c.rays AS read, c.counted_flags, c.counted AS counted_trial,
       1000 * c.seconds AS time, 1000 * c.seconds * (1 - c.relative_ci) AS time_low, 1000 * c.seconds * (1 + c.relative_ci) AS time_high, c.flags, c.trials,
       'The text packs a node of its kd-tree from 25 bytes into 16. On ' || p.device_name || ' a ray reads ' ||
       span(g.least, g.most, 0) || ' % as many node bytes in that tree as in a binary tree of boxes' ||
       coalesce(', and a frame takes ' || span(g.time_least, g.time_most, 2) || ' times as long.', '; times were not measured.') AS headline,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, p.variant || ', ' || p.family AS work, p.schedule, p.trials AS panel_trials, p.left_out
FROM cell AS c
JOIN panel AS p USING (work, variant, device_name, schedule)
LEFT JOIN read AS g ON g.device_name = p.device_name
ORDER BY p.panel, c.layout
