-- SPDX-License-Identifier: MIT
-- CMU report: a queue of four samples of each pixel, round by round: rank correlations with the round of the share of dear materials among those
-- that lanes evaluate, and of the length of the paths that end; and the share of other materials than matte, the last quarter of rounds against
-- the first. Dear: of the kinds with a kernel of their own, those that take more time a lane than the median, while the queue lasts.
WITH wave AS (
    SELECT c.*, c.label || ', ' || c.device_name || ', ' || c.width || 'x' || c.height || iif(c.variant = 'three_stage', ', 3 stages', ', 2 stages') AS place, n.attempt
    FROM cell AS c
    JOIN result AS n ON n.trial = c.counted AND n.collection = 'counts'
    JOIN trial_record AS t ON t.id = c.counted
    WHERE c.variant IN ('two_stage', 'three_stage') AND c.plain AND c.batch = 4 AND c.spp = 4 AND c.tickets = 'atomic' AND c.rounds <= t.exact_rounds
),
launched AS (
    SELECT w.setting, l.iteration AS round, l.kernel, l.stage, sum(b.live_lanes) AS lanes, sum(b.shaded_lambert) AS matte,
           sum(b.shaded_lambert + b.shaded_blinn + b.shaded_glass + b.shaded_chrome + b.shaded_carpaint + b.shaded_glossy + b.shaded_reflective +
               b.shaded_transparent + b.shaded_blend) AS shaded,
           sum(b.deaths_miss + b.deaths_depth + b.deaths_absorb + b.deaths_roulette) AS ended,
           sum((b.bounce + 1) * (b.deaths_miss + b.deaths_depth + b.deaths_absorb + b.deaths_roulette)) AS segments
    FROM wave AS w
    JOIN launch AS l ON l.attempt = w.attempt AND l.repetition = 0 AND NOT l.auxiliary
    JOIN bounce_counts AS b ON b.attempt = w.attempt AND b.launch = l.number
    GROUP BY w.setting, l.iteration, l.kernel
),
cost AS (                           -- of a lane, by kernel
    SELECT s.setting, s.kernel, s.seconds / t.lanes AS seconds
    FROM (SELECT w.setting, c.kernel, sum(c.seconds) / count(DISTINCT c.attempt || '|' || c.repetition) AS seconds
          FROM wave AS w
          JOIN last_refill AS r ON r.trial = w.counted
          JOIN launched_as AS a ON a.setting = w.setting
          JOIN clean_launch AS c ON c.setting = a.launched AND c.stage = 'material' AND c.times AND c.iteration <= r.round
          GROUP BY w.setting, c.kernel) AS s
    JOIN (SELECT l.setting, l.kernel, sum(l.lanes) AS lanes
          FROM wave AS w JOIN last_refill AS r ON r.trial = w.counted JOIN launched AS l ON l.setting = w.setting AND l.round <= r.round
          GROUP BY l.setting, l.kernel) AS t ON t.setting = s.setting AND t.kernel = s.kernel
),
dear AS (
    SELECT setting, kernel
    FROM cost AS c
    WHERE seconds > (SELECT avg(seconds) FROM (SELECT seconds, row_number() OVER (ORDER BY seconds) AS nth, count(*) OVER () AS n FROM cost AS o WHERE o.setting = c.setting)
                     WHERE nth IN ((n + 1) / 2, n / 2 + 1))
),
round AS (
    SELECT l.setting, l.round, sum(l.shaded) AS shaded, sum(l.matte) AS matte,
           1.0 * sum(iif(d.kernel IS NOT NULL, l.lanes, 0)) / nullif(sum(l.shaded), 0) AS dear, 1.0 * sum(l.segments) / nullif(sum(l.ended), 0) AS segments
    FROM launched AS l
    LEFT JOIN dear AS d ON d.setting = l.setting AND d.kernel = l.kernel
    GROUP BY l.setting, l.round
),
value AS (
    SELECT setting, round, 'dear' AS name, dear AS value FROM round WHERE dear IS NOT NULL AND EXISTS (SELECT 1 FROM dear WHERE dear.setting = round.setting)
    UNION ALL
    SELECT setting, round, 'segments', segments FROM round WHERE segments IS NOT NULL
),
placed AS (                         -- mean ranks
    SELECT setting, name, rank() OVER (PARTITION BY setting, name ORDER BY round) AS x,
           rank() OVER (PARTITION BY setting, name ORDER BY value) + 0.5 * (count(*) OVER (PARTITION BY setting, name, value) - 1) AS y
    FROM value
),
correlation AS (
    SELECT setting, name, (avg(x * y) - avg(x) * avg(y)) / nullif(sqrt(max(0, (avg(x * x) - avg(x) * avg(x)) * (avg(y * y) - avg(y) * avg(y)))), 0) AS r
    FROM placed
    GROUP BY setting, name
),
quarter AS (
    SELECT setting, sum(iif(q = 1, shaded - matte, 0)) * 1.0 / nullif(sum(iif(q = 1, shaded, 0)), 0) AS first,
           sum(iif(q = 4, shaded - matte, 0)) * 1.0 / nullif(sum(iif(q = 4, shaded, 0)), 0) AS last
    FROM (SELECT *, ntile(4) OVER (PARTITION BY setting ORDER BY round) AS q FROM round WHERE shaded > 0)
    GROUP BY setting
)
SELECT w.place, '' AS flags, w.counted AS trials, d.r AS dear, s.r AS longer, q.last / nullif(q.first, 0) AS other
FROM wave AS w
LEFT JOIN correlation AS d ON d.setting = w.setting AND d.name = 'dear'
LEFT JOIN correlation AS s ON s.setting = w.setting AND s.name = 'segments'
LEFT JOIN quarter AS q ON q.setting = w.setting
