-- SPDX-License-Identifier: MIT
-- Version 2 to 3: what papers say, pictures, where merged trials come from. Never changed again: it is what old files meet.

ALTER TABLE trial_record ADD COLUMN origin TEXT NOT NULL DEFAULT '';
DROP INDEX trial_work;
CREATE INDEX trial_work ON trial_record (work, variant, device_name);
CREATE INDEX attempt_collection ON attempt (collection, trial) WHERE status = 'done' AND superseded = 0;

CREATE TABLE paper (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    authors TEXT NOT NULL,
    venue TEXT NOT NULL,
    year INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE fact (
    paper TEXT NOT NULL,
    section TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (paper, section, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE published (
    paper TEXT NOT NULL,
    item TEXT NOT NULL,
    row TEXT NOT NULL,
    column TEXT NOT NULL,
    unit TEXT NOT NULL,
    printed TEXT,
    corrected TEXT,
    misprint TEXT,
    value REAL,
    half REAL,
    PRIMARY KEY (paper, item, row, column)
) STRICT, WITHOUT ROWID;

CREATE TABLE quotation (
    paper TEXT NOT NULL,
    id TEXT NOT NULL,
    place TEXT NOT NULL,
    value TEXT NOT NULL,
    unit TEXT NOT NULL,
    meaning TEXT NOT NULL,
    verified TEXT NOT NULL,
    PRIMARY KEY (paper, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE misprint (
    paper TEXT NOT NULL,
    id TEXT NOT NULL,
    place TEXT NOT NULL,
    printed TEXT NOT NULL,
    corrected TEXT NOT NULL,
    certainty TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (paper, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE choice (
    paper TEXT NOT NULL,
    id TEXT NOT NULL,
    issue TEXT NOT NULL,
    resolution TEXT NOT NULL,
    PRIMARY KEY (paper, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE claim (
    paper TEXT NOT NULL,
    id TEXT NOT NULL,
    place TEXT NOT NULL,
    statement TEXT NOT NULL,
    variants TEXT NOT NULL,
    missing TEXT NOT NULL,
    scenes TEXT NOT NULL,
    setting TEXT NOT NULL,
    metric TEXT NOT NULL,
    direction TEXT NOT NULL,
    published TEXT NOT NULL,
    low REAL,
    high REAL,
    accept TEXT NOT NULL,
    refute TEXT NOT NULL,
    hardware TEXT NOT NULL,
    checks TEXT NOT NULL,
    tier INTEGER NOT NULL,
    support TEXT NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (paper, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE conflict (
    id TEXT PRIMARY KEY,
    claims TEXT NOT NULL,
    issue TEXT NOT NULL,
    experiment TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE picture (
    scene TEXT NOT NULL,
    scene_content TEXT NOT NULL,
    camera TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    spp INTEGER NOT NULL,
    image TEXT NOT NULL,
    png BLOB NOT NULL,
    PRIMARY KEY (scene, scene_content, camera, width, height, spp)
) STRICT;

-- The id of an old file is the same each time it is read: from the beginning of its first run and its first trial's key.
INSERT INTO meta
SELECT 'id', coalesce((SELECT replace(strftime('%Y%m%d%H%M%f', started), '.', '') FROM run ORDER BY id LIMIT 1) ||
                          (SELECT substr(key, 1, 15) FROM trial_record ORDER BY id LIMIT 1), lower(hex(randomblob(16))));
