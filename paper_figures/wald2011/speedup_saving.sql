-- SPDX-License-Identifier: MIT
-- Wald 2011, section 4.2: why a frame gains less than the warps saved promise. Everything in percent of the naive frame; the parts add
-- up to the measured frame with compaction (docs/metrics.md 10 has the formulas and what each assumes).
--
-- One panel per device and image size, one row per scene in its first camera. Unless :all is 1: the bounce limit nearest to the paper's,
-- scenes of the paper, no device without times where another has them, and no panel of one row.
cell AS (                      -- settings with compaction, one per cell: those whose launches were timed first
    SELECT s.*, v.seconds, v.relative_ci, v.naive_seconds, v.naive_setting, v.naive_trials, v.naive_flags, v.speedup, v.speedup_ci, v.speedup_flags,
           iif(f.times, f.path_seconds, NULL) AS path_seconds, iif(f.times, f.auxiliary_seconds, NULL) AS auxiliary_seconds,
           f.path_ci, f.auxiliary_ci,
           row_number() OVER (PARTITION BY s.scene, s.device_name, s.width, s.height, s.max_bounces, s.family, s.schedule
                              ORDER BY f.times IS NOT 1 OR v.seconds IS NULL, v.seconds IS NULL, s.newest DESC) AS nth
    FROM setup AS s
    LEFT JOIN versus AS v ON v.setting = s.setting
    LEFT JOIN frame_parts AS f ON f.setting = s.setting
    WHERE s.variant = 'whole_frame' AND s.usual AND s.matte AND s.first_camera AND s.listed
),
off AS MATERIALIZED (               -- a launch per bounce, every path in its lane
    SELECT *, row_number() OVER (PARTITION BY work, device_name, schedule ORDER BY seconds IS NULL, newest DESC) AS nth
    FROM timed
    WHERE variant = 'whole_frame_off' AND usual
),
scheduled AS MATERIALIZED (         -- attempts that may have counted steps inside the traversal
    SELECT s.work, s.schedule, s.variant, s.device_name, a.warp_width, a.collection, a.id AS attempt, a.trial
    FROM setup AS s
    CROSS JOIN trial_record AS t ON t.setting = s.setting
    CROSS JOIN attempt AS a ON a.trial = t.id AND a.collection IN ('counts', 'counters') AND a.status = 'done' AND NOT a.superseded
    WHERE s.variant IN ('naive', 'whole_frame') AND s.usual AND s.loop = 'reconverged' AND (:run = '' OR t.id IN (SELECT trial FROM asked))
),
latest_steps AS MATERIALIZED (      -- of each: by the hardware at the marked places, by the lockstep model on whichever device has it
    SELECT *, row_number() OVER (PARTITION BY work, schedule, variant, device_name, warp_width, source ORDER BY attempt DESC) AS nth
    FROM (SELECT work, schedule, variant, device_name, warp_width, 'hardware' AS source, attempt, trial
          FROM scheduled
          WHERE collection = 'counters' AND EXISTS (SELECT 1 FROM site_count AS c WHERE c.attempt = scheduled.attempt AND c.site IN (1, 2))
          UNION ALL
          SELECT work, schedule, variant, NULL, warp_width, 'model', attempt, trial
          FROM scheduled
          WHERE collection = 'counts' AND EXISTS (SELECT 1 FROM lockstep AS c WHERE c.attempt = scheduled.attempt))
),
counted_steps AS MATERIALIZED (     -- both kinds of rays
    SELECT *, CASE source
                  WHEN 'hardware' THEN
                      (SELECT sum(c.instructions * w.weight)
                       FROM launch AS l
                       CROSS JOIN site_count AS c ON c.attempt = l.attempt AND c.launch = l.number
                       JOIN step_weight AS w ON w.step = CASE c.site WHEN 1 THEN 'inner' WHEN 2 THEN 'triangle' END
                       WHERE l.attempt = latest_steps.attempt AND l.repetition = 0 AND NOT l.auxiliary)
                  ELSE
                      (SELECT sum(c.inner_steps) * (SELECT weight FROM step_weight WHERE step = 'inner') +
                              sum(c.triangle_steps) * (SELECT weight FROM step_weight WHERE step = 'triangle')
                       FROM lockstep AS c
                       WHERE c.attempt = latest_steps.attempt AND c.bounce >= 0)
              END AS steps
    FROM latest_steps
    WHERE nth = 1
),
steps AS MATERIALIZED (             -- compacted over naive, both from one source
    SELECT c.work, c.schedule, c.device_name, c.warp_width, c.source, c.steps / n.steps AS ratio, c.trial || ', ' || n.trial AS trials
    FROM counted_steps AS c
    JOIN counted_steps AS n ON n.work = c.work AND n.schedule = c.schedule AND n.source = c.source AND n.device_name IS c.device_name AND
                               n.warp_width = c.warp_width
    WHERE c.variant = 'whole_frame' AND n.variant = 'naive'
),
waiting AS MATERIALIZED (           -- share of the samples that waited for memory, by spec, latest
    SELECT spec, trial, 1.0 * sum(iif(reason = 'long_scoreboard', samples, 0)) / sum(samples) AS share,
           row_number() OVER (PARTITION BY spec ORDER BY last_run DESC, trial DESC) AS nth
    FROM (SELECT t.spec, t.last_run, k.trial, k.reason, k.samples
          FROM stalls AS k JOIN trial_record AS t ON t.id = k.trial
          WHERE NOT k.auxiliary AND (:run = '' OR t.id IN (SELECT trial FROM asked)))
    GROUP BY spec, trial
),
part AS MATERIALIZED (              -- shares of the naive frame
    SELECT c.*, n.trials AS count_trials, o.trial AS compacted_trial, 1.0 * n.warps / o.warps AS saved, 1.0 * o.warps / n.warps AS ideal,
           coalesce(h.ratio, m.ratio) AS steps, coalesce(h.trials, m.trials) AS step_trials, h.ratio IS NULL AS modelled,
           coalesce(h.ratio, m.ratio) - 1.0 * o.warps / n.warps AS divergence,
           f.seconds / c.naive_seconds - 1 AS store_load, f.trials AS off_trials, f.setting IS NULL OR f.seconds IS NULL AS no_off, f.flags AS off_flags,
           c.auxiliary_seconds / c.naive_seconds AS compaction,
           (c.seconds - c.path_seconds - c.auxiliary_seconds) / c.naive_seconds AS gaps,
           (c.path_seconds - f.seconds) / c.naive_seconds + 1 - coalesce(h.ratio, m.ratio) AS rest,
           c.seconds / c.naive_seconds AS measured, b.relative_ci AS naive_ci,
           f.seconds / c.naive_seconds * sqrt(f.relative_ci * f.relative_ci + b.relative_ci * b.relative_ci) AS store_load_half,
           c.auxiliary_seconds / c.naive_seconds * sqrt(c.auxiliary_ci * c.auxiliary_ci + b.relative_ci * b.relative_ci) AS compaction_half,
           sqrt(pow(c.seconds * c.relative_ci, 2) + pow(c.path_seconds * c.path_ci, 2) + pow(c.auxiliary_seconds * c.auxiliary_ci, 2)) /
               c.naive_seconds AS gaps_half,
           sqrt(pow(c.path_seconds * c.path_ci, 2) + pow(f.seconds * f.relative_ci, 2) + pow((c.path_seconds - f.seconds) * b.relative_ci, 2)) /
               c.naive_seconds AS rest_half,
           w.share AS memory_on, w.trial AS memory_trial, x.share AS memory_naive, x.trial AS memory_naive_trial
    FROM cell AS c
    LEFT JOIN totals AS o ON o.spec = c.spec AND o.nth = 1
    LEFT JOIN counted_naive AS n ON n.work = c.work AND n.device_name = c.device_name AND n.schedule = c.schedule AND n.place = 1 AND
                                    n.warp_width = o.warp_width
    LEFT JOIN off AS f ON f.work = c.work AND f.device_name = c.device_name AND f.schedule = c.schedule AND f.nth = 1
    LEFT JOIN timed AS b ON b.setting = c.naive_setting
    LEFT JOIN steps AS h ON h.work = c.work AND h.schedule = c.schedule AND h.device_name = c.device_name AND h.warp_width = o.warp_width AND
                            h.source = 'hardware'
    LEFT JOIN steps AS m ON m.work = c.work AND m.schedule = c.schedule AND m.warp_width = o.warp_width AND m.source = 'model'
    LEFT JOIN waiting AS w ON w.spec = c.spec AND w.nth = 1
    LEFT JOIN waiting AS x ON x.spec = b.spec AND x.nth = 1
    WHERE c.nth = 1 AND (o.warps IS NOT NULL OR c.seconds IS NOT NULL)
),
ranked AS (
    SELECT device_name, width, height, max_bounces, family, schedule, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY device_name, width, height
                              ORDER BY abs(max_bounces - 8), count(DISTINCT scene) DESC, min(distance), max(newest) DESC) +
               iif(count(*) < min(2, max(count(*)) OVER ()) OR (count(seconds) = 0 AND max(count(seconds)) OVER (PARTITION BY width, height) > 0), 1000, 0) AS place
    FROM part
    GROUP BY device_name, width, height, max_bounces, family, schedule
),
short AS (
    SELECT p.panel, count(t.rest) AS split, min(100 * (1 - t.measured) / (1 - t.ideal)) AS gained_least, max(100 * (1 - t.measured) / (1 - t.ideal)) AS gained_most, min(100 * t.divergence / t.lost) AS least, max(100 * t.divergence / t.lost) AS most,
           min(100 * t.rest / t.lost) AS rest_least, max(100 * t.rest / t.lost) AS rest_most,
           min(100 * (t.store_load + t.compaction + t.gaps) / t.lost) AS cost_least, max(100 * (t.store_load + t.compaction + t.gaps) / t.lost) AS cost_most
    FROM panel AS p
    JOIN (SELECT *, iif(rest IS NULL, NULL, measured - ideal) AS lost FROM part) AS t USING (device_name, width, height, max_bounces, family, schedule)
    GROUP BY p.panel
),
kernels_published AS (              -- of the paper's fairy, in seconds: kernels of all bounces, compaction off and on, from Tables 2 and 3
    SELECT sum(t.off_time * w.naive_warps) * 1e-6 AS off, sum(t.on_time * w.compacted_warps) * 1e-6 AS compacted,
           1.0 * sum(w.compacted_warps) / sum(w.naive_warps) AS ideal
    FROM published_table3 AS t
    JOIN published_table2 AS w ON w.bounce = t.bounce
),
published AS (
    SELECT q.scene, q.naive / q.whole_frame AS measured, q.whole_frame / q.naive AS speedup, iif(q.scene = 'fairy', k.ideal, NULL) AS ideal,
           iif(q.scene = 'fairy', k.off * q.naive - 1, NULL) AS store_load,
           iif(q.scene = 'fairy', q.naive / q.whole_frame - k.compacted * q.naive, NULL) AS overhead,
           iif(q.scene = 'fairy', (k.compacted - k.off) * q.naive + 1 - k.ideal, NULL) AS inside
    FROM published_table1 AS q
    CROSS JOIN kernels_published AS k
)
SELECT p.panel, t.label,
       t.saved, iif(t.saved IS NULL, 'not_asked|', '') || iif(t.fitted, 'fitted', '') AS saved_flags, t.count_trials || ', ' || t.compacted_trial AS count_trials,
       iif(q.ideal IS NULL, NULL, (SELECT saved FROM published_table2 ORDER BY bounce DESC LIMIT 1)) AS saved_published, 0.05 AS saved_half,
       t.speedup, t.speedup * (1 - t.speedup_ci) AS speedup_low, t.speedup * (1 + t.speedup_ci) AS speedup_high,
       coalesce(t.speedup_flags, 'not_asked') || iif(t.fitted, '|fitted', '') AS speedup_flags, t.trials || coalesce(', ' || t.naive_trials, '') AS both_trials,
       q.speedup AS speedup_published,
       100 * t.ideal AS ideal, 100 * q.ideal AS ideal_published,
       100 * t.divergence AS divergence, iif(t.divergence IS NULL, 'no_steps', iif(t.modelled, 'modelled_steps', '')) AS divergence_flags, t.step_trials,
       100 * t.steps AS steps,
       100 * t.store_load AS store_load, 100 * (t.store_load - t.store_load_half) AS store_load_low,
       100 * (t.store_load + t.store_load_half) AS store_load_high, 100 * q.store_load AS store_load_published,
       CASE WHEN t.store_load IS NOT NULL THEN t.off_flags || '|' || t.naive_flags WHEN t.seconds IS NULL THEN coalesce(t.speedup_flags, 'not_asked')
            ELSE coalesce(nullif(t.off_flags, ''), 'no_parts') END AS store_load_flags,
       t.off_trials || coalesce(', ' || t.naive_trials, '') AS store_load_trials,
       100 * t.compaction AS compaction, 100 * (t.compaction - t.compaction_half) AS compaction_low,
       100 * (t.compaction + t.compaction_half) AS compaction_high,
       100 * t.gaps AS gaps, 100 * (t.gaps - t.gaps_half) AS gaps_low, 100 * (t.gaps + t.gaps_half) AS gaps_high,
       iif(t.gaps IS NULL, iif(t.seconds IS NULL, coalesce(t.speedup_flags, 'not_asked'), 'no_parts'), '') AS gaps_flags,
       100 * (t.compaction + t.gaps) AS overhead, 100 * q.overhead AS overhead_published,
       100 * t.rest AS rest, 100 * (t.rest - t.rest_half) AS rest_low, 100 * (t.rest + t.rest_half) AS rest_high,
       CASE WHEN t.rest IS NOT NULL THEN '' WHEN t.seconds IS NULL THEN coalesce(t.speedup_flags, 'not_asked')
            ELSE iif(t.gaps + t.store_load IS NULL, 'no_parts', '') || iif(t.divergence IS NULL, '|no_steps', '') END AS rest_flags,
       t.trials || coalesce(', ' || t.naive_trials, '') || coalesce(', ' || t.off_trials, '') || coalesce(', ' || t.step_trials, '') AS rest_trials,
       100 * (t.divergence + t.rest) AS inside, 100 * q.inside AS inside_published,
       -- what is left where a part was not measured
       iif(t.rest IS NULL, 100 * (t.measured - t.ideal - coalesce(t.divergence, 0) - coalesce(t.store_load, 0) - coalesce(t.compaction, 0) -
                                  coalesce(t.gaps, 0)), NULL) AS unsplit,
       100 * t.measured AS measured, 100 * t.measured * (1 - t.speedup_ci) AS measured_low, 100 * t.measured * (1 + t.speedup_ci) AS measured_high,
       100 * q.measured AS measured_published,
       t.memory_naive, t.memory_on, iif(t.memory_on IS NULL, 'no_steps', '') AS memory_flags, t.memory_trial || coalesce(', ' || t.memory_naive_trial, '') AS memory_trials,
       iif(s.split > 0, printf('divergence inside the traversal is ') || iif(s.split > 1, printf('%.0f to ', s.least), '') ||
           printf('%.0f %% of what the saving loses', s.most) || iif(s.split > 1, printf(', over %d scenes', s.split), ''), NULL) AS finding,
       iif(s.split > 1, printf('Compaction eliminates warps; %.0f to %.0f %% of the time that they took is saved (%d scenes at %dx%d)', s.gained_least, s.gained_most,
                               s.split, p.width, p.height) ||
               (SELECT printf(', against %.0f %% by the paper''s tables for its scene %s%s. ', 100 * (1 - measured) / (1 - ideal), scene,
                              iif(s.gained_least > 100 * (1 - measured) / (1 - ideal), ': hence the larger gains', '')) FROM published WHERE ideal IS NOT NULL) ||
               printf('The time not saved has three parts, which add up to 100 %% in each scene: divergence within the traversal, which persists when '
                      || 'every warp starts full, %.0f to %.0f %%; memory stalls and multiprocessors idle while a kernel runs, %.0f to %.0f %%; and the '
                      || 'overhead of one launch per bounce, the compaction pass and gaps between kernels, %.0f to %.0f %%.', s.least, s.most, s.rest_least,
                      s.rest_most, s.cost_least, s.cost_most) ||
               iif(s.least > s.rest_most OR s.rest_least > s.most,
                   printf(' The paper leaves open whether divergence or memory is to blame (section 4.2.6): here %s outweighs %s in every scene.',
                          iif(s.least > s.rest_most, 'divergence', 'memory'), iif(s.least > s.rest_most, 'memory', 'divergence')), ''), NULL) AS headline,
       p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM part AS t
JOIN panel AS p USING (device_name, width, height, max_bounces, family, schedule)
JOIN short AS s ON s.panel = p.panel
LEFT JOIN published AS q ON q.scene = t.stands_for AND t.max_bounces = 8
ORDER BY p.panel, t.place_in_paper, t.scene
