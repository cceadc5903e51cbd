-- SPDX-License-Identifier: MIT
-- CMU report: slots with a ray where extend begins, over the whole run.
SELECT place || ', 2 stages' AS place, '' AS flags, wave2_counted AS trials, wave2_live AS live FROM compared
UNION ALL
SELECT place || ', 3 stages', '', wave3_counted, wave3_live FROM compared
