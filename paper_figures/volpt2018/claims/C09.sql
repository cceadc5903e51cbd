-- SPDX-License-Identifier: MIT
-- Thesis 2018, compaction: by block in one kernel against over the device in two; and what part of the time between them goes from two kernels that
-- compact by block, as the one does, to the one.
WITH gap AS (
    SELECT p.place, p.flags || '|' || l.flags AS flags, p.trials || ', ' || l.trials AS trials, p.gain, p.half, l.gain AS local_gain, l.half AS local_half
    FROM scheme_pair AS p
    JOIN scheme_pair AS l ON l.setting = p.setting AND l.over = 'stream_device_local'
    WHERE p.variant = 'stream_block' AND p.choice = '' AND p.over = 'stream_device' AND p.kind <> 'grid'
)
SELECT place, flags, NULL AS excluded, trials, gain, half AS gain_half, NULL AS part, NULL AS part_half
FROM scheme_pair
WHERE variant = 'stream_block' AND choice = '' AND over = 'stream_device' AND kind <> 'grid'
UNION ALL
SELECT place || ', part of the gain', flags, iif(gain - half > 1, NULL, 'the device is not compacted in more time'), trials, NULL, NULL,
       (local_gain - 1) / (gain - 1),
       sqrt(local_half * local_half + pow((local_gain - 1) / (gain - 1) * half, 2)) / (gain - 1)
FROM gap
