-- SPDX-License-Identifier: MIT
-- Wald 2011, Table 3 and 4.2.4: time of a warp, compaction on / off: at bounce 8; of all bounces from 2 on the least, and the farthest
-- from 1; and the least of those at which 6 paths or fewer live in a warp without it. Of bounces that fill the device, where any do.
WITH later AS (
    SELECT *, row_number() OVER (PARTITION BY work, device_name, off_paths <= 6 ORDER BY ratio) AS nth, max(abs(ratio - 1)) OVER warps AS farthest,
           min(ratio) OVER warps AS least, min(bounce) OVER warps AS first, max(bounce) OVER warps AS final
    FROM on_off WHERE bounce >= 2 AND counts
    WINDOW warps AS (PARTITION BY work, device_name)
)
SELECT printf('%s, bounce %d', place, bounce) AS place, both_words AS flags, both_trials AS trials, ratio AS last, half AS last_half, NULL AS least,
       NULL AS least_half, NULL AS farthest, NULL AS sparse, NULL AS sparse_half
FROM on_off WHERE bounce = 8
UNION ALL
SELECT printf('%s, bounces %d to %d, %s', place, first, final, iif(off_paths <= 6, 'at most 6 paths', 'more than 6 paths')), both_words, both_trials,
       NULL, NULL, iif(ratio = least, ratio, NULL), iif(ratio = least, half, NULL), iif(ratio = least, farthest, NULL),
       iif(off_paths <= 6, ratio, NULL), iif(off_paths <= 6, half, NULL)
FROM later
WHERE nth = 1 AND (ratio = least OR off_paths <= 6)
ORDER BY 1
