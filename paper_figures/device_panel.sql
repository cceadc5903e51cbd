-- SPDX-License-Identifier: MIT
-- As scene_panel.sql, for configurations of a device whose rows are scenes.
WITH panel AS (
    SELECT row_number() OVER (ORDER BY device_name, width * height, place) AS panel, *, (SELECT count(*) FROM ranked WHERE place > 1 AND :all = 0) AS left_out
    FROM ranked
    WHERE place = 1 OR :all = 1
),
