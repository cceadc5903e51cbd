-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.4: time of a warp at bounce 1 over that at bounce 0, compaction on; and on over off at both. Of views whose camera rays
-- all hit: of a hundred at most one is lost.
SELECT r.place, r.both_words || '|' || z.both_words || '|' || o.both_words || iif(o.active_paths < 0.99 * z.active_paths, '|rays_miss', '') AS flags,
       z.both_trials AS trials, r.ratio AS rise, r.half AS rise_half, z.ratio AS same_0, z.half AS same_0_half, o.ratio AS same_1, o.half AS same_1_half
FROM rise AS r
JOIN on_off AS z ON z.work = r.work AND z.device_name = r.device_name AND z.bounce = 0
JOIN on_off AS o ON o.work = r.work AND o.device_name = r.device_name AND o.bounce = 1
WHERE r.compaction = 'on' AND r.bounce = 1 AND r.base = 0
ORDER BY r.width * r.height, r.place
