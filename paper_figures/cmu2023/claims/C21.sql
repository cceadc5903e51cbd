-- SPDX-License-Identifier: MIT
-- CMU report: the megakernel's times of Table 3 over those of Table 2, as printed.
SELECT b.scene AS place, '' AS flags, '' AS trials, b.mega_bvh / a.mega AS ratio
FROM published_table3 AS b
JOIN published_table2 AS a ON a.scene = b.scene
