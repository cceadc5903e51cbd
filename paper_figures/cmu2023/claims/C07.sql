-- SPDX-License-Identifier: MIT
-- CMU report: two stages against a CPU.
SELECT place, cpu_flags || '|' || wave2_flags AS flags, few AS excluded, wave2_trials || coalesce(', ' || cpu_trials, '') AS trials, cpu / wave2 AS gain,
       cpu / wave2 * sqrt(cpu_ci * cpu_ci + wave2_ci * wave2_ci) AS gain_half
FROM compared
