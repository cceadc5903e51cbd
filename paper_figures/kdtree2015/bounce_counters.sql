-- SPDX-License-Identifier: MIT
-- Chapter on a kd-tree, opening paragraph, on a GPU: divergent branches and cache misses by bounce, beside the same rays dealt to lanes at random. One panel per
-- scene and image size.
WITH launched AS (
    SELECT t.id AS trial, a.attempt, t.work, t.scene, t.camera, t.device, t.device_name, t.width, t.height, t.max_bounces, t.pixel_order,
           row_number() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM trial_record AS t
    JOIN result AS a ON a.trial = t.id AND a.collection = 'counters'
    WHERE t.variant = 'whole_frame_off' AND t.tree = 'kd16' AND t.kd_order = 'depth' AND t.kd_step = 'xor' AND t.kd_stack = 'index' AND
          (SELECT scene FROM report_option) IN ('', t.scene) AND ((SELECT run FROM report_option) = '' OR t.id IN (SELECT trial FROM asked))
),
bounce AS (
    SELECT l.trial, b.bounce, sum(b.visits) AS visits, sum(c.divergent) AS divergent, sum(c.misses) AS misses
    FROM launched AS l
    JOIN (SELECT k.attempt, k.number, k.bounce, s.thread_instructions AS visits FROM launch AS k
          JOIN site_count AS s ON s.attempt = k.attempt AND s.launch = k.number AND s.site = 1
          WHERE k.repetition = 0 AND NOT k.auxiliary AND k.bounce >= 0) AS b ON b.attempt = l.attempt
    JOIN (SELECT v.attempt, v.launch, max(iif(n.name = 'divergent_branches', v.value, NULL)) AS divergent, max(iif(n.name = 'load_misses', v.value, NULL)) AS misses
          FROM metric_value AS v JOIN metric_name AS n ON n.id = v.metric GROUP BY v.attempt, v.launch) AS c ON c.attempt = l.attempt AND c.launch = b.number
    WHERE l.nth = 1
    GROUP BY l.trial, b.bounce
),
panel AS (
    SELECT row_number() OVER (ORDER BY a.scene, a.work) AS panel, a.*, b.trial AS random_trial, a.trial || ', ' || b.trial AS trials
    FROM launched AS a
    JOIN launched AS b ON b.work = a.work AND b.device_name = a.device_name AND b.pixel_order = 'random' AND b.nth = 1
    WHERE a.nth = 1 AND a.pixel_order = 'tile'
)
SELECT p.panel, x.bounce, 1e-6 * x.visits AS visits, 100.0 * x.divergent / x.visits AS divergent, 100.0 * y.divergent / y.visits AS random_divergent,
       (1.0 * x.divergent / x.visits) / (1.0 * y.divergent / y.visits) AS relative, 1.0 * x.misses / x.visits AS misses, 1.0 * y.misses / y.visits AS random_misses,
       (1.0 * x.misses / x.visits) / (1.0 * y.misses / y.visits) AS relative_misses, p.trials AS counted_trial,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, 'whole_frame_off, tree kd16' AS work, '' AS schedule, p.trials AS trials, 0 AS left_out
FROM panel AS p
JOIN bounce AS x ON x.trial = p.trial
JOIN bounce AS y ON y.trial = p.random_trial AND y.bounce = x.bounce
WHERE x.visits > 0 AND y.visits > 0
ORDER BY p.panel, x.bounce
