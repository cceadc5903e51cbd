-- SPDX-License-Identifier: MIT
-- For reports on databases that were merged: where two programs measured the same case, the results of one count. tables.c has made
-- before: temp.preferred_for (study, chosen: 1 where the reader chose runs). A program is what trial_record.harness identifies.

CREATE TEMP TABLE program_result AS
SELECT t.origin, t.harness, t.setting, t.spec, t.id AS trial, a.collection, a.run, e.study = (SELECT study FROM temp.preferred_for) AS of_study
FROM done_attempt AS a
JOIN trial_record AS t ON t.id = a.trial
JOIN run AS r ON r.id = a.run
JOIN experiment AS e ON e.id = r.experiment;
CREATE INDEX temp.program_result_spec ON program_result (spec);
CREATE INDEX temp.program_result_setting ON program_result (setting);

-- Of each database that was merged: how many results of the study its programs have, wherever they ran.
CREATE TEMP TABLE origin_results AS
WITH made AS MATERIALIZED (SELECT origin, harness, sum(of_study) AS results FROM temp.program_result GROUP BY origin, harness)
SELECT o.origin, sum(r.results) AS results
FROM (SELECT DISTINCT origin, harness FROM made) AS o JOIN made AS r ON r.harness = o.harness
GROUP BY o.origin;

-- Trials left out: another database's program with more results measured the same case, and all that was measured here. In one database
-- the later trial outdates the earlier, as it was asked for.
CREATE TEMP TABLE outranked AS
WITH rival AS (
    SELECT DISTINCT w.setting, s.setting AS stronger
    FROM temp.program_result AS w
    JOIN temp.program_result AS s ON s.spec = w.spec AND s.harness <> w.harness
    JOIN temp.origin_results AS m ON m.origin = w.origin
    JOIN temp.origin_results AS n ON n.origin = s.origin AND n.results > m.results
    WHERE NOT (SELECT chosen FROM temp.preferred_for)
)
SELECT DISTINCT t.trial
FROM rival AS r
JOIN temp.program_result AS t ON t.setting = r.setting
WHERE NOT EXISTS (SELECT collection FROM temp.program_result WHERE setting = r.setting
                  EXCEPT SELECT collection FROM temp.program_result WHERE setting = r.stronger);
CREATE UNIQUE INDEX temp.outranked_trial ON outranked (trial);

DROP VIEW temp.done_attempt;
CREATE TEMP VIEW done_attempt AS
SELECT * FROM attempt WHERE status = 'done' AND superseded = 0 AND NOT EXISTS (SELECT 1 FROM temp.outranked AS o WHERE o.trial = attempt.trial);

-- Trials that count and are by another program than most results of the study, with the commit that it was built from.
CREATE TEMP TABLE other_program AS
WITH counts AS MATERIALIZED (SELECT * FROM temp.program_result WHERE trial NOT IN (SELECT trial FROM temp.outranked)),
other AS (
    SELECT trial, max(run) AS run FROM counts
    WHERE harness <> (SELECT harness FROM counts WHERE of_study GROUP BY harness ORDER BY count(*) DESC, harness LIMIT 1)
    GROUP BY trial
)
SELECT o.trial, coalesce(e.value, '') AS program FROM other AS o LEFT JOIN environment AS e ON e.run = o.run AND e.name = 'commit';
DROP TABLE temp.program_result;
DROP TABLE temp.origin_results;
