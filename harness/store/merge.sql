-- SPDX-License-Identifier: MIT
-- Runs, trials and attempts of another database into this one. merge.c has filled before: temp.merge_id (source, target: what
-- meta calls the databases), temp.in_run, in_trial_record and in_attempt (all rows of the source), temp.in_origin (run,
-- value: the source's rows 'origin' of environment) and temp.map (name of a table, id there, id here, fresh = 1 where it
-- was added here) with the tables of names. This adds what is not here yet, and the map of these three tables.

-- ---- runs: known by the database that made them, their number there, and when they began ---------------------------------

CREATE TEMP TABLE in_run_identity AS
SELECT r.id, r.started, coalesce(o.value, (SELECT source FROM temp.merge_id) || '/' || r.id) AS identity
FROM temp.in_run AS r LEFT JOIN temp.in_origin AS o ON o.run = r.id;

CREATE TEMP TABLE known_run AS
SELECT r.id, r.started, coalesce(e.value, (SELECT target FROM temp.merge_id) || '/' || r.id) AS identity
FROM main.run AS r LEFT JOIN main.environment AS e ON e.run = r.id AND e.name = 'origin';

INSERT INTO temp.map
SELECT 'run', i.id, k.id, 0 FROM temp.in_run_identity AS i JOIN temp.known_run AS k USING (identity, started);

INSERT INTO temp.map
SELECT 'run', id, (SELECT coalesce(max(id), 0) FROM main.run) + row_number() OVER (ORDER BY id), 1
FROM temp.in_run WHERE id NOT IN (SELECT source FROM temp.map WHERE name = 'run');

-- One that was still going on when it was merged.
UPDATE main.run SET ended = i.ended, reason = i.reason
FROM temp.in_run AS i JOIN temp.map AS m ON m.name = 'run' AND m.source = i.id
WHERE run.id = m.target AND run.ended IS NULL AND i.ended IS NOT NULL;

DELETE FROM temp.in_run WHERE id IN (SELECT source FROM temp.map WHERE name = 'run' AND NOT fresh);
UPDATE temp.in_run
SET id = (SELECT target FROM temp.map WHERE name = 'run' AND source = in_run.id),
    experiment = (SELECT target FROM temp.map WHERE name = 'experiment' AND source = in_run.experiment);
INSERT INTO main.run SELECT * FROM temp.in_run ORDER BY id;
INSERT INTO main.environment
SELECT m.target, 'origin', i.identity
FROM temp.in_run_identity AS i JOIN temp.map AS m ON m.name = 'run' AND m.source = i.id AND m.fresh;

-- ---- trials: known by their key and the database that made them ----------------------------------------------------------

UPDATE temp.in_trial_record SET origin = (SELECT source FROM temp.merge_id) WHERE origin = '';
UPDATE temp.in_trial_record SET origin = '' WHERE origin = (SELECT target FROM temp.merge_id);

-- Key and setting as they were made; suffix: what a second copy has behind them. apart = 1: it is one there already.
CREATE TEMP TABLE in_trial AS
SELECT id, origin, substr(key, 1, instr(key || '@', '@') - 1) AS key,
       substr(setting, 1, instr(setting || '@', '@') - 1) AS setting,
       '@' || CASE origin WHEN '' THEN (SELECT target FROM temp.merge_id) ELSE origin END AS suffix,
       instr(key, '@') > 0 AS second, instr(setting, '@') > 0 AS apart
FROM temp.in_trial_record;

INSERT INTO temp.map
SELECT 'trial_record', i.id, t.id, 0
FROM temp.in_trial AS i CROSS JOIN main.trial_record AS t ON t.key IN (i.key, i.key || i.suffix)
WHERE t.origin = i.origin;

-- Keys that are taken by another database's trial; settings with such a key keep their replicates to themselves.
UPDATE temp.in_trial SET second = 1
WHERE EXISTS (SELECT 1 FROM main.trial_record AS t WHERE t.key = in_trial.key AND t.origin <> in_trial.origin);
CREATE TEMP TABLE apart AS SELECT DISTINCT setting, origin FROM temp.in_trial WHERE apart OR second;

INSERT INTO temp.map
SELECT 'trial_record', id, (SELECT coalesce(max(id), 0) FROM main.trial_record) + row_number() OVER (ORDER BY id), 1
FROM temp.in_trial WHERE id NOT IN (SELECT source FROM temp.map WHERE name = 'trial_record');

UPDATE temp.in_trial_record
SET last_run = (SELECT target FROM temp.map WHERE name = 'run' AND source = in_trial_record.last_run),
    programs_text = (SELECT target FROM temp.map WHERE name = 'long_text' AND source = programs_text),
    policy_text = (SELECT target FROM temp.map WHERE name = 'long_text' AND source = policy_text),
    key = i.key || iif(i.second, i.suffix, ''),
    setting = i.setting || iif((i.setting, i.origin) IN (SELECT setting, origin FROM temp.apart), i.suffix, '')
FROM temp.in_trial AS i WHERE i.id = in_trial_record.id;

CREATE TEMP TABLE asked_again (id INTEGER PRIMARY KEY, last_run INTEGER);
INSERT INTO temp.asked_again
SELECT t.id, i.last_run
FROM temp.in_trial_record AS i
CROSS JOIN temp.map AS m ON m.name = 'trial_record' AND m.source = i.id AND NOT m.fresh
CROSS JOIN main.trial_record AS t ON t.id = m.target AND t.last_run < i.last_run;
UPDATE main.trial_record SET last_run = (SELECT last_run FROM temp.asked_again AS a WHERE a.id = trial_record.id)
WHERE id IN (SELECT id FROM temp.asked_again);

DELETE FROM temp.in_trial_record WHERE id IN (SELECT source FROM temp.map WHERE name = 'trial_record' AND NOT fresh);
UPDATE temp.in_trial_record
SET id = (SELECT target FROM temp.map WHERE name = 'trial_record' AND source = in_trial_record.id);
INSERT INTO main.trial_record SELECT * FROM temp.in_trial_record ORDER BY id;
DROP TABLE temp.in_trial_record;

-- ---- attempts: known by run, trial, collection and number ----------------------------------------------------------------

UPDATE temp.in_attempt
SET run = (SELECT target FROM temp.map WHERE name = 'run' AND source = in_attempt.run),
    provenance_text = (SELECT target FROM temp.map WHERE name = 'long_text' AND source = provenance_text),
    trial = (SELECT target FROM temp.map WHERE name = 'trial_record' AND source = in_attempt.trial);

-- One that was running when this file was copied, or was given up here since: what became of it there takes its place.
DELETE FROM main.attempt
WHERE id IN (
    SELECT a.id FROM temp.in_attempt AS i
    CROSS JOIN main.attempt AS a ON a.trial = i.trial AND a.collection = i.collection AND a.run = i.run AND a.number = i.number
    WHERE a.status IN ('running', 'abandoned') AND i.status NOT IN ('running', a.status));

INSERT INTO temp.map
SELECT 'attempt', i.id, a.id, 0
FROM temp.in_attempt AS i
CROSS JOIN main.attempt AS a ON a.trial = i.trial AND a.collection = i.collection AND a.run = i.run AND a.number = i.number;

-- Made due again there since.
UPDATE main.attempt SET superseded = 1
WHERE NOT superseded AND id IN (
    SELECT m.target FROM temp.in_attempt AS i CROSS JOIN temp.map AS m ON m.name = 'attempt' AND m.source = i.id
    WHERE i.superseded);

-- One that still runs is no result yet: a later merge brings it.
DELETE FROM temp.in_attempt
WHERE status = 'running' OR id IN (SELECT source FROM temp.map WHERE name = 'attempt' AND NOT fresh);

-- A result that a run here has by now made of that very trial stays the current one; of counters that with more of them.
UPDATE main.attempt SET superseded = 1
FROM temp.in_attempt AS i
WHERE i.trial = attempt.trial AND i.collection = attempt.collection AND i.collection = 'counters' AND
      i.status = 'done' AND NOT i.superseded AND attempt.status = 'done' AND NOT attempt.superseded AND
      length(i.made_by) - length(replace(i.made_by, ' ', '')) > length(attempt.made_by) - length(replace(attempt.made_by, ' ', ''));
UPDATE temp.in_attempt SET superseded = 1
WHERE status = 'done' AND NOT superseded AND
      EXISTS (SELECT 1 FROM main.attempt AS a WHERE a.trial = in_attempt.trial AND a.collection = in_attempt.collection AND
              a.status = 'done' AND NOT a.superseded);

INSERT INTO temp.map
SELECT 'attempt', id, (SELECT coalesce(max(id), 0) FROM main.attempt) + row_number() OVER (ORDER BY id), 1
FROM temp.in_attempt;
UPDATE temp.in_attempt SET id = (SELECT target FROM temp.map WHERE name = 'attempt' AND source = in_attempt.id);
INSERT INTO main.attempt SELECT * FROM temp.in_attempt ORDER BY id;
