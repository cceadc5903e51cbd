-- SPDX-License-Identifier: MIT
-- CMU report: live lanes of the launch of logic that has the fewest, of all slots, as long as samples are left. A row of several rounds stands for
-- their mean; the one in which the last path begins counts only where it is of one round.
SELECT c.place, '' AS flags, c.wave2_counted AS trials, min(1.0 * u.live_lanes / (u.launches * 1.0 * t.width * t.height)) AS live
FROM compared AS c
JOIN trial_record AS t ON t.id = c.wave2_counted
JOIN last_refill AS r ON r.trial = c.wave2_counted
JOIN round_use AS u ON u.trial = c.wave2_counted AND u.stage = 'logic' AND (u.round < r.round OR u.round = r.round AND u.exact)
GROUP BY c.place, c.slice
