-- SPDX-License-Identifier: MIT
-- What the claims of Frolov and Galaktionov share.

-- settings of the pipelines on the paper's tests, with what they differ in
CREATE TEMP VIEW test_setting AS
SELECT m.*, q.test, t.storage, q.test || ', ' || m.scene AS of_test, t.pool, t.block, t.tile_slots, t.tile_order, t.regenerate_every, t.regenerate_above, t.regenerate_of, t.trace_compaction,
       -- regeneration in place as the paper has it
       t.tile_slots = '256' AND t.tile_order = 'depth' AND t.regenerate_every = 2 AND t.regenerate_above = 50 AND t.regenerate_of = 'live' AS as_printed
FROM measured AS m
JOIN trial_record AS t ON t.id = m.trial
JOIN stand_in AS i ON i.scene = m.scene
JOIN published_tests AS q ON q.scene IN (i.stands_for, i.scene || ' box')
WHERE m.first_camera;
