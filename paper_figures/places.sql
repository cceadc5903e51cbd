-- SPDX-License-Identifier: MIT
-- Before ../common.sql, for a paper that prints its scenes in no order and compares settings that differ in no parameter.

-- what a row says of a scene
CREATE TEMP VIEW place AS
SELECT *, NULL AS place_in_paper, 1 AS listed, iif(stands_for <> '', ' (' || stands_for || ')', '') AS whose FROM stand_in;

-- parameters that tables of the paper compare by themselves
CREATE TEMP VIEW axis AS
SELECT '' AS name WHERE 0;
