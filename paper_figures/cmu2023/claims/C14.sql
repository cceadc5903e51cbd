-- SPDX-License-Identifier: MIT
-- CMU report: the wide tree against the binary one: height, nodes visited per ray, and time of the stage trace of two stages.
SELECT place, '' AS flags, counted AS trials, 1.0 * depth / binary_depth AS height, nodes / binary_nodes AS visits, NULL AS traced, NULL AS traced_half
FROM tree_pair
WHERE form = 'wide' AND variant = 'naive' AND depth NOTNULL
UNION ALL
SELECT place || ', stage trace', stage_flags, stage_trials, NULL, NULL, stage, stage_half
FROM tree_pair
WHERE form = 'wide' AND variant = 'two_stage' AND stage NOTNULL
