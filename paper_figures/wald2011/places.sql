-- SPDX-License-Identifier: MIT
-- Before ../common.sql.

-- what a row says of a scene, the order of the paper's scenes, and which to list where only those are wanted
CREATE TEMP VIEW place AS
SELECT *, iif(stands_for <> '', ' (' || stands_for || ')', '') AS whose,
       place_in_paper IS NOT NULL OR (SELECT everything OR scene <> '' FROM report_option) OR max(place_in_paper) OVER () IS NULL AS listed
FROM (SELECT i.*, (SELECT p.rowid FROM published_table1 AS p WHERE p.scene = i.stands_for) AS place_in_paper FROM stand_in AS i);

-- parameters that tables of this paper compare by themselves, or print in words of their own: the others must be equal in settings
-- that are compared
CREATE TEMP VIEW axis AS
SELECT column1 AS name FROM (VALUES ('traversal'), ('loop'), ('shared_pad'), ('carveout'), ('resident_blocks'), ('dummy_flops'),
                                    ('block'), ('registers'), ('lane_map'), ('pixel_order'), ('leaf_size'), ('bins'), ('far_first'));
