-- SPDX-License-Identifier: MIT
-- Thesis 2018, maximizing utilization: lanes with a path, of those of warps that have any, in the naive kernel and with regeneration by thread; and the
-- gain in speed over the gain in that.
SELECT place, flags, coalesce(counted || ', ' || over_counted || ', ', '') || trials AS trials, over_lanes AS naive, lanes AS regenerated,
       lanes - over_lanes AS more, gain / (lanes / over_lanes) AS explained,
       half / (lanes / over_lanes) AS explained_half
FROM scheme_pair
WHERE variant = 'regenerate_thread' AND choice = '' AND over = 'volume_naive' AND kind <> 'grid' AND lanes NOTNULL AND over_lanes NOTNULL
