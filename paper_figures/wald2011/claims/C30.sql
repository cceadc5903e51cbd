-- SPDX-License-Identifier: MIT
-- Wald 2011, 3.5 and Figure 2: from the least tile height M to the greatest, what is saved, counted, and the speed of the tiled
-- kernels, whose peak should lie in between.
WITH tile AS (
    SELECT c.variant, c.place, c.work, c.fitted, c.tile_m, c.counted AS trials, n.counted AS naive_trials, 1.0 * n.warps / c.warps AS saved, c.warps, w.warps AS whole_warps
    FROM counted_case AS c
    JOIN counted_case AS n ON n.work = c.work AND n.variant = 'naive' AND n.lane_map = 'linear'
    LEFT JOIN counted_case AS w ON w.work = c.work AND w.variant = 'whole_frame' AND w.lane_map = 'linear'
    WHERE c.variant IN ('tiled_global', 'tiled_shared') AND c.max_bounces = 8
),
rising AS (
    SELECT *, saved - lag(saved) OVER (PARTITION BY work, variant ORDER BY tile_m) AS step,
           iif(tile_m >= 16, 100 * (1 - 1.0 * whole_warps / warps), NULL) AS short_of
    FROM tile
),
curve AS (                          -- turns: the speed rises before this M and falls after it, or the other way
    SELECT *, tile_m IN (min(tile_m) OVER tiles, max(tile_m) OVER tiles) AS at_end,
           sign(speedup - lag(speedup) OVER upwards) <> sign(lead(speedup) OVER upwards - speedup) AS turns
    FROM timed_case
    WHERE variant IN ('tiled_global', 'tiled_shared') AND max_bounces = 8 AND unthrottled
    WINDOW tiles AS (PARTITION BY work, device_name, variant), upwards AS (PARTITION BY work, device_name, variant ORDER BY tile_m)
),
peak AS (                           -- over: the best in between over the better end
    SELECT *, count(*) AS tiles, max(iif(at_end, NULL, speedup)) / max(iif(at_end, speedup, NULL)) AS over,
           max(iif(at_end, NULL, speedup_ci)) + max(iif(at_end, speedup_ci, NULL)) AS ci, sum(turns) AS turned,
           max(instr(excluded, 'underfilled')) AS idle, trim(replace(group_concat(DISTINCT weak), ',', '|'), '|') AS words,
           group_concat(both_trials, ', ') AS tile_trials, min(tile_m) AS least, max(tile_m) AS most
    FROM curve
    GROUP BY work, device_name, variant
),
shown AS (
    SELECT 0 AS times, variant || ', ' || place || printf(', M %d to %d', min(tile_m), max(tile_m)) AS place, min(step) AS step, max(short_of) AS short_of,
           NULL AS over, NULL AS ci, NULL AS turned, iif(fitted, 'fitted', '') AS excluded, '' AS flags, group_concat(trials, ', ') || ', ' || naive_trials AS trials
    FROM rising
    GROUP BY work, variant
    HAVING count(*) > 1
    UNION ALL
    SELECT 1, variant || ', ' || place || printf(', M %d to %d', least, most), NULL, NULL, over, ci, turned,
           trim(iif(fitted, 'fitted', '') || iif(idle, '|underfilled', ''), '|'), words, tile_trials
    FROM peak
    WHERE tiles > 2
)
SELECT place, step, short_of, 100 * (over - 1) AS peak, 100 * (over * (1 - ci) - 1) AS peak_low, 100 * (over * (1 + ci) - 1) AS peak_high, turned,
       excluded, flags, trials
FROM shown
ORDER BY times, place
