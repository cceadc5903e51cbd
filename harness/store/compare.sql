-- SPDX-License-Identifier: MIT
-- Two sides beside each other, in a private database: table both_sides is compare_side.sql's table `side` of A and of B (side 0
-- and 1), table standard holds the default of each parameter.
-- :same = 1 where both are of one file. Table both_ranges (side, variant, ranges) holds the least and greatest value of each
-- parameter among a side's cells of a variant.

-- Which cells belong together: of one device, else of any other where that one is on one side only.
CREATE TEMP TABLE pair AS
WITH both AS (
    SELECT a.rowid AS a, b.rowid AS b
    FROM both_sides AS a JOIN both_sides AS b ON b.side = 1 AND b.cell = a.cell AND b.device_name = a.device_name
    WHERE a.side = 0
), rest AS (
    SELECT rowid AS id, side, cell FROM both_sides WHERE rowid NOT IN (SELECT a FROM both UNION ALL SELECT b FROM both)
)
SELECT a, b FROM both
UNION ALL SELECT a.id, b.id FROM rest AS a JOIN rest AS b ON b.side = 1 AND b.cell = a.cell WHERE a.side = 0
UNION ALL SELECT id, NULL FROM rest WHERE side = 0 AND cell NOT IN (SELECT cell FROM rest WHERE side = 1)
UNION ALL SELECT NULL, id FROM rest WHERE side = 1 AND cell NOT IN (SELECT cell FROM rest WHERE side = 0);

-- The medians of the replicates of both, where both have a clock; bounce -1 is the frame.
CREATE TEMP TABLE sample AS
SELECT p.rowid AS pair, s.side, json_extract(m.value, '$[0]') AS bounce, json_extract(m.value, '$[1]') AS median
FROM pair AS p JOIN both_sides AS a ON a.rowid = p.a JOIN both_sides AS b ON b.rowid = p.b
CROSS JOIN both_sides AS s ON s.rowid IN (p.a, p.b) CROSS JOIN json_each(s.times) AS m
WHERE a.timed AND b.timed;

CREATE TEMP TABLE figures AS
WITH logarithms AS (
    SELECT *, ln(median) AS logarithm, avg(ln(median)) OVER one AS mean, count(*) OVER one AS n
    FROM sample WHERE median > 0
    WINDOW one AS (PARTITION BY pair, bounce, side)
)
SELECT pair, bounce, side, n, mean, median(median) AS seconds,
       CASE WHEN n > 1 THEN sum((logarithm - mean) * (logarithm - mean)) / (n - 1) / n END AS error2,
       CASE WHEN n > 1 THEN max(median) / min(median) - 1 END AS noise_floor
FROM logarithms
GROUP BY pair, bounce, side;

-- Welch's interval of B / A: of the difference of the means of the medians' logarithms, 95 %, two-sided. It lies within the
-- noise floor, beyond it, or neither.
CREATE TEMP TABLE tested AS
WITH welch AS (
    SELECT a.pair, a.bounce, a.n AS a_n, b.n AS b_n, a.seconds AS a_seconds, b.seconds AS b_seconds,
           b.mean - a.mean AS difference, a.error2 + b.error2 AS error2,
           max(a.noise_floor, b.noise_floor) AS noise_floor,
           (a.error2 + b.error2) * (a.error2 + b.error2) /
               nullif(a.error2 * a.error2 / (a.n - 1) + b.error2 * b.error2 / (b.n - 1), 0) AS degrees
    FROM figures AS a JOIN figures AS b ON b.pair = a.pair AND b.bounce = a.bounce AND b.side = 1
    WHERE a.side = 0
), bounded AS (
    SELECT *, sqrt(error2) * coalesce((SELECT t FROM student_t AS s WHERE s.degrees <= w.degrees + 1e-9
                                       ORDER BY s.degrees DESC LIMIT 1), 0) AS half
    FROM welch AS w
)
SELECT pair, bounce, a_n, b_n, a_seconds, b_seconds, exp(difference) AS ratio, exp(difference - half) AS low,
       exp(difference + half) AS high, noise_floor,
       CASE WHEN noise_floor IS NULL THEN 'unclear'
            WHEN exp(difference + half) < 1 / (1 + noise_floor) THEN 'faster'
            WHEN exp(difference - half) > 1 + noise_floor THEN 'slower'
            WHEN exp(difference - half) >= 1 / (1 + noise_floor) AND exp(difference + half) <= 1 + noise_floor THEN 'same'
            ELSE 'unclear' END AS verdict
FROM bounded;

-- What names a cell: scene, variant, and what varies among the cells of that variant, where it is not the default.
CREATE TEMP TABLE naming AS
SELECT variant, key
FROM both_ranges CROSS JOIN json_each(ranges)
GROUP BY variant, key
HAVING key IN ('scene', 'variant') OR
       min(json_extract(value, '$[0]')) IS NOT max(json_extract(value, '$[1]'));

CREATE TEMP TABLE compared AS
SELECT p.rowid AS pair, coalesce(a.cell, b.cell) AS parameters,
       (SELECT group_concat(CASE WHEN key IN ('scene', 'variant') THEN value ELSE key || '=' || value END, ' ')
        FROM json_each(coalesce(a.cell, b.cell)) AS f
        WHERE (json_extract(coalesce(a.cell, b.cell), '$.variant'), key) IN (SELECT variant, key FROM naming) AND
              value IS NOT NULL AND NOT EXISTS (SELECT 1 FROM standard WHERE name = f.key AND '' || value = '' || f.value)) AS cell,
       a.device_name AS a_device, b.device_name AS b_device,
       CASE WHEN a.counts IS NULL OR b.counts IS NULL THEN NULL WHEN a.counts = b.counts THEN 'equal' ELSE 'differ' END
           AS counts,
       CASE WHEN a.image = b.image AND a.image LIKE '1 %' THEN 'equal' WHEN a.image IS NULL OR b.image IS NULL THEN NULL
            ELSE 'differ' END AS image,
       CASE WHEN a.path_hash = b.path_hash AND a.path_hash LIKE '1 %' THEN 'equal'
            WHEN a.path_hash IS NULL OR b.path_hash IS NULL THEN NULL ELSE 'differ' END AS path_hash,
       CASE WHEN p.b IS NULL THEN 'only in A' WHEN p.a IS NULL THEN 'only in B'
            WHEN t.pair IS NULL THEN 'not timed' WHEN :same AND a.attempts = b.attempts THEN 'same'
            ELSE t.verdict END AS verdict,
       t.a_seconds, t.b_seconds, t.ratio, t.low, t.high, t.noise_floor, t.a_n, t.b_n, a.trials AS a_trials,
       b.trials AS b_trials,
       rtrim(iif(p.b IS NULL, 'on ' || a.device_name, '') || iif(p.a IS NULL, 'on ' || b.device_name, '') ||
             iif(:same AND a.attempts = b.attempts, 'the same results, ', '') ||
             iif(a.scene_content <> b.scene_content, 'other scene, ', '') ||
             iif(a.device_name <> b.device_name, 'other device, ', '') || iif(a.driver <> b.driver, 'other driver, ', '') ||
             iif(a.programs <> b.programs, 'other code, ', '') || iif(a.harness <> b.harness, 'other harness, ', '') ||
             iif(a.policy <> b.policy, 'other policy, ', '') ||
             iif(a.throttled, 'A throttled, ', '') || iif(b.throttled, 'B throttled, ', ''), ', ') AS notes
FROM pair AS p
LEFT JOIN both_sides AS a ON a.rowid = p.a
LEFT JOIN both_sides AS b ON b.rowid = p.b
LEFT JOIN tested AS t ON t.pair = p.rowid AND t.bounce = -1;
