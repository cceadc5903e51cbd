-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.4: time of a path over that at bounce 0, compaction on: the most of all bounces, and in how many of those from 2 on it
-- exceeds 2.5; and at bounce 8 the instructions of a full warp over those of one without compaction, by the share of the cycles in which
-- each kernel issues, in terms of what it takes longer.
WITH path AS (
    SELECT *, ratio * base_paths / paths_per_warp AS cost, half * base_paths / paths_per_warp AS error FROM rise WHERE compaction = 'on' AND base = 0 AND bounce > 0
),
issued AS (
    SELECT t.spec, k.bounce, k.trial, avg(k.value) AS share, row_number() OVER (PARTITION BY t.spec, k.bounce ORDER BY t.last_run DESC, t.id DESC) AS nth
    FROM counter AS k JOIN trial_record AS t ON t.id = k.trial
    WHERE k.metric = 'issue_active' AND NOT k.auxiliary AND (:run = '' OR t.id IN (SELECT trial FROM asked))
    GROUP BY k.trial, k.bounce
)
SELECT place, both_words AS flags, trials, cost AS most, error AS most_half, over AS above, NULL AS above_half, NULL AS instructions, NULL AS instructions_half
FROM (SELECT *, row_number() OVER (PARTITION BY work, device_name ORDER BY cost DESC) AS nth, 100 * avg(iif(bounce >= 2, cost > 2.5, NULL)) OVER (PARTITION BY work, device_name) AS over
      FROM (SELECT *, min(underfilled) OVER (PARTITION BY work, device_name, bounce >= 2) AS idle FROM path) WHERE underfilled = idle)
WHERE nth = 1
UNION ALL
SELECT o.place || ', bounce 8', o.both_words, o.both_trials || ', ' || n.trial || ', ' || f.trial, NULL, NULL, NULL, NULL, n.share / f.share, NULL
FROM on_off AS o
JOIN issued AS n ON n.spec = o.spec AND n.bounce = 8 AND n.nth = 1
JOIN issued AS f ON f.spec = o.off_spec AND f.bounce = 8 AND f.nth = 1
WHERE o.bounce = 8
