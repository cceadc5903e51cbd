-- SPDX-License-Identifier: MIT
-- CMU report: rounds that only serve paths already begun, in batches of four samples taken dearest first, over those of batches in random order. The
-- first batch has no order yet, and does not count.
WITH wave AS (
    SELECT c.*, n.attempt, c.label || ', ' || c.device_name || ', ' || c.width || 'x' || c.height AS place
    FROM cell AS c
    JOIN result AS n ON n.trial = c.counted AND n.collection = 'counts'
    JOIN trial_record AS t ON t.id = c.counted
    WHERE c.variant = 'two_stage' AND c.tickets = 'atomic' AND c.batch = 4 AND c.spp > 4 AND c.rounds <= t.exact_rounds AND c.pool_order IN ('shuffled', 'cost') AND
          c.pool IS NULL AND c.accumulate = 'atomic' AND c.extend_over = 'slots' AND c.ray_sort = 'none'
),
batch AS (                          -- rounds from `first` to `last`
    SELECT w.counted, w.attempt, l.iteration AS first, lead(l.iteration) OVER (PARTITION BY w.counted ORDER BY l.number) - 1 AS last,
           row_number() OVER (PARTITION BY w.counted ORDER BY l.number) AS nth, w.rounds
    FROM wave AS w
    JOIN launch AS l ON l.attempt = w.attempt AND l.repetition = 0 AND l.stage = 'regenerate'
),
tail AS (
    SELECT b.counted, sum(coalesce(b.last, b.rounds - 1) -
                          coalesce((SELECT max(l.iteration) FROM launch AS l JOIN bounce_counts AS c ON c.attempt = l.attempt AND c.launch = l.number AND c.bounce = -1
                                    WHERE l.attempt = b.attempt AND l.repetition = 0 AND c.begun > 0 AND l.stage = 'logic' AND
                                          l.iteration BETWEEN b.first AND coalesce(b.last, b.rounds - 1)), b.first - 1)) AS rounds
    FROM batch AS b
    WHERE b.nth > 1
    GROUP BY b.counted
)
SELECT d.place, '' AS flags, d.counted || ', ' || r.counted AS trials, 1.0 * a.rounds / b.rounds AS drained
FROM wave AS d
JOIN wave AS r ON r.slice = d.slice AND r.work = d.work AND r.pool_order = 'shuffled'
JOIN tail AS a ON a.counted = d.counted
JOIN tail AS b ON b.counted = r.counted
WHERE d.pool_order = 'cost'
