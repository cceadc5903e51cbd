-- SPDX-License-Identifier: MIT
-- Made once: the view frame_parts, which costs as much for one setting as for all, for the queries of where a frame's time goes.
CREATE TEMP TABLE parts AS
SELECT * FROM frame_parts;

CREATE INDEX temp.parts_setting ON parts (setting);
