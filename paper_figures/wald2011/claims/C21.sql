-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.5: light sampling by searching a large table in place of an alias table: how much longer the naive frame takes,
-- and by how much the speedup of whole_frame changes. A search that costs next to nothing says nothing.
WITH cell AS (
    SELECT u.*, n.relative_ci AS naive_ci FROM usual_case AS u LEFT JOIN timed AS n ON n.setting = u.naive_setting
    WHERE u.variant = 'whole_frame' AND u.registers IS 64 AND u.dummy_flops = 0 AND u.traversal = 'while_while'
),
search AS (
    SELECT s.*, s.naive_seconds / a.naive_seconds AS longer, abs(s.speedup - a.speedup) AS change,
           sqrt(pow(s.speedup * s.speedup_ci, 2) + pow(a.speedup * a.speedup_ci, 2)) AS half, sqrt(pow(s.naive_ci, 2) + pow(a.naive_ci, 2)) AS longer_ci,
           s.speedup_words || '|' || a.speedup_words AS words, s.both_trials || ', ' || a.both_trials AS all_trials
    FROM cell AS s
    JOIN cell AS a ON a.scene = s.scene AND a.camera = s.camera AND a.width = s.width AND a.height = s.height AND a.family = s.family AND
                      a.schedule = s.schedule AND a.device_name = s.device_name AND a.light_search = 'alias'
    WHERE s.light_search <> 'alias'
)
SELECT place || iif(light_search = 'cdf', ', 2000x1000', ', 16384x8192') AS place, 100 * (longer - 1) AS longer, 100 * longer * longer_ci AS longer_half,
       change, half AS change_half, iif(longer < 1.05, 'the search makes the frame less than 5 % longer', '') AS excluded, words AS flags, all_trials AS trials
FROM search
ORDER BY place_in_paper, label, width, light_search
