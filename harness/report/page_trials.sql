-- SPDX-License-Identifier: MIT
-- Everything behind one trial that a trace shows, as one JSON text a row. Members that are NULL are left out. `cited`
-- holds the trials; the word in braces stands for those parameters that differ from their defaults.
SELECT t.id, json_patch('{}', json_object(
    'key', t.key, 'variant', t.variant, 'scene', t.scene, 'camera', nullif(t.camera, ''), 'device', t.device,
    'device_name', t.device_name, 'driver', nullif(t.driver, ''), 'replicate', t.replicate,
    'origin', nullif(t.origin, ''), 'created', t.created, 'policy', (SELECT name FROM long_text WHERE id = t.policy_text),
    'parameters', json({parameters}),
    'runs', json((SELECT json_group_array(run) FROM (SELECT run FROM run_trial WHERE trial = t.id ORDER BY run))),
    'attempts', json('[' || coalesce((
        SELECT group_concat(attempt) FROM (
            SELECT json_patch('{}', json_object(
                'id', a.id, 'collection', a.collection, 'run', a.run, 'number', a.number, 'status', a.status,
                'reason', a.reason, 'superseded', nullif(a.superseded, 0), 'started', a.started,
                'finished', a.finished, 'stop', a.stop_reason, 'times', a.times, 'image', a.image,
                'path_hash', a.path_hash, 'digest', a.counts_digest, 'cooled', nullif(a.gate_seconds, 0),
                'passes', a.passes,
                'repetitions', json('[' || (
                    SELECT group_concat(sample) FROM (
                        SELECT json_array(host_seconds, device_seconds, gap_seconds, sm_mhz, launches_path,
                                          launches_aux) AS sample
                        FROM repetition WHERE attempt = a.id ORDER BY number)) || ']'),
                'conditions', json('[' || (
                    SELECT group_concat(reading) FROM (
                        SELECT json_array(moment, temperature, power, sm_mhz, memory_mhz, throttle,
                                          foreign_processes) AS reading
                        FROM condition WHERE attempt = a.id ORDER BY moment DESC)) || ']'),
                'bounces', json('[' || (
                    SELECT group_concat(counted) FROM (
                        SELECT json_array(bounce, sum(active_paths), sum(active_warps)) AS counted
                        FROM bounce_counts WHERE attempt = a.id AND bounce >= 0 GROUP BY bounce ORDER BY bounce)) || ']')
            )) AS attempt
            FROM attempt AS a WHERE a.trial = t.id ORDER BY a.id)), '') || ']')
)) AS trial
FROM cited AS c JOIN trial_record AS t ON t.id = CAST(c.id AS INTEGER)
ORDER BY t.id
