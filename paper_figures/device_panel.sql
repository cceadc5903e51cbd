-- SPDX-License-Identifier: MIT
-- Put before a query whose `ranked` has configurations of a device, with the `place` of each among those of which the first is shown.
WITH panel AS (
    SELECT row_number() OVER (ORDER BY device_name, width * height, place) AS panel, *, (SELECT count(*) FROM ranked WHERE place > 1 AND :all = 0) AS left_out
    FROM ranked
    WHERE place = 1 OR :all = 1
),
