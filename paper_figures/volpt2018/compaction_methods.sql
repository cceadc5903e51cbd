-- SPDX-License-Identifier: MIT
-- Table 4.5: put before rates.sql.
method AS (
    SELECT column1 AS place, column2 AS variant, column3 AS title FROM (VALUES (1, 'volume_naive', 'naiveSK'), (2, 'regenerate_thread', 'regenerationSK (thread)'), (3, 'regenerate_warp', 'regenerationSK (warp)'), (4, 'stream_block', 'streamingSK'), (5, 'stream_device', 'streamingMK'), (6, 'stream_device_local', 'streamingMK (by block)'))
),
printed AS (SELECT scene, method, rate, half FROM published_rate WHERE of_table = 45),
build AS (SELECT 0 AS bounded),
said AS (SELECT NULL AS device_name, NULL AS headline WHERE 0),
