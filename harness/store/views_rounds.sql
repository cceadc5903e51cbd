-- SPDX-License-Identifier: MIT
-- Rounds of pipelines. See views.sql.

-- Every launch of trials that are pipelines: of counts with what it counted, of launches (repetition not NULL) with its time.
-- Lists and clearing have no stage, and go by their own name: select, sort, fill. From the trial's exact_rounds on a round stands for
-- all up to twice, four times, ... as many, as in the counts, which one launch has for all of these. more: launches that a row stands for,
-- beside the first.
-- clean_launch stands here part by part, so that of trials that are no pipelines no launch is read.
CREATE TEMP VIEW stage_launch AS
WITH raw AS (
    SELECT a.trial, a.id AS attempt, a.warp_width, l.stage, l.kernel, l.iteration, l.auxiliary, l.more, NULL AS repetition, NULL AS seconds,
           coalesce(c.live_lanes, 0) AS live_lanes, coalesce(c.live_warps, 0) AS live_warps, coalesce(c.begun, 0) AS begun,
           coalesce(c.queued, 0) AS queued, coalesce(c.mixed_warps, 0) AS mixed_warps, coalesce(c.atomics, 0) AS atomics,
           coalesce(c.moved_bytes, 0) AS moved_bytes
    FROM done_attempt AS a CROSS JOIN launch AS l ON l.attempt = a.id
    LEFT JOIN bounce_counts AS c ON c.attempt = a.id AND c.bounce = -1 AND c.launch = l.number
    WHERE a.collection = 'counts' AND l.repetition = 0 AND
          EXISTS (SELECT 1 FROM launch AS s WHERE s.attempt = a.id AND s.repetition = 0 AND s.stage <> '')
    UNION ALL
    SELECT a.trial, a.attempt, NULL, l.stage, l.kernel, l.iteration, l.auxiliary, l.more, l.repetition, iif(a.times, l.seconds, NULL),
           NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM clean_result AS a CROSS JOIN launch AS l ON l.attempt = a.attempt
    WHERE a.collection = 'launches' AND EXISTS (SELECT 1 FROM launch AS s WHERE s.attempt = a.attempt AND s.repetition = 0 AND s.stage <> '')
    UNION ALL
    SELECT a.trial, a.attempt, NULL, l.stage, l.kernel, l.iteration, l.auxiliary, l.more, t.repetition, iif(a.times, t.nanoseconds / 1e9, NULL),
           NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM clean_result AS a CROSS JOIN launch_time AS t ON t.attempt = a.attempt
    CROSS JOIN launch AS l ON l.attempt = t.attempt AND l.repetition = 0 AND l.number = t.number
    WHERE a.collection = 'launches' AND EXISTS (SELECT 1 FROM launch AS s WHERE s.attempt = a.attempt AND s.repetition = 0 AND s.stage <> '')
)
SELECT r.trial, r.warp_width, r.repetition, r.seconds, iif(r.auxiliary, k.name, r.stage) AS stage,
       iif(r.iteration < t.exact_rounds, r.iteration,
           t.exact_rounds * coalesce(1 << CAST(log2(r.iteration / t.exact_rounds) AS INTEGER), 1)) AS round, r.more, -- log2(0) is NULL
       r.live_lanes, r.live_warps, r.begun, r.queued, r.mixed_warps, r.atomics, r.moved_bytes
FROM raw AS r JOIN kernel AS k ON k.id = r.kernel JOIN trial_record AS t ON t.id = r.trial
WHERE r.stage <> '' OR r.auxiliary;

-- A row per trial, round and stage: sums over its launches; seconds is the median of the repetitions, each the sum of its launches.
CREATE TEMP VIEW pipeline_round AS
WITH timed AS (
    SELECT trial, round, stage, count(*) + sum(more) AS launches, sum(seconds) AS seconds
    FROM stage_launch
    WHERE repetition IS NOT NULL
    GROUP BY trial, round, stage, repetition
), part AS (
    SELECT trial, round, stage, count(*) + sum(more) AS launches, max(warp_width) AS warp_width, sum(live_lanes) AS live_lanes,
           sum(live_warps) AS live_warps, sum(begun) AS begun, sum(queued) AS queued, sum(mixed_warps) AS mixed_warps,
           sum(atomics) AS atomics, sum(moved_bytes) AS moved_bytes, NULL AS launches_timed, NULL AS seconds, NULL AS half
    FROM stage_launch
    WHERE repetition IS NULL
    GROUP BY trial, round, stage
    UNION ALL
    SELECT trial, round, stage, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, launches, seconds,
           ntile(2) OVER (PARTITION BY trial, round, stage, seconds IS NULL ORDER BY seconds)
    FROM timed
)
SELECT trial, round, stage, coalesce(max(launches), max(launches_timed)) AS launches, max(live_lanes) AS live_lanes, max(live_warps) AS live_warps,
       1.0 * max(live_lanes) / nullif(max(warp_width) * max(live_warps), 0) AS live_util, max(begun) AS begun, max(queued) AS queued,
       max(mixed_warps) AS mixed_warps, max(atomics) AS atomics, max(moved_bytes) AS moved_bytes, count(seconds) AS repetitions,
       CASE count(seconds) % 2 WHEN 1 THEN max(iif(half = 1, seconds, NULL))
       ELSE (max(iif(half = 1, seconds, NULL)) + min(iif(half = 2, seconds, NULL))) / 2 END AS seconds
FROM part
GROUP BY trial, round, stage;
