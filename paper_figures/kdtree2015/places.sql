-- SPDX-License-Identifier: MIT
-- Before ../common.sql.

-- what a row says of a scene
CREATE TEMP VIEW place AS
SELECT *, NULL AS place_in_paper, 1 AS listed, iif(stands_for <> '', ' (' || stands_for || ')', '') AS whose FROM stand_in;

-- parameters that tables of this paper compare by themselves
CREATE TEMP VIEW axis AS
SELECT column1 AS name FROM (VALUES ('tree'), ('kd_order'), ('kd_step'), ('kd_stack'), ('tree_loads'), ('affine_order'));
