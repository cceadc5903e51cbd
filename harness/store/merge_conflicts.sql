-- SPDX-License-Identifier: MIT
-- What does not fit together, after the rows of all databases were added: rows for temp.merge_conflict (source, kind, trials,
-- example). temp.merged_trial has each trial with a result of one of them, and the last database that it came from.

CREATE TEMP TABLE new_trial AS
SELECT t.id, m.source, t.key, t.spec, t.work, t.origin, t.scene || ' ' || t.variant || ' (trial ' || t.id || ')' AS title
FROM temp.merged_trial AS m JOIN main.trial_record AS t ON t.id = m.trial
ORDER BY t.id;

INSERT INTO temp.merge_conflict
WITH v AS MATERIALIZED (SELECT * FROM verification WHERE agree = 0)
SELECT (SELECT source FROM temp.new_trial WHERE id = n.last), 'same work, different images or counts', v.trials,
       n.title || ': ' || v.images || ' images, ' || v.path_hashes || ' path hashes, ' || v.counts_digests || ' counts'
FROM (SELECT work, max(id) AS last, min(title) AS title FROM temp.new_trial GROUP BY work) AS n JOIN v ON v.work = n.work;

-- Two copies of one trial: only the later is current, so the view verification does not see both.
INSERT INTO temp.merge_conflict
SELECT n.source, 'same trial, different ' || k.value, count(DISTINCT n.id),
       min(n.title || ' and trial ' || o.id)
FROM temp.new_trial AS n
CROSS JOIN main.trial_record AS o ON o.spec = n.spec AND o.id <> n.id
CROSS JOIN main.attempt AS a ON a.trial = n.id AND a.status = 'done' AND NOT a.superseded
CROSS JOIN main.attempt AS b ON b.trial = o.id AND b.collection = a.collection AND b.status = 'done' AND NOT b.superseded
CROSS JOIN json_each('["image", "path hash", "counts"]') AS k
WHERE (o.id < n.id OR o.id NOT IN (SELECT id FROM temp.new_trial)) AND
      substr(o.key, 1, instr(o.key || '@', '@') - 1) = substr(n.key, 1, instr(n.key || '@', '@') - 1) AND
      CASE k.key WHEN 0 THEN a.image <> b.image WHEN 1 THEN a.path_hash <> b.path_hash
                 ELSE a.counts_digest <> b.counts_digest END
GROUP BY n.source, k.key;

-- Of the same specification, but made otherwise, where that database has no copy of the trial: no fault, for both are kept;
-- the later is current.
INSERT INTO temp.merge_conflict
SELECT n.source, 'same specification, other ' || k.value, count(DISTINCT n.id),
       min(n.title || ' and trial ' || o.id)
FROM temp.new_trial AS n
CROSS JOIN main.trial_record AS o ON o.spec = n.spec AND o.origin <> n.origin
CROSS JOIN main.trial_record AS t ON t.id = n.id
CROSS JOIN json_each('["policy", "driver", "code", "harness"]') AS k
WHERE (o.id < n.id OR o.id NOT IN (SELECT id FROM temp.new_trial)) AND
      CASE k.key WHEN 0 THEN t.policy_text <> o.policy_text WHEN 1 THEN t.driver <> o.driver
                 WHEN 2 THEN t.programs_text <> o.programs_text ELSE t.harness <> o.harness END AND
      NOT EXISTS (SELECT 1 FROM main.trial_record AS c
                  WHERE c.spec = n.spec AND c.origin = o.origin AND
                        substr(c.key, 1, instr(c.key || '@', '@') - 1) = substr(n.key, 1, instr(n.key || '@', '@') - 1))
GROUP BY n.source, k.key;

DROP TABLE temp.new_trial;
DROP TABLE temp.merged_trial;
