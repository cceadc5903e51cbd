-- SPDX-License-Identifier: MIT
-- Before timeline_shown.sql: whose timelines are shown, in this order.
WITH listed (variant, place_here) AS (
    VALUES ('volume_naive', 1), ('regenerate_thread', 2), ('regenerate_warp', 3), ('stream_block', 4)
),
