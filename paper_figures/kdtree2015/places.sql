-- SPDX-License-Identifier: MIT
-- Made once before ../common.sql.

-- what a row says of a scene
CREATE TEMP TABLE place AS
SELECT *, NULL AS place_in_paper, 1 AS listed FROM stand_in;

-- parameters that tables of this paper compare by themselves
CREATE TEMP TABLE axis AS
SELECT 'tree' AS name;
