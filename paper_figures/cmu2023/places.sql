-- SPDX-License-Identifier: MIT
-- Before ../common.sql, as ../places.sql.

-- What a row says of a scene: whether it is the report's own, or which of the report's it stands for.
CREATE TEMP VIEW place AS
SELECT i.scene, i.title, i.camera, i.fitted, i.original, i.known, coalesce(q.scene, '') AS stands_for, NULL AS place_in_paper, 1 AS listed,
       iif(q.scene IS NULL, ' (not the report''s)', iif(i.original, ' (the report''s ', ' (stand-in for ') || q.scene || ')') AS whose
FROM stand_in AS i
LEFT JOIN published_table2 AS q ON lower(q.scene) = lower(i.stands_for);

-- scenes that Table 1 calls otherwise than the other tables
CREATE TEMP VIEW full_name AS
SELECT column1 AS scene, column2 AS name FROM (VALUES ('The Breakfast Room', 'Dining Room'), ('Country Kitchen', 'Kitchen'));

-- parameters that tables of the paper compare by themselves
CREATE TEMP VIEW axis AS
SELECT column1 AS name FROM (VALUES ('tree'), ('tree_width'), ('child_order'), ('node_align'), ('tree_stack'), ('top_tree'));
