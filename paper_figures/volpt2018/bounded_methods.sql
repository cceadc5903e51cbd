-- SPDX-License-Identifier: MIT
-- Table 4.4: put before rates.sql.
method AS (
    SELECT column1 AS place, column2 AS variant, column3 AS title FROM (VALUES (1, 'volume_naive', 'naiveSK'), (2, 'regenerate_thread', 'regenerationSK (thread)'), (3, 'regenerate_warp', 'regenerationSK (warp)'))
),
printed AS (SELECT scene, method, rate, half FROM published_rate WHERE of_table = 44),
build AS (SELECT 1 AS bounded),
said AS (SELECT NULL AS device_name, NULL AS headline WHERE 0),
