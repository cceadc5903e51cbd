-- SPDX-License-Identifier: MIT
-- One side of a comparison: what was measured of each cell, one row a cell and device. compare.c makes the table
-- side_name (trial, name: what its cell is) before, and gives :label, the label of the runs, '' for all current results.
-- See compare.sql for what is done with them.

CREATE TEMP TABLE side_cell AS SELECT trial, dense_rank() OVER (ORDER BY name) AS cell FROM temp.side_name;

-- The trials that the side's runs asked for, and the latest of these runs.
CREATE TEMP TABLE side_trial AS
SELECT l.trial, max(l.run) AS run
FROM run_trial AS l JOIN run AS r ON r.id = l.run
WHERE :label = '' OR r.label = :label
GROUP BY l.trial;

-- Of each trial and collection the result that the side's runs made, though it may be superseded by now; else the one
-- that they found. Of several settings of a cell (other code, another driver) the one asked for last.
CREATE TEMP TABLE side_result AS
WITH made AS (
    SELECT s.trial, s.run, a.id AS attempt, a.collection,
           row_number() OVER (PARTITION BY a.trial, a.collection
                              ORDER BY :label <> '' AND r.label = :label DESC, a.superseded, a.id DESC) AS place
    FROM side_trial AS s
    CROSS JOIN attempt AS a ON a.trial = s.trial AND a.status = 'done'
    CROSS JOIN run AS r ON r.id = a.run
    WHERE a.collection IN ('counts', 'frame', 'launches') AND
          (NOT a.superseded OR (:label <> '' AND r.label = :label))
)
SELECT c.cell, t.device_name, m.collection, m.attempt, m.trial, t.setting,
       first_value(t.setting) OVER (PARTITION BY c.cell, t.device_name, m.collection ORDER BY m.run DESC, m.trial DESC)
           AS chosen
FROM made AS m
JOIN trial_record AS t ON t.id = m.trial
JOIN side_cell AS c ON c.trial = m.trial
WHERE m.place = 1;

-- The median of each replicate: of its frames (bounce -1), and of the path kernels of each bounce.
CREATE TEMP TABLE side_median AS
WITH figure AS (
    SELECT s.cell, s.device_name, s.attempt, -1 AS bounce, p.host_seconds AS figure
    FROM side_result AS s CROSS JOIN repetition AS p ON p.attempt = s.attempt
    WHERE s.collection = 'frame' AND s.setting = s.chosen AND p.host_seconds IS NOT NULL
    UNION ALL
    SELECT s.cell, s.device_name, s.attempt, l.bounce, sum(l.seconds)
    FROM side_result AS s CROSS JOIN timed_launch AS l ON l.attempt = s.attempt
    WHERE s.collection = 'launches' AND s.setting = s.chosen AND NOT l.auxiliary AND l.bounce >= 0
    GROUP BY s.attempt, l.bounce, l.repetition
)
SELECT cell, device_name, attempt, bounce, median(figure) AS median
FROM figure
WHERE figure IS NOT NULL
GROUP BY attempt, bounce;

CREATE TEMP TABLE side_counts AS
SELECT cell, device_name, json_group_array(json_array(bounce, paths, warps)) AS counts
FROM (SELECT s.cell, s.device_name, c.bounce, sum(c.active_paths) AS paths, sum(c.active_warps) AS warps
      FROM side_result AS s CROSS JOIN bounce_counts AS c ON c.attempt = s.attempt
      WHERE s.collection = 'counts' AND s.setting = s.chosen AND c.bounce >= 0
      GROUP BY s.cell, s.device_name, c.bounce
      ORDER BY s.cell, s.device_name, c.bounce)
GROUP BY cell, device_name;

CREATE TEMP TABLE side_times AS
SELECT cell, device_name, json_group_array(json_array(bounce, median)) AS times
FROM side_median
GROUP BY cell, device_name;

-- Of hashes: how many different ones, and the least of them. What is only compared is kept as a digest.
CREATE TEMP TABLE side AS
SELECT n.name AS cell, g.*
FROM (SELECT min(s.trial) AS trial, s.device_name, c.counts, k.times,
             count(DISTINCT a.image) || ' ' || min(a.image) AS image,
             count(DISTINCT a.path_hash) || ' ' || min(a.path_hash) AS path_hash,
             coalesce(min(CASE WHEN s.collection <> 'counts' THEN a.times END), 0) AS timed,
             coalesce(max(CASE WHEN s.collection <> 'counts' THEN u.throttled END), 0) AS throttled,
             digest(json_group_array(DISTINCT t.scene_content)) AS scene_content,
             digest(json_group_array(DISTINCT p.name)) AS programs,
             digest(json_group_array(DISTINCT t.driver)) AS driver, digest(json_group_array(DISTINCT q.name)) AS policy,
             digest(json_group_array(DISTINCT t.harness)) AS harness,
             json_group_array(DISTINCT s.trial) AS trials, json_group_array(s.attempt) AS attempts
      FROM (SELECT * FROM side_result WHERE setting = chosen ORDER BY cell, device_name, attempt) AS s
      JOIN attempt AS a ON a.id = s.attempt
      JOIN trial_record AS t ON t.id = s.trial
      JOIN long_text AS p ON p.id = t.programs_text
      JOIN long_text AS q ON q.id = t.policy_text
      LEFT JOIN attempt_conditions AS u ON u.attempt = s.attempt
      LEFT JOIN side_counts AS c ON c.cell = s.cell AND c.device_name = s.device_name
      LEFT JOIN side_times AS k ON k.cell = s.cell AND k.device_name = s.device_name
      GROUP BY s.cell, s.device_name) AS g
JOIN side_name AS n ON n.trial = g.trial;
