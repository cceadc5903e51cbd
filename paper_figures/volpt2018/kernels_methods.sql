-- SPDX-License-Identifier: MIT
-- Table 4.1: put before rates.sql.
method AS (
    SELECT column1 AS place, column2 AS variant, column3 AS title FROM (VALUES (1, 'volume_naive', 'naiveSK'), (2, 'volume_steps', 'naiveMK'))
),
printed AS (                        -- of the scenes that have a stand-in
    SELECT 'cube' AS scene, method, rate, rate_half AS half FROM published_table41
),
build AS (SELECT 0 AS bounded),
said AS (SELECT NULL AS device_name, NULL AS headline WHERE 0),
