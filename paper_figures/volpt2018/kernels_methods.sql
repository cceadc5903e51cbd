-- SPDX-License-Identifier: MIT
-- Table 4.1: put before rates.sql.
method AS (
    SELECT column1 AS place, column2 AS variant, column3 AS title FROM (VALUES (1, 'volume_naive', 'naiveSK'), (2, 'volume_steps', 'naiveMK'))
),
printed AS (SELECT scene, method, rate, half FROM published_rate WHERE of_table = 41),
build AS (SELECT 0 AS bounded),
said AS (SELECT NULL AS device_name, NULL AS headline WHERE 0),
