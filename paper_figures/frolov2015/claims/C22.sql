-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, introduction: the state of paths that the stages of a pool read and write, at the rate at which the same device
-- moves that state from slot to slot, over the time of the stages; and that share on Test 2 over those on Tests 3 and 4.
WITH rate AS (
    SELECT s.device_name, s.of_test, s.max_bounces, max(c.moved_by_move / s.moving) AS bytes
    FROM test_stages AS s JOIN test_counts AS c ON c.setting = s.setting
    WHERE s.variant = 'stream_compact' AND s.storage = 'move' AND s.moving > 0
    GROUP BY s.device_name, s.of_test, s.max_bounces
),
share AS (
    SELECT s.place, s.test, s.roulette, s.device_name, s.pool, s.max_bounces, s.stage_flags AS flags, s.timed AS trials, c.moved_by_paths / r.bytes / s.path AS share
    FROM test_stages AS s
    JOIN test_counts AS c ON c.setting = s.setting
    JOIN rate AS r ON r.device_name = s.device_name AND r.of_test = s.of_test AND r.max_bounces = s.max_bounces
    WHERE s.variant = 'pool_refill' AND s.dead_share = 0
)
SELECT place, flags, trials, share AS state, NULL AS simple FROM share WHERE test IN ('T3', 'T4')
UNION ALL
SELECT 'T2 against ' || d.place, s.flags || '|' || d.flags, s.trials || ', ' || d.trials, NULL, s.share / d.share
FROM share AS s JOIN share AS d ON d.test IN ('T3', 'T4') AND d.device_name = s.device_name AND d.roulette IS s.roulette AND d.pool = s.pool AND d.max_bounces = s.max_bounces
WHERE s.test = 'T2'
