-- SPDX-License-Identifier: MIT
-- Before timeline.sql: whose timelines are shown, in this order.
WITH listed (variant, place_here) AS (
    VALUES ('naive', 1), ('two_stage_pixel', 2), ('two_stage', 3), ('three_stage', 4), ('fullest_queue', 5)
),
