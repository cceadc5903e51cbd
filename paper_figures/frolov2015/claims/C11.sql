-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, related work: streaming that compacts every round. What lists, moves and, of lists, the access through indices
-- take, over the time of the stages that trace rays; what the stages that process paths gain where paths are moved, so that indices cost them nothing; and what share of that the frame keeps.
WITH each AS (
    SELECT a.*, m.path AS moved_path, n.path AS none_path, n.path_noise AS none_noise, n.total AS none_total, n.timed AS none_timed, n.stage_flags AS none_flags
    FROM test_stages AS a
    LEFT JOIN test_stages AS m ON m.variant = a.variant AND m.storage = 'move' AND m.compact_every = a.compact_every AND m.work = a.work AND
                                  m.schedule = a.schedule AND m.device_name = a.device_name AND m.pool = a.pool
    LEFT JOIN test_stages AS n ON n.variant = 'pool_refill' AND n.dead_share = 0 AND n.work = a.work AND n.schedule = a.schedule AND
                                  n.device_name = a.device_name AND n.pool = a.pool
    WHERE a.variant = 'stream_compact' AND a.compact_every = 1
),
gained AS (SELECT *, none_path / moved_path - 1 AS gross, none_total / total - 1 AS net FROM each WHERE test <> 'T2' AND max_bounces > 20 AND storage = 'indices')
SELECT place || iif(storage = 'move', ', paths moved', ', indices') AS place, stage_flags AS flags, timed AS trials,
       (compaction + iif(storage = 'move', 0, max(0, path - moved_path))) / rays_seconds AS self_cost, NULL AS gross, NULL AS gross_half, NULL AS kept
FROM each
WHERE storage = 'indices'
UNION ALL
SELECT place, stage_flags || '|' || none_flags, timed || ', ' || none_timed, NULL, gross, path_noise + none_noise, iif(gross > path_noise + none_noise, net / gross, NULL)
FROM gained
WHERE gross IS NOT NULL
