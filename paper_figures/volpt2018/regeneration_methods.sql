-- SPDX-License-Identifier: MIT
-- Table 4.3: put before rates.sql.
method AS (
    SELECT column1 AS place, column2 AS variant, column3 AS title FROM (VALUES (1, 'volume_naive', 'naiveSK'), (2, 'regenerate_thread', 'regenerationSK (thread)'), (3, 'regenerate_warp', 'regenerationSK (warp)'), (4, 'regenerate_block', 'regenerationSK (block)'), (5, 'regenerate_block_part', 'regenerationSK (block, in part)'), (6, 'regenerate_device', 'regeneration (device)'))
),
printed AS (SELECT scene, method, rate, half FROM published_rate WHERE of_table = 43),
build AS (SELECT 0 AS bounded),
gained AS (                         -- against the naive kernel of the same work, least and most over the scenes
    SELECT p.device_name, min(n.lanes) AS naive_least, max(n.lanes) AS naive_most, min(c.lanes) AS least, max(c.lanes) AS most,
           min(n.seconds / c.seconds) AS speedup_least, max(n.seconds / c.seconds) AS speedup_most
    FROM cell AS c
    LEFT JOIN cell AS n ON n.work = c.work AND n.device_name = c.device_name AND n.schedule = c.schedule AND n.variant = 'volume_naive' AND n.own = ''
    JOIN panel AS p ON p.work = c.work AND p.device_name = c.device_name AND p.schedule = c.schedule
    WHERE c.variant = 'regenerate_thread'
    GROUP BY p.device_name
),
said AS (
    SELECT g.device_name,
           (SELECT printf('In the thesis a kernel that immediately gives each idle lane a new path traces %s times as many rays per second as the naive one. ',
                          span(min(q.rate / o.rate), max(q.rate / o.rate), 0)) FROM printed AS q JOIN printed AS o USING (scene)
            WHERE q.method LIKE '%(thread)' AND o.method = 'naiveSK') ||
           'On ' || g.device_name || coalesce(' ' || span(100 * g.least, 100 * g.most, 0) || ' % of its lanes are live', ' its lanes were not counted') ||
           coalesce(', compared with ' || span(100 * g.naive_least, 100 * g.naive_most, 0) || ' % in the naive kernel', '') ||
           coalesce(', and it traces ' || span(g.speedup_least, g.speedup_most, 1) || ' times as many rays per second.', '; rates were not measured.') AS headline
    FROM gained AS g
),
