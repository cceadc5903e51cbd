-- SPDX-License-Identifier: MIT
-- Wald 2011, 4.2.4 and Table 3, compaction on: in how many steps from bounce 1 to 8 the time of a warp falls by more than its interval;
-- bounce 8 over bounce 1; the largest over the smallest from bounce 2 on; and what an empty launch leaves of the rise.
SELECT e.place, (SELECT group_concat(s.words, '|') FROM bounce_case AS s WHERE s.work = e.work AND s.device_name = e.device_name AND s.compaction = 'on') AS flags,
       e.trials, e.ratio AS rise, e.half AS rise_half, 100 * e.more_alone / e.more AS remains,
       (SELECT sum(s.ratio + s.half < 1) FROM rise AS s
        WHERE s.work = e.work AND s.device_name = e.device_name AND s.compaction = 'on' AND s.base >= 1 AND s.bounce = s.base + 1) AS falls,
       (SELECT max(s.ratio) FROM rise AS s WHERE s.work = e.work AND s.device_name = e.device_name AND s.compaction = 'on' AND min(s.base, s.bounce) >= 2) AS range
FROM rise AS e
WHERE e.compaction = 'on' AND e.bounce = 8 AND e.base = 1
ORDER BY e.width * e.height, e.place
