-- SPDX-License-Identifier: MIT
-- Several paths a lane: put before rates.sql.
method AS (
    SELECT column1 AS place, column2 AS variant, column3 AS title FROM (VALUES (1, 'volume_naive', 'naiveSK'), (2, 'regenerate_thread', 'regenerationSK (thread)'), (3, 'regenerate_warp', 'regenerationSK (warp)'))
),
printed AS (                        -- of the scenes that have a stand-in
    SELECT 'cube' AS scene, method, cgg_logo AS rate, cgg_logo_half AS half FROM published_table43
    UNION ALL SELECT 'slab', method, ad, ad_half FROM published_table43
),
build AS (SELECT 2 AS bounded),
said AS (SELECT NULL AS device_name, NULL AS headline WHERE 0),
