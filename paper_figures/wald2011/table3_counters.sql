-- SPDX-License-Identifier: MIT
-- Wald 2011, sections 4.2.4 and 5: what limits a warp, per bounce of Table 3's kernels: hardware counters and reasons why warps waited,
-- compaction off (whole_frame_off) and on (whole_frame), and naive, whose one launch has all bounces.
--
-- One panel per configuration; unless :all is 1, that of each scene, camera, device and image size which is nearest to the
-- paper's. Counters and samples of one specification may come from several experiments: the newest value of each counts.
cell AS (
    SELECT s.*, w.reason, CASE s.variant WHEN 'whole_frame_off' THEN 'off' WHEN 'whole_frame' THEN 'on' ELSE 'naive' END AS compaction,
           row_number() OVER (PARTITION BY s.work, s.device_name, s.schedule, s.variant ORDER BY c.reason IS NULL, s.newest DESC) AS nth
    FROM setup AS s
    JOIN state AS w ON w.setting = s.setting AND w.collection = 'counters' AND NOT w.outdated
    LEFT JOIN state AS c ON c.setting = s.setting AND c.collection = 'stalls' AND NOT c.outdated
    WHERE s.variant IN ('naive', 'whole_frame', 'whole_frame_off') AND s.usual AND s.matte
),
ranked AS (
    SELECT work, device_name, schedule, scene, camera, width, height, max_bounces, family, min(device) AS device,
           group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY scene, camera, device_name, width, height
                              ORDER BY count(*) DESC, abs(max_bounces - 8), min(distance), max(newest) DESC) AS place
    FROM cell WHERE nth = 1
    GROUP BY work, device_name, schedule
    HAVING sum(variant <> 'naive') > 0 OR :all = 1
),
step(panel, bounce, last) AS (
    SELECT panel, 0, max_bounces FROM panel
    UNION ALL
    SELECT panel, bounce + 1, last FROM step WHERE bounce < last
),
line AS (                           -- bounce -1: a launch of mixed bounces
    SELECT p.panel, c.spec, c.compaction, c.reason, s.bounce
    FROM panel AS p
    JOIN cell AS c ON c.work = p.work AND c.device_name = p.device_name AND c.schedule = p.schedule AND c.nth = 1
    JOIN step AS s ON s.panel = p.panel AND c.variant <> 'naive'
    UNION ALL
    SELECT p.panel, c.spec, c.compaction, c.reason, -1
    FROM panel AS p
    JOIN cell AS c ON c.work = p.work AND c.device_name = p.device_name AND c.schedule = p.schedule AND c.nth = 1 AND c.variant = 'naive'
),
counted AS MATERIALIZED (
    SELECT spec, bounce, max(iif(metric = 'simd_efficiency', value, NULL)) AS simd, max(iif(metric = 'achieved_occupancy', value, NULL)) AS occupancy,
           max(iif(metric = 'fp32_utilisation', value, NULL)) AS fp32, max(iif(metric = 'l1_hit_rate', value, NULL)) AS l1,
           max(iif(metric = 'l2_hit_rate', value, NULL)) AS l2, group_concat(DISTINCT trial) AS trials
    FROM (SELECT t.spec, coalesce(k.bounce, -1) AS bounce, k.metric, k.value, k.trial,
                 row_number() OVER (PARTITION BY t.spec, k.bounce, k.metric ORDER BY t.last_run DESC, t.id DESC) AS nth
          FROM counter AS k JOIN trial_record AS t ON t.id = k.trial
          WHERE k.launch IS NOT NULL AND NOT k.auxiliary AND (:run = '' OR t.id IN (SELECT trial FROM asked)) AND
                k.metric IN ('simd_efficiency', 'achieved_occupancy', 'fp32_utilisation', 'l1_hit_rate', 'l2_hit_rate'))
    WHERE nth = 1
    GROUP BY spec, bounce
),
sampled AS MATERIALIZED (
    SELECT spec, bounce, reason, samples, share, trial
    FROM (SELECT t.spec, coalesce(k.bounce, -1) AS bounce, k.reason, k.samples, k.share, k.trial,
                 dense_rank() OVER (PARTITION BY t.spec ORDER BY t.last_run DESC, t.id DESC) AS nth
          FROM stalls AS k JOIN trial_record AS t ON t.id = k.trial
          WHERE NOT k.auxiliary AND (:run = '' OR t.id IN (SELECT trial FROM asked)))
    WHERE nth = 1
),
shown AS MATERIALIZED (             -- reasons that are more than 3 % of some launch: the others go into one
    SELECT DISTINCT l.panel, s.reason
    FROM line AS l JOIN sampled AS s ON s.spec = l.spec AND s.bounce = l.bounce
    WHERE s.share >= 0.03 AND s.reason IN ('long_scoreboard', 'wait', 'not_selected', 'selected', 'math_pipe_throttle', 'branch_resolving',
                                           'short_scoreboard', 'dispatch_stall', 'no_instructions', 'lg_throttle')
),
waited AS MATERIALIZED (            -- by row; next_reason: the largest but long_scoreboard and having issued
    SELECT l.panel, l.compaction, l.bounce, max(s.trial) AS trial, sum(iif(s.reason = 'long_scoreboard', s.share, 0)) AS memory,
           max(iif(s.reason NOT IN ('long_scoreboard', 'selected'), s.share, NULL)) AS next_share,
           (SELECT n.reason FROM sampled AS n WHERE n.spec = l.spec AND n.bounce = l.bounce AND n.reason NOT IN ('long_scoreboard', 'selected')
            ORDER BY n.samples DESC, n.reason LIMIT 1) AS next_reason,
           sum(iif(s.reason = 'long_scoreboard' AND h.reason IS NOT NULL, s.share, NULL)) AS r_long_scoreboard,
           sum(iif(s.reason = 'wait' AND h.reason IS NOT NULL, s.share, NULL)) AS r_wait,
           sum(iif(s.reason = 'not_selected' AND h.reason IS NOT NULL, s.share, NULL)) AS r_not_selected,
           sum(iif(s.reason = 'selected' AND h.reason IS NOT NULL, s.share, NULL)) AS r_selected,
           sum(iif(s.reason = 'math_pipe_throttle' AND h.reason IS NOT NULL, s.share, NULL)) AS r_math_pipe_throttle,
           sum(iif(s.reason = 'branch_resolving' AND h.reason IS NOT NULL, s.share, NULL)) AS r_branch_resolving,
           sum(iif(s.reason = 'short_scoreboard' AND h.reason IS NOT NULL, s.share, NULL)) AS r_short_scoreboard,
           sum(iif(s.reason = 'dispatch_stall' AND h.reason IS NOT NULL, s.share, NULL)) AS r_dispatch_stall,
           sum(iif(s.reason = 'no_instructions' AND h.reason IS NOT NULL, s.share, NULL)) AS r_no_instructions,
           sum(iif(s.reason = 'lg_throttle' AND h.reason IS NOT NULL, s.share, NULL)) AS r_lg_throttle,
           sum(iif(h.reason IS NULL, s.share, 0)) AS r_other
    FROM line AS l
    JOIN sampled AS s ON s.spec = l.spec AND s.bounce = l.bounce
    LEFT JOIN shown AS h ON h.panel = l.panel AND h.reason = s.reason
    GROUP BY l.panel, l.compaction, l.bounce
),
placed AS (
    SELECT l.*, k.simd, k.occupancy, k.fp32, k.l1, k.l2, k.trials AS counter_trials, w.*,
           CASE WHEN l.spec NOT IN (SELECT spec FROM counted) THEN l.reason WHEN k.spec IS NOT NULL THEN 'not_asked' ELSE '' END AS why,
           iif(l.spec NOT IN (SELECT spec FROM sampled),
               coalesce((SELECT reason FROM state AS x JOIN setup AS u ON u.setting = x.setting
                         WHERE u.spec = l.spec AND x.collection = 'stalls'), 'not_asked'), '') AS why_stalls
    FROM line AS l
    LEFT JOIN counted AS k ON k.spec = l.spec AND k.bounce = l.bounce
    LEFT JOIN waited AS w ON w.panel = l.panel AND w.compaction = l.compaction AND w.bounce = l.bounce
),
short AS (                          -- of the rows with compaction, in a sentence
    SELECT panel, count(memory) AS launches, sum(memory > next_share) AS bound, max(iif(compaction = 'on' AND bounce >= 2, fp32, NULL)) AS busiest
    FROM placed WHERE bounce >= 0
    GROUP BY panel
)
SELECT l.panel, iif(l.bounce < 0, 'all, naive', l.bounce || ', ' || l.compaction) AS place,
       nullif(l.bounce, -1) AS bounce, CASE l.compaction WHEN 'on' THEN 1 WHEN 'off' THEN 0 END AS compacted,
       l.simd, iif(l.simd IS NULL, l.why, '') AS simd_flags, l.occupancy, iif(l.occupancy IS NULL, l.why, '') AS occupancy_flags,
       l.fp32, iif(l.fp32 IS NULL, l.why, '') AS fp32_flags, l.l1, iif(l.l1 IS NULL, l.why, '') AS l1_flags,
       l.l2, iif(l.l2 IS NULL, l.why, '') AS l2_flags, l.memory, l.why_stalls AS memory_flags,
       l.next_share AS next, coalesce('stall_' || l.next_reason, l.why_stalls) AS next_flags,
       r_long_scoreboard, r_wait, r_not_selected, r_selected, r_math_pipe_throttle, r_branch_resolving, r_short_scoreboard, r_dispatch_stall,
       r_no_instructions, r_lg_throttle, r_other, replace(l.counter_trials, ',', ', ') AS counter_trials, l.trial AS stall_trials,
       iif(q.launches > 0, printf('memory is the most frequent stall reason at %d of %d bounces', q.bound, q.launches) ||
           coalesce(printf('; with compaction the single-precision pipe is busy in at most %.0f %% of the cycles from bounce 2 on', q.busiest), ''), NULL) AS finding,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM placed AS l
JOIN panel AS p ON p.panel = l.panel
LEFT JOIN short AS q ON q.panel = l.panel
ORDER BY l.panel, l.bounce < 0, l.bounce, l.compaction
