-- SPDX-License-Identifier: MIT
-- Wald 2011, Table 2: active paths and active warps per bounce, naive and whole-frame compaction.
--
-- One panel per configuration: trials that compute the same paths (`work`) on one device with one warp width and one map from
-- lanes to pixels. Block sizes that are whole warps give the same warps; any other is a configuration of its own.
-- Parameters: :run and :scene are '' for any. Unless :all is 1, a panel is the configuration of each scene, camera and device that is nearest to the
-- paper's, and of scenes those that stand for one of its Table 1, if there are any.
-- A bounce without a stored row has no active path and no active warp.
WITH RECURSIVE
asked AS (                          -- trials of the runs asked for
    SELECT rt.trial FROM run_trial AS rt JOIN run AS r ON r.id = rt.run WHERE r.label = :run
),
candidate AS (                      -- of trials that outdate each other, the last with finished counts
    SELECT p.trial, p.variant, p.work, t.scene, p.lane_map, p.pixel_order, p.block_class, p.attempt, p.warp_width, p.device_name,
           a.counts_digest
    FROM path_placement AS p
    JOIN trial_record AS t ON t.id = p.trial
    JOIN attempt AS a ON a.id = p.attempt
    WHERE (p.variant = 'naive' OR (p.variant = 'whole_frame' AND coalesce(t.compact_every, 1) = 1)) AND p.loop = 'reconverged'
      AND (:scene = '' OR t.scene = :scene)
      AND (:run = '' OR t.id IN asked)
      AND NOT EXISTS (SELECT 1 FROM trial_record AS n
                      WHERE n.spec = t.spec AND (n.last_run, n.id) > (t.last_run, t.id)
                        AND (:run = '' OR n.id IN asked)
                        AND EXISTS (SELECT 1 FROM result AS x WHERE x.trial = n.id AND x.collection = 'counts'))
),
place_of AS (                       -- scenes, and whether they stand for one of the paper's Table 1
    SELECT scene, camera, stands_for IN (SELECT p.scene FROM published_table1 AS p) AS in_paper FROM stand_in
),
configuration AS (
    SELECT scene, device_name, warp_width, lane_map, pixel_order, block_class, max(trial) AS newest,
           max(CASE WHEN variant = 'naive' THEN attempt END) AS latest_naive,
           max(CASE WHEN variant = 'whole_frame' THEN attempt END) AS compacted_attempt,
           group_concat(CASE WHEN variant = 'naive' THEN trial END, ', ') AS naive_trials,
           group_concat(CASE WHEN variant = 'whole_frame' THEN trial END, ', ') AS compacted_trials,
           group_concat(trial, ', ') AS trials,
           count(DISTINCT counts_digest) AS digests
    FROM candidate
    GROUP BY work, scene, device_name, warp_width, lane_map, pixel_order, block_class
),
ranked AS (
    SELECT c.*, row_number() OVER (
        PARTITION BY c.scene, iif(t.camera = i.camera, '', t.camera), c.device_name
        ORDER BY latest_naive IS NULL OR compacted_attempt IS NULL, abs(t.max_bounces - 8), c.warp_width <> 32,
                 c.lane_map <> 'linear', c.pixel_order <> 'tile', block_class, abs(t.width * t.height - 1280 * 768), newest DESC) AS place,
           (i.in_paper AND t.camera IN ('', i.camera)) OR :all = 1 OR :scene <> '' OR max(i.in_paper) OVER () = 0 AS listed
    FROM configuration AS c
    JOIN trial_record AS t ON t.id = c.newest
    JOIN place_of AS i ON i.scene = t.scene
),
panel AS (                          -- with the naive trial that table2 compares with, where it is of the runs asked for
    SELECT row_number() OVER (ORDER BY t.scene, t.camera, r.device_name, place) AS panel, r.*,
           coalesce((SELECT naive_attempt FROM naive_pairing
                     WHERE attempt = r.compacted_attempt AND naive_attempt IN (SELECT attempt FROM candidate)), r.latest_naive)
               AS naive_attempt,
           t.camera, t.device, t.width, t.height, t.spp, t.seed, t.max_bounces, t.width * t.height * t.spp AS paths,
           'sampler ' || t.sampler || ', materials ' || t.materials || ', roulette ' || t.roulette || ', lighting '
               || t.lighting AS work_words,
           (SELECT count(*) FROM ranked WHERE (place > 1 OR NOT listed) AND :all = 0) AS left_out,
           (SELECT max(l.grid * l.block) - t.width * t.height FROM launch AS l
            WHERE l.attempt = coalesce(r.latest_naive, r.compacted_attempt) AND l.repetition = 0 AND l.auxiliary = 0) AS padding
    FROM ranked AS r
    JOIN trial_record AS t ON t.id = r.newest
    WHERE (place = 1 AND listed) OR :all = 1
),
step(panel, bounce, last) AS (
    SELECT panel, 0, max_bounces FROM panel
    UNION ALL
    SELECT panel, bounce + 1, last FROM step WHERE bounce < last
),
naive AS (
    SELECT p.panel, c.bounce, sum(c.active_paths) AS paths, sum(c.active_warps) AS warps
    FROM panel AS p CROSS JOIN bounce_counts AS c ON c.attempt = p.naive_attempt AND c.bounce >= 0
    GROUP BY p.panel, c.bounce
),
compacted AS (
    SELECT p.panel, c.bounce, sum(c.active_paths) AS paths, sum(c.active_warps) AS warps
    FROM panel AS p CROSS JOIN bounce_counts AS c ON c.attempt = p.compacted_attempt AND c.bounce >= 0
    GROUP BY p.panel, c.bounce
),
both AS (
    SELECT s.panel, s.bounce, coalesce(n.paths, c.paths, 0) AS paths,
           CASE WHEN p.naive_attempt IS NOT NULL THEN coalesce(n.warps, 0) END AS naive_warps,
           CASE WHEN p.compacted_attempt IS NOT NULL THEN coalesce(c.warps, 0) END AS compacted_warps
    FROM step AS s
    JOIN panel AS p ON p.panel = s.panel
    LEFT JOIN naive AS n ON n.panel = s.panel AND n.bounce = s.bounce
    LEFT JOIN compacted AS c ON c.panel = s.panel AND c.bounce = s.bounce
),
printed AS (                        -- the paper's naive warps are whole numbers: their sums are exact
    SELECT *, sum(naive_warps) OVER (ORDER BY bounce) AS naive_sum FROM published_table2
),
running AS (
    SELECT *, sum(paths) OVER sofar AS paths_sum, sum(naive_warps) OVER sofar AS naive_sum,
           sum(compacted_warps) OVER sofar AS compacted_sum
    FROM both
    WINDOW sofar AS (PARTITION BY panel ORDER BY bounce)
)
SELECT p.panel, r.bounce,
       r.paths AS active_paths, r.paths_sum AS active_paths_cumulative,
       1.0 * r.paths / p.paths AS alive,
       1.0 * q.active_paths / origin.active_paths AS alive_published,
       CASE WHEN r.bounce > 0 THEN 1.0 * q.active_paths / origin.active_paths *
           (1.0 * q.active_paths_half / q.active_paths + 1.0 * origin.active_paths_half / origin.active_paths) ELSE 0 END
           AS alive_published_half,
       r.naive_warps, r.naive_sum AS naive_warps_cumulative,
       1.0 * r.paths / nullif(r.naive_warps, 0) AS naive_paths_per_warp,
       1.0 * r.paths_sum / nullif(r.naive_sum, 0) AS naive_paths_per_warp_cumulative,
       1.0 * r.paths / nullif(r.naive_warps * p.warp_width, 0) AS naive_utilisation,
       1.0 * r.paths_sum / nullif(r.naive_sum * p.warp_width, 0) AS naive_utilisation_cumulative,
       q.active_paths / (32.0 * q.naive_warps) AS naive_utilisation_published,
       q.active_paths_half / (32.0 * q.naive_warps) AS naive_utilisation_published_half,
       q.active_paths_cumulative / (32.0 * q.naive_sum) AS naive_utilisation_cumulative_published,
       q.active_paths_cumulative_half / (32.0 * q.naive_sum) AS naive_utilisation_cumulative_published_half,
       r.compacted_warps, r.compacted_sum AS compacted_warps_cumulative,
       1.0 * r.naive_sum / nullif(r.compacted_sum, 0) AS saved,
       1.0 * r.naive_warps * p.warp_width / p.paths AS naive_share,
       1.0 * q.naive_warps / origin.naive_warps AS naive_share_published,
       1.0 * r.compacted_warps * p.warp_width / p.paths AS compacted_share,
       1.0 * q.compacted_warps / origin.naive_warps AS compacted_share_published,
       1.0 * q.compacted_warps_half / origin.naive_warps AS compacted_share_published_half,
       p.scene, p.camera, p.device, p.device_name, p.warp_width, p.width, p.height, p.spp, p.seed, p.max_bounces, p.paths,
       p.padding, p.work_words AS work, 'lane map ' || p.lane_map || ', pixel order ' || p.pixel_order AS schedule,
       p.naive_trials, p.compacted_trials, p.trials, p.left_out,
       CASE WHEN p.naive_attempt IS NOT NULL AND p.compacted_attempt IS NOT NULL THEN p.trials END AS both_trials,
       CASE WHEN p.digests > 1 THEN 'the trials below did not count the same paths; see warpstudy verify' END AS problem
FROM running AS r
JOIN panel AS p ON p.panel = r.panel
LEFT JOIN printed AS q ON q.bounce = r.bounce
LEFT JOIN printed AS origin ON origin.bounce = 0
ORDER BY p.panel, r.bounce
