-- SPDX-License-Identifier: MIT
-- Before ../common.sql: scenes in no order, and the parameters that a table compares by itself.

-- what a row says of a scene: of those through whose volume something went, for the thesis is about no other
CREATE TEMP VIEW place AS
SELECT *, NULL AS place_in_paper, 1 AS listed, iif(stands_for <> '', ' (' || stands_for || ')', '') AS whose FROM stand_in
WHERE scene IN (SELECT scene FROM trial_record WHERE estimator = 'volume');

-- parameters that tables of the paper compare by themselves; and those of a grid that is what a device holds, which one path a lane has not
CREATE TEMP VIEW axis AS
SELECT column1 AS name FROM (VALUES ('tiles'), ('tile_streams'), ('tile_download'), ('multiprocessors'));
