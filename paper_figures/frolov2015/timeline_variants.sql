-- SPDX-License-Identifier: MIT
-- Before timeline.sql: whose timelines are shown, in this order.
WITH listed (variant, place_here) AS (
    VALUES ('naive', 1), ('pool_refill', 2), ('tile_regenerate', 3), ('stream_compact', 4), ('thread_regenerate', 5), ('majority_state', 6),
           ('fullest_queue', 7)
),
