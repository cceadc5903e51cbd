-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, Figures 2 to 5: paths per second up to a depth, without regeneration, in place by tiles, by streaming and by
-- thread, each at the fastest of its settings that were run in the pool's size, and one kernel. A panel per test without
-- roulette by block, which is the paper's, and one with it; a row is a depth.
WITH cell AS (
    SELECT m.*, coalesce(t.pool, 'auto') AS pool, t.roulette = 'block' AS by_block FROM measured AS m JOIN trial_record AS t ON t.id = m.trial
    WHERE m.variant IN ('naive', 'pool_refill', 'tile_regenerate', 'stream_compact', 'thread_regenerate', 'majority_state') AND m.first_camera AND
          coalesce(t.dead_share, 0) = 0
),
sized AS (  -- one kernel has no pool
    SELECT p.pool AS in_pool, c.* FROM cell AS c JOIN (SELECT DISTINCT device_name, pool FROM cell WHERE variant = 'pool_refill') AS p
    ON p.device_name = c.device_name AND (c.variant = 'naive' OR c.pool = p.pool)
),
fastest AS (
    SELECT *, 1e-6 * width * height / seconds AS rate,
           row_number() OVER (PARTITION BY device_name, scene, width, height, family, schedule, materials, in_pool, max_bounces, variant
                              ORDER BY seconds IS NULL, flags = 'not_asked', seconds, launches, trial) AS nth
    FROM sized
),
side AS (SELECT * FROM fastest WHERE nth = 1),
ranked AS (
    SELECT device_name, scene, width, height, family, schedule, materials, in_pool, by_block, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY device_name, scene, by_block ORDER BY count(DISTINCT max_bounces) DESC, count(*) DESC, max(newest) DESC) AS place
    FROM side
    GROUP BY device_name, scene, width, height, family, schedule, materials, in_pool, by_block
    HAVING max(variant = 'pool_refill') AND max(variant = 'tile_regenerate')
),
panel AS (
    SELECT row_number() OVER (ORDER BY r.device_name, coalesce(q.test, 'other'), r.scene, r.by_block, r.place) AS panel, r.*, coalesce(q.test || ': ', '') AS test,
           (SELECT count(*) FROM ranked WHERE place > 1 AND :all = 0) AS left_out
    FROM ranked AS r JOIN stand_in AS i ON i.scene = r.scene
    LEFT JOIN published_tests AS q ON q.scene IN (i.stands_for, i.scene || ' box')
    WHERE r.place = 1 OR :all = 1
),
found AS (
    SELECT p.panel, p.test, p.device, p.trials AS all_trials, p.left_out, s.*
    FROM panel AS p JOIN side AS s USING (device_name, scene, width, height, family, schedule, materials, in_pool)
),
gained AS (                       -- over all tests and depths of a device
    SELECT n.device_name, count(DISTINCT n.scene) AS tests, min(n.max_bounces) AS from_depth, max(n.max_bounces) AS to_depth, min(t.rate / n.rate) AS tiles_least,
           max(t.rate / n.rate) AS tiles_most, min(s.rate / n.rate) AS stream_least, max(s.rate / n.rate) AS stream_most,
           min(n.lanes) AS none_least, max(n.lanes) AS none_most, min(t.lanes) AS lanes_least, max(t.lanes) AS lanes_most
    FROM found AS n
    LEFT JOIN found AS t ON t.panel = n.panel AND t.max_bounces = n.max_bounces AND t.variant = 'tile_regenerate'
    LEFT JOIN found AS s ON s.panel = n.panel AND s.max_bounces = n.max_bounces AND s.variant = 'stream_compact'
    WHERE n.variant = 'pool_refill'
    GROUP BY n.device_name
)
SELECT n.panel, n.max_bounces AS depth, n.rate AS none, n.rate / (1 + n.relative_ci) AS none_low, n.rate / (1 - n.relative_ci) AS none_high,
       n.flags AS none_flags, n.trials AS none_trials,
       t.rate AS tiles, t.rate / (1 + t.relative_ci) AS tiles_low, t.rate / (1 - t.relative_ci) AS tiles_high,
       coalesce(t.flags, 'not_asked') AS tiles_flags, t.trials AS tiles_trials,
       s.rate AS stream, s.rate / (1 + s.relative_ci) AS stream_low, s.rate / (1 - s.relative_ci) AS stream_high,
       coalesce(s.flags, 'not_asked') AS stream_flags, s.trials AS stream_trials,
       h.rate AS thread, coalesce(h.flags, 'not_asked') AS thread_flags, h.trials AS thread_trials,
       k.rate AS kernel, coalesce(k.flags, 'not_asked') AS kernel_flags, k.trials AS kernel_trials,
       u.rate AS majority, coalesce(u.flags, 'not_asked') AS majority_flags, u.trials AS majority_trials,
       t.rate / n.rate AS tiles_gain, s.rate / n.rate AS stream_gain,
       n.launches AS none_launches, t.launches AS tiles_launches, s.launches AS stream_launches,
       n.lanes AS none_lanes, t.lanes AS tiles_lanes, s.lanes AS stream_lanes, n.counted AS none_counted, t.counted AS tiles_counted,
       s.counted AS stream_counted, n.counted_flags AS none_counts, coalesce(t.counted_flags, 'not_asked') AS tiles_counts,
       coalesce(s.counted_flags, 'not_asked') AS stream_counts,
       n.test || n.label || iif(n.by_block, ', roulette by block', '') || ', pool of ' || n.in_pool || ' slots' AS finding, n.scene, n.camera, n.device, n.device_name, n.width, n.height, n.spp, n.family AS work,
       n.schedule, n.all_trials AS trials, n.left_out, iif(n.by_block, 'roulette by block', '') AS drawn,
       'The paper''s curves of Figures 2 to 5 cannot be read; these are measured on ' || n.device_name || ', ' || g.tests || iif(g.tests = 1, ' test, ', ' tests, ') ||
       'up to depths of ' || span(g.from_depth, g.to_depth, 0) ||
       coalesce(': regeneration in place runs at ' || span(g.tiles_least, g.tiles_most, 2) || ' times the speed of none' ||
                coalesce(', streaming at ' || span(g.stream_least, g.stream_most, 2), '') || '.',
                coalesce(': ' || span(100 * g.none_least, 100 * g.none_most, 0) || ' % of the lanes of a warp live without regeneration and ' ||
                         span(100 * g.lanes_least, 100 * g.lanes_most, 0) || ' % in place; times are not measured there.', '.')) AS headline
FROM found AS n
JOIN gained AS g ON g.device_name = n.device_name
LEFT JOIN found AS t ON t.panel = n.panel AND t.max_bounces = n.max_bounces AND t.variant = 'tile_regenerate'
LEFT JOIN found AS s ON s.panel = n.panel AND s.max_bounces = n.max_bounces AND s.variant = 'stream_compact'
LEFT JOIN found AS h ON h.panel = n.panel AND h.max_bounces = n.max_bounces AND h.variant = 'thread_regenerate'
LEFT JOIN found AS k ON k.panel = n.panel AND k.max_bounces = n.max_bounces AND k.variant = 'naive'
LEFT JOIN found AS u ON u.panel = n.panel AND u.max_bounces = n.max_bounces AND u.variant = 'majority_state'
WHERE n.variant = 'pool_refill'
ORDER BY n.panel, n.max_bounces
