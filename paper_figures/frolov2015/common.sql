-- SPDX-License-Identifier: MIT
-- What the tables and claims of Frolov and Galaktionov share.

-- what its pipelines are, for ../parts.sql
CREATE TEMP VIEW document_variant AS
SELECT column1 AS variant FROM (VALUES ('pool_refill'), ('tile_regenerate'), ('stream_compact'), ('thread_regenerate'), ('majority_state'));

-- settings of the pipelines on the paper's tests, with what they differ in
CREATE TEMP VIEW test_setting AS
SELECT m.*, q.test, t.storage, q.test || ', ' || m.scene AS of_test, t.pool, t.block, t.compact_every, t.tile_slots, t.tile_order, t.regenerate_every, t.regenerate_above, t.regenerate_of, t.trace_compaction,
       -- regeneration in place as the paper has it
       t.tile_slots = '256' AND t.tile_order = 'depth' AND t.regenerate_every = 2 AND t.regenerate_above = 50 AND t.regenerate_of = 'live' AS as_printed
FROM measured AS m
JOIN trial_record AS t ON t.id = m.trial
JOIN stand_in AS i ON i.scene = m.scene
JOIN published_tests AS q ON q.scene IN (i.stands_for, i.scene || ' box')
WHERE m.first_camera;

-- regeneration in place, by streaming and by thread against another pipeline with an equal pool: how many times as fast, half of the interval of that,
-- and the least difference that is no noise
CREATE TEMP VIEW test_gain AS
SELECT a.variant, b.variant AS over, coalesce(a.trace_compaction, 'no') AS trace_compaction, a.compact_every, a.storage, a.of_test, a.test, a.device_name, a.pool, a.max_bounces, a.trials || ', ' || b.trials AS trials,
       a.flags || '|' || b.flags AS flags, b.seconds / a.seconds AS gain,
       b.seconds / a.seconds * sqrt(pow(a.relative_ci, 2) + pow(b.relative_ci, 2)) AS half,
       b.seconds / a.seconds * max(sqrt(pow(a.relative_ci, 2) + pow(b.relative_ci, 2)), coalesce(a.noise_floor, 0), coalesce(b.noise_floor, 0)) AS noise,
       printf('%s, pool of %s slots, depth %d, %s', a.of_test, a.pool, a.max_bounces, a.device_name) AS place
FROM test_setting AS a
JOIN test_setting AS b ON b.work = a.work AND b.schedule = a.schedule AND b.device_name = a.device_name AND b.pool IS a.pool
WHERE a.seconds > 0 AND b.seconds > 0 AND (a.variant IN ('stream_compact', 'thread_regenerate') OR a.variant = 'tile_regenerate' AND a.as_printed) AND
      (b.variant = 'pool_refill' OR b.variant = 'stream_compact' AND a.variant = 'tile_regenerate');
