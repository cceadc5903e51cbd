-- SPDX-License-Identifier: MIT
-- Version 3 to 4: what besides a trial's key made an attempt. (The program makes the columns spec and work of trial_record anew.)
-- Never changed again: it is what old files meet.

ALTER TABLE attempt ADD COLUMN made_by TEXT DEFAULT '';
