-- SPDX-License-Identifier: MIT
-- Wald 2011, section 4.2.3: what it costs to store and load paths between bounces: whole_frame_off against naive, by bounce limit and, beside the paper's, other sizes and layouts of a path's state.
cell AS (
    SELECT *, row_number() OVER (PARTITION BY work, device_name, schedule, options ORDER BY seconds IS NULL, newest DESC) AS nth
    FROM versus
    WHERE variant = 'whole_frame_off' AND nearly_plain AND unthrottled AND dummy_flops = 0 AND traversal = 'while_while' AND matte
),
compacted AS MATERIALIZED (         -- the same with compaction
    SELECT *, row_number() OVER (PARTITION BY work, device_name, schedule, options ORDER BY seconds IS NULL, newest DESC) AS nth
    FROM timed
    WHERE variant = 'whole_frame' AND nearly_plain AND unthrottled AND dummy_flops = 0 AND traversal = 'while_while' AND matte
),
ranked AS (
    SELECT scene, camera, device_name, width, height, family, schedule, min(device) AS device, group_concat(both_trials, ', ') AS trials,
           100 * (max(iif(plain, 1 / speedup, NULL)) - min(iif(plain, 1 / speedup, NULL))) AS span,
           count(iif(plain, speedup, NULL)) AS limits,
           row_number() OVER (PARTITION BY scene, camera, device_name, width, height
                              ORDER BY count(DISTINCT max_bounces) DESC, min(distance), max(newest) DESC) +
               iif(count(*) < min(2, max(count(*)) OVER ()), 1000, 0) AS place -- one row compares nothing
    FROM cell WHERE nth = 1
    GROUP BY scene, camera, device_name, width, height, family, schedule
),
published AS (                      -- of 8 bounces: a frame from Tables 2 and 3, in microseconds, over one from Table 1
    SELECT sum(t.off_time * w.naive_warps) * 1e-6 * n.naive - 1 AS overhead
    FROM published_table3 AS t
    JOIN published_table2 AS w ON w.bounce = t.bounce
    JOIN published_table1 AS n ON n.scene = 'fairy'
)
SELECT p.panel, c.max_bounces || ', ' || c.path_bytes || ' bytes' || replace(c.options, ', ' || c.path_bytes || ' bytes per path', '') AS limit_bounces, 1000 * c.naive_seconds AS naive, c.naive_flags, c.naive_trials,
       1000 * c.seconds AS split, c.flags AS split_flags, c.trials AS split_trials,
       1000 * w.seconds AS compacted, coalesce(w.flags, 'not_asked') AS compacted_flags, w.trials AS compacted_trials, 100 * (1 / c.speedup - 1) AS overhead,
       100 * (1 / c.speedup * (1 - c.speedup_ci) - 1) AS overhead_low, 100 * (1 / c.speedup * (1 + c.speedup_ci) - 1) AS overhead_high,
       c.speedup_flags AS overhead_flags, c.both_trials,
       iif(c.plain AND c.max_bounces = 8 AND c.stands_for = 'fairy', 100 * q.overhead, NULL) AS overhead_published,
       iif(100 * (1 / c.speedup - 1) BETWEEN 7 AND 8, 1, 0) AS overhead_half, -- the text's "7-8 %" (Q16), which is sharper than Table 3
       iif(c.plain AND c.max_bounces = 8 AND c.stands_for = 'fairy', 1 / c.speedup / (1 + q.overhead), NULL) AS overhead_ratio,
       iif(p.limits > 1, printf('the overhead varies by %.1f points over these bounce limits', p.span), NULL) AS finding,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.family AS work, p.schedule, p.trials, p.left_out
FROM cell AS c
JOIN panel AS p USING (scene, camera, device_name, width, height, family, schedule)
LEFT JOIN compacted AS w ON w.work = c.work AND w.device_name = c.device_name AND w.schedule = c.schedule AND w.options = c.options AND w.nth = 1
CROSS JOIN published AS q
WHERE c.nth = 1
ORDER BY p.panel, c.max_bounces, CAST(c.path_bytes AS INTEGER), c.options
