-- SPDX-License-Identifier: MIT
-- Thesis 2018, maximizing register usage: regeneration by thread with fewer blocks to a multiprocessor, with or without more registers, against the
-- usual ones: each, and on the second best volume; the best choice of registers and block; with several paths to a lane, speed and waits for
-- earlier instructions.
WITH each AS (SELECT * FROM scheme_pair WHERE variant = 'regenerate_thread' AND over = variant AND kind IN ('constant', 'uneven') AND choice <> ''),
capped AS (
    SELECT *, row_number() OVER (PARTITION BY choice, width, height, spp, seed, device_name ORDER BY gain DESC) AS nth
    FROM each
    WHERE gain NOTNULL AND (choice GLOB ', resident blocks *' OR choice GLOB ', registers *, resident blocks *') AND choice NOT GLOB '*lane paths*'
),
chosen AS (SELECT * FROM each WHERE (choice GLOB ', registers *' OR choice GLOB ', block *') AND choice NOT GLOB '*lane paths*' AND choice NOT GLOB '*resident*'),
several AS (SELECT * FROM each WHERE choice GLOB ', lane paths *')
SELECT place || choice AS place, flags, trials, gain AS capped, half AS capped_half, NULL AS second, NULL AS second_half, NULL AS best, NULL AS best_half,
       NULL AS waits,
       NULL AS several, NULL AS several_half
FROM capped
UNION ALL
SELECT printf('second best volume, %dx%d, %s', width, height, device_name) || choice, flags, trials, NULL, NULL, gain, half, NULL, NULL, NULL, NULL,
       NULL FROM capped WHERE nth = 2
UNION ALL
SELECT place || ', best of ' || count(*), flags, trials, NULL, NULL, NULL, NULL, max(gain), half, NULL, NULL, NULL
FROM chosen
WHERE gain NOTNULL
GROUP BY scene, width, height, spp, seed, device_name
HAVING count(*) >= 10
UNION ALL
SELECT e.place || e.choice || ', counters', '', a.trial || ', ' || b.trial, NULL, NULL, NULL, NULL, NULL, NULL, a.dependency_stalls / b.dependency_stalls, NULL, NULL
FROM several AS e
JOIN scheme_counters AS a ON a.setting = e.setting
JOIN scheme_counters AS b ON b.setting = e.over_setting
UNION ALL
SELECT place || choice, flags, trials, NULL, NULL, NULL, NULL, NULL, NULL, NULL, gain, half FROM several
