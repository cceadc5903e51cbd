-- SPDX-License-Identifier: MIT
-- Put before both tables of section 4.2.5: naive and compacted times at every amount of dummy arithmetic.
cell AS (
    SELECT *, row_number() OVER (PARTITION BY work, device_name, schedule, dummy_flops ORDER BY seconds IS NULL, newest DESC) AS nth
    FROM versus
    WHERE variant = 'whole_frame' AND plain AND unthrottled AND traversal = 'while_while' AND matte
),
ranked AS (
    SELECT work, scene, camera, device_name, width, height, max_bounces, family, schedule, min(device) AS device,
           group_concat(both_trials, ', ') AS trials,
           row_number() OVER (PARTITION BY scene, camera, device_name, width, height
                              ORDER BY count(DISTINCT dummy_flops) DESC, abs(max_bounces - 8), min(distance), max(newest) DESC) AS place
    FROM cell WHERE nth = 1
    GROUP BY work, device_name, schedule
    HAVING count(DISTINCT dummy_flops) > 1 OR :all = 1
),
warps AS (                          -- executions of the extension by warps, naive over compacted
    SELECT p.panel, 1.0 * max(iif(s.variant = 'naive', o.warps, NULL)) / max(iif(s.variant = 'whole_frame', o.warps, NULL)) AS saved
    FROM panel AS p
    JOIN setup AS s ON s.work = p.work AND s.lane_map = 'linear' AND s.pixel_order = 'tile' AND s.plain AND s.block = 64
    JOIN totals AS o ON o.spec = s.spec AND o.nth = 1 AND o.warp_width = 32
    GROUP BY p.panel
),
grid AS MATERIALIZED (              -- multiple: naive time over that without dummy work. model: dummy work costs as much a warp in both
    SELECT p.panel, c.dummy_flops, c.naive_seconds, c.naive_flags, c.naive_trials, c.seconds, c.flags, c.trials AS row_trials, c.speedup,
           c.speedup_ci, c.speedup_flags, c.both_trials, w.saved,
           c.naive_seconds / o.naive_seconds AS multiple, o.naive_seconds AS naive_0, o.seconds AS whole_0
    FROM panel AS p
    JOIN cell AS c ON c.work = p.work AND c.device_name = p.device_name AND c.schedule = p.schedule AND c.nth = 1
    LEFT JOIN cell AS o ON o.work = p.work AND o.device_name = p.device_name AND o.schedule = p.schedule AND o.nth = 1 AND o.dummy_flops = 0
    LEFT JOIN warps AS w ON w.panel = p.panel
)
