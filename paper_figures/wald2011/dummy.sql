-- SPDX-License-Identifier: MIT
-- Wald 2011, section 4.2.5: dummy arithmetic in every BRDF evaluation, as measured at each amount.
SELECT g.panel, g.dummy_flops AS operations, 1000 * g.naive_seconds AS naive, g.naive_flags, g.naive_trials, g.multiple,
       1000 * g.seconds AS whole_frame, g.flags AS whole_frame_flags, g.row_trials, g.speedup, g.speedup * (1 - g.speedup_ci) AS speedup_low,
       g.speedup * (1 + g.speedup_ci) AS speedup_high, g.speedup_flags, g.both_trials,
       g.naive_seconds / (g.whole_0 + (g.naive_seconds - g.naive_0) / g.saved) AS model, g.saved,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work, p.schedule, p.trials, p.left_out
FROM grid AS g
JOIN panel AS p ON p.panel = g.panel
ORDER BY g.panel, g.dummy_flops
