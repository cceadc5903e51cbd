-- SPDX-License-Identifier: MIT
-- Wald 2011, 4: how far results at a limit of 2 bounces are from those at 8: speedup of whole-frame compaction, and warps saved.
WITH saved AS (
    SELECT n.*, w.counted AS other, 1.0 * n.warps / w.warps AS saved
    FROM counted_case AS n JOIN counted_case AS w ON w.work = n.work AND w.variant = 'whole_frame' AND w.counts_as
    WHERE n.variant = 'naive' AND n.counts_as AND n.place_in_paper < 99
),
apart AS (
    SELECT e.*, abs(e.speedup - t.speedup) AS difference, t.both_trials AS other_trials, t.weak AS other_weak,
           instr(e.speedup_flags || t.speedup_flags, 'underfilled') AS idle,
           sqrt(pow(e.speedup * e.speedup_ci, 2) + pow(t.speedup * t.speedup_ci, 2)) AS error
    FROM timed_case AS e
    JOIN timed_case AS t ON t.scene = e.scene AND t.width = e.width AND t.height = e.height AND t.device_name = e.device_name AND
                            t.variant = e.variant AND t.unthrottled AND t.max_bounces = 2
    WHERE e.variant = 'whole_frame' AND e.unthrottled AND e.max_bounces = 8 AND e.place_in_paper < 99
)
SELECT place, trim(iif(fitted, 'fitted', '') || iif(idle, '|underfilled', ''), '|') AS excluded,
       iif(speedup IS NULL, weak, trim(weak || '|' || other_weak, '|')) AS flags, both_trials || ', ' || other_trials AS trials, difference,
       max(difference - error, 0) AS difference_low, difference + error AS difference_high, NULL AS saved, 0 AS half,
       width * height AS size, place_in_paper
FROM apart
UNION ALL
SELECT e.place, iif(e.fitted, 'fitted', ''), '', e.counted || ', ' || e.other || ', ' || t.counted || ', ' || t.other, NULL, NULL, NULL,
       abs(e.saved - t.saved), 1, e.width * e.height, e.place_in_paper
FROM saved AS e
JOIN saved AS t ON t.scene = e.scene AND t.width = e.width AND t.height = e.height AND t.max_bounces = 2
WHERE e.max_bounces = 8
ORDER BY half, size, place_in_paper, 1
