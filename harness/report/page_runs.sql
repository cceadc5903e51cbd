-- SPDX-License-Identifier: MIT
-- The runs behind the trials in `cited`, as one JSON text a row.
SELECT r.id, json_patch('{}', json_object(
    'label', nullif(r.label, ''), 'command', r.command_line, 'started', r.started, 'ended', r.ended,
    'reason', r.reason, 'experiment', e.name, 'path', e.path,
    'environment', json((
        SELECT json_group_object(name, value) FROM (
            SELECT name, value FROM environment WHERE run = r.id ORDER BY name)))
)) AS run
FROM run AS r JOIN experiment AS e ON e.id = r.experiment
WHERE r.id IN (SELECT run FROM run_trial WHERE trial IN (SELECT CAST(id AS INTEGER) FROM cited))
   OR r.id IN (SELECT run FROM attempt WHERE trial IN (SELECT CAST(id AS INTEGER) FROM cited))
ORDER BY r.id
