-- SPDX-License-Identifier: MIT
-- CMU report: live lanes of running warps in one kernel; lanes that execute in all instructions, as the hardware counts them, of two stages less those
-- of one kernel; live lanes of all that are launched.
WITH whole AS (SELECT setting, trial, 1.0 * sum(executing) / sum(lanes) AS share FROM executed GROUP BY setting)
SELECT place, '' AS flags, few AS excluded, wave2_counted || coalesce(', ' || mega_counted, '') AS trials, mega_lanes AS lanes, NULL AS coherence, wave2_live - mega_live AS balance
FROM compared
UNION ALL
SELECT c.place || ', executing', '', '', w.trial || ', ' || m.trial, NULL, w.share - m.share, NULL
FROM compared AS c
JOIN whole AS w ON w.setting = c.wave2_setting
JOIN whole AS m ON m.setting = c.mega_setting
