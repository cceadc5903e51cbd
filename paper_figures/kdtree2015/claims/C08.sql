-- SPDX-License-Identifier: MIT
-- Frame time with all rewrites of the step, relative to none. Divergent branches need a hardware counter that is not among the metrics.
SELECT place, flags, trials, time, time_half FROM kd_times WHERE was = 'kd16' AND is_now = was AND was_test = test AND was_step = 'branchy' AND step = 'all'
