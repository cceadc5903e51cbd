-- SPDX-License-Identifier: MIT
-- Frame time with the affine triangle test, relative to Moeller and Trumbore's, in the same tree.
SELECT place, flags, trials, time, time_half FROM kd_times
WHERE was = 'kd16' AND is_now = was AND was_step = 'xor' AND step = was_step AND was_test = 'moeller_trumbore' AND test = 'affine'
