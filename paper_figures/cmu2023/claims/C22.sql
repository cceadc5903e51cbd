-- SPDX-License-Identifier: MIT
-- CMU report: live lanes of running warps in one kernel and in two stages; live lanes of all that are launched.
SELECT place, '' AS flags, wave2_counted || coalesce(', ' || mega_counted, '') AS trials, mega_lanes AS lanes, wave2_lanes - mega_lanes AS coherence,
       wave2_live - mega_live AS balance
FROM compared
