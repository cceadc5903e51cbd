-- SPDX-License-Identifier: MIT
-- Version 1 to 2: conditions, hardware counters, sites, stalls, occupancy. Never changed again: it is what old files meet.

ALTER TABLE repetition ADD COLUMN sm_mhz REAL;
ALTER TABLE attempt ADD COLUMN passes INTEGER;
ALTER TABLE attempt ADD COLUMN dropped INTEGER;
ALTER TABLE attempt ADD COLUMN gate_seconds REAL;
ALTER TABLE kernel_facts ADD COLUMN block INTEGER;
ALTER TABLE kernel_facts ADD COLUMN shared_bytes INTEGER;
ALTER TABLE kernel_facts ADD COLUMN resident_warps INTEGER;
ALTER TABLE kernel_facts ADD COLUMN auxiliary INTEGER;

CREATE TABLE condition (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    moment TEXT NOT NULL CHECK (moment IN ('before', 'after')),
    temperature REAL,
    power REAL,
    sm_mhz REAL,
    memory_mhz REAL,
    throttle INTEGER NOT NULL,
    foreign_processes INTEGER,
    PRIMARY KEY (attempt, moment)
) STRICT, WITHOUT ROWID;

CREATE TABLE launch_time (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    repetition INTEGER NOT NULL,
    number INTEGER NOT NULL,
    nanoseconds INTEGER,
    PRIMARY KEY (attempt, repetition, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric_name (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE metric_value (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    launch INTEGER NOT NULL,
    metric INTEGER NOT NULL REFERENCES metric_name (id),
    value REAL,
    PRIMARY KEY (attempt, launch, metric)
) STRICT, WITHOUT ROWID;

CREATE TABLE site_count (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    launch INTEGER NOT NULL,
    site INTEGER NOT NULL,
    copies INTEGER NOT NULL,
    instructions INTEGER NOT NULL,
    thread_instructions INTEGER NOT NULL,
    PRIMARY KEY (attempt, launch, site)
) STRICT, WITHOUT ROWID;

CREATE TABLE stall_reason (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE source_file (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE stall (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    launch INTEGER NOT NULL,
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    reason INTEGER NOT NULL REFERENCES stall_reason (id),
    samples INTEGER NOT NULL,
    PRIMARY KEY (attempt, launch, kernel, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE stall_line (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    file INTEGER NOT NULL REFERENCES source_file (id),
    line INTEGER NOT NULL,
    reason INTEGER NOT NULL REFERENCES stall_reason (id),
    samples INTEGER NOT NULL,
    PRIMARY KEY (attempt, kernel, file, line, reason)
) STRICT, WITHOUT ROWID;
