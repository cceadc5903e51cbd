-- SPDX-License-Identifier: MIT
-- Wald 2011, Table 2: warps saved over all bounces, as printed (bounce 8 as it must read, 18,651 warps) and on open stand-ins.
SELECT 'fairy, Table 2' AS place, '' AS flags, '' AS trials, 32.0 * sum(naive_warps) / sum(active_paths) AS printed, NULL AS saved FROM published_table2
UNION ALL
SELECT place, words, both_trials, NULL, saved
FROM (SELECT * FROM counted_pair WHERE max_bounces = 8 AND open AND place_in_paper < 99 AND other IS NOT NULL ORDER BY width * height, place_in_paper, place)
