-- SPDX-License-Identifier: MIT
-- Look-ups of densities a second, by scheme and by how they are loaded, and what the counters say of the caches and of device memory meanwhile. What
-- a look-up asks for is its part of all that the frame asks for, so the rate at which a level would be saturated is the rate over its utilisation.
looked AS (SELECT m.work, max(k.looked) AS looked FROM measured AS m JOIN scheme_counts AS k ON k.trial = m.counted GROUP BY m.work),
cell AS (
    SELECT s.work, s.scene, s.camera, s.device, s.device_name, s.width, s.height, s.max_bounces, s.family, s.variant, s.choice, s.newest, s.flags, s.relative_ci,
           s.trials AS timed, c.trial AS counted, 1e-9 * l.looked / s.spp / s.seconds AS rate, c.l1_hits, c.l2_hits, c.l2_busy, c.dram_busy, c.busiest,
           c.dram_bytes / l.looked AS dram_bytes
    FROM scheme AS s
    JOIN looked AS l ON l.work = s.work
    JOIN scheme_counters AS c ON c.setting = s.setting
    WHERE s.seconds NOTNULL AND c.l2_busy NOTNULL AND (s.choice = '' OR s.choice GLOB ', grid loads *' AND s.choice NOT GLOB ', grid loads *,*')
),
ranked AS (
    SELECT work, scene, camera, device_name, width, height, max_bounces, family, min(device) AS device, group_concat(timed || ', ' || counted, ', ') AS trials,
           row_number() OVER (PARTITION BY scene, camera, device_name ORDER BY count(*) DESC, max(newest) DESC) AS place
    FROM cell
    GROUP BY work, device_name
)
SELECT p.panel, c.variant || c.choice AS scheme, c.rate, c.rate / (1 + c.relative_ci) AS rate_low, c.rate / (1 - c.relative_ci) AS rate_high,
       c.flags AS rate_flags, c.timed, c.counted, c.timed || ', ' || c.counted AS both, c.l1_hits / 100 AS l1_hits, c.l2_hits / 100 AS l2_hits, c.l2_busy / 100 AS l2_busy,
       c.dram_busy / 100 AS dram_busy, c.busiest / 100 AS busiest, c.dram_bytes, 100 * c.rate / nullif(c.l2_busy, 0) AS l2_limit,
       iif(c.dram_busy >= 0.1, 100 * c.rate / c.dram_busy, NULL) AS dram_limit,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, '' AS schedule, p.trials AS panel_trials, p.left_out
FROM cell AS c
JOIN panel AS p USING (work, device_name)
ORDER BY p.panel, c.variant, c.choice
