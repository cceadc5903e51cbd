-- SPDX-License-Identifier: MIT
-- A database of schema version 1, as that version made it: its tables, two of its views, and one trial with results.
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE experiment (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    study TEXT NOT NULL,
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    hash TEXT NOT NULL,
    UNIQUE (hash, path)
) STRICT;
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    experiment INTEGER NOT NULL REFERENCES experiment (id),
    label TEXT NOT NULL,
    command_line TEXT NOT NULL,
    started TEXT NOT NULL,
    ended TEXT,
    reason TEXT,
    order_seed INTEGER NOT NULL,
    breadth_first INTEGER NOT NULL CHECK (breadth_first IN (0, 1))
) STRICT;
CREATE INDEX run_experiment ON run (experiment);
CREATE TABLE environment (
    run INTEGER NOT NULL REFERENCES run (id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE trial_record (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    setting TEXT NOT NULL,
    spec TEXT NOT NULL,
    work TEXT NOT NULL,
    estimator TEXT NOT NULL,
    scene TEXT NOT NULL,
    camera TEXT NOT NULL,
    variant TEXT NOT NULL,
    device TEXT NOT NULL,
    replicate INTEGER NOT NULL,
    scene_content TEXT NOT NULL,
    programs TEXT NOT NULL,
    device_name TEXT NOT NULL,
    driver TEXT NOT NULL,
    policy TEXT NOT NULL,
    harness TEXT NOT NULL,
    last_run INTEGER NOT NULL REFERENCES run (id),
    created TEXT NOT NULL
) STRICT;
CREATE INDEX trial_setting ON trial_record (setting);
CREATE INDEX trial_spec ON trial_record (spec);
CREATE INDEX trial_work ON trial_record (work, variant);
CREATE TABLE run_trial (
    run INTEGER NOT NULL REFERENCES run (id),
    trial INTEGER NOT NULL REFERENCES trial_record (id),
    point INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    collections INTEGER NOT NULL,
    PRIMARY KEY (run, trial)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_trial_trial ON run_trial (trial);
CREATE TABLE derived (
    run INTEGER NOT NULL REFERENCES run (id),
    point INTEGER NOT NULL,
    name TEXT NOT NULL,
    value ANY,
    PRIMARY KEY (run, point, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE attempt (
    id INTEGER PRIMARY KEY,
    trial INTEGER NOT NULL REFERENCES trial_record (id),
    collection TEXT NOT NULL CHECK (collection IN ('counts', 'frame', 'launches', 'counters', 'stalls')),
    run INTEGER NOT NULL REFERENCES run (id),
    number INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'killed', 'timeout', 'skipped', 'abandoned')),
    reason TEXT,
    superseded INTEGER NOT NULL DEFAULT 0 CHECK (superseded IN (0, 1)),
    started TEXT NOT NULL,
    finished TEXT,
    stop_reason TEXT,
    prepare_seconds REAL,
    image TEXT,
    path_hash TEXT,
    counts_digest TEXT,
    warp_width INTEGER,
    multiprocessors INTEGER,
    device_name TEXT,
    driver TEXT,
    times INTEGER,
    provenance TEXT,
    scene_content TEXT
) STRICT;
CREATE INDEX attempt_trial ON attempt (trial, collection);
CREATE INDEX attempt_run ON attempt (run);
CREATE INDEX attempt_running ON attempt (status) WHERE status = 'running';
CREATE UNIQUE INDEX attempt_done ON attempt (trial, collection) WHERE status = 'done' AND superseded = 0;
CREATE TABLE repetition (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    number INTEGER NOT NULL,
    host_seconds REAL,
    device_seconds REAL,
    gap_seconds REAL,
    launches_path INTEGER NOT NULL,
    launches_aux INTEGER NOT NULL,
    readbacks INTEGER NOT NULL,
    PRIMARY KEY (attempt, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE kernel (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE launch (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    repetition INTEGER NOT NULL,
    number INTEGER NOT NULL,
    iteration INTEGER NOT NULL,
    bounce INTEGER NOT NULL,
    auxiliary INTEGER NOT NULL,
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    grid INTEGER NOT NULL,
    block INTEGER NOT NULL,
    shared_bytes INTEGER NOT NULL,
    seconds REAL,
    PRIMARY KEY (attempt, repetition, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE bounce_counts (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    bounce INTEGER NOT NULL,
    launch INTEGER NOT NULL,
    active_paths INTEGER NOT NULL,
    active_warps INTEGER NOT NULL,
    deaths_miss INTEGER NOT NULL,
    deaths_depth INTEGER NOT NULL,
    deaths_absorb INTEGER NOT NULL,
    deaths_roulette INTEGER NOT NULL,
    shadow_rays INTEGER NOT NULL,
    occluded INTEGER NOT NULL,
    nodes INTEGER NOT NULL,
    triangles INTEGER NOT NULL,
    shadow_nodes INTEGER NOT NULL,
    shadow_triangles INTEGER NOT NULL,
    path_hash INTEGER NOT NULL,
    hits_0 INTEGER NOT NULL, hits_1 INTEGER NOT NULL, hits_2 INTEGER NOT NULL, hits_3 INTEGER NOT NULL,
    hits_4 INTEGER NOT NULL, hits_5 INTEGER NOT NULL, hits_6 INTEGER NOT NULL, hits_7 INTEGER NOT NULL,
    hits_8 INTEGER NOT NULL, hits_9 INTEGER NOT NULL, hits_10 INTEGER NOT NULL, hits_11 INTEGER NOT NULL,
    hits_12 INTEGER NOT NULL, hits_13 INTEGER NOT NULL, hits_14 INTEGER NOT NULL,
    hits_15 INTEGER NOT NULL,
    PRIMARY KEY (attempt, bounce, launch)
) STRICT, WITHOUT ROWID;
CREATE TABLE lockstep (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    bounce INTEGER NOT NULL,
    launch INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    inner_steps INTEGER NOT NULL,
    inner_live INTEGER NOT NULL,
    triangle_steps INTEGER NOT NULL,
    triangle_live INTEGER NOT NULL,
    warps INTEGER NOT NULL,
    PRIMARY KEY (attempt, bounce, launch, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE kernel_facts (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    registers INTEGER,
    spill_bytes INTEGER,
    local_bytes INTEGER,
    static_shared_bytes INTEGER,
    PRIMARY KEY (attempt, kernel)
) STRICT, WITHOUT ROWID;
CREATE TABLE metric (
    name TEXT PRIMARY KEY,
    unit TEXT NOT NULL,
    direction TEXT NOT NULL CHECK (direction IN ('higher', 'lower', 'equal', 'neither')),
    meaning TEXT NOT NULL,
    source TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE step_weight (
    step TEXT PRIMARY KEY,
    weight REAL NOT NULL,
    source TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE VIEW replicate_time AS
SELECT a.trial, a.id AS attempt, t.setting, t.replicate, a.times, a.stop_reason, q.repetitions, q.median_seconds,
       q.least_seconds, q.most_seconds
FROM (SELECT attempt, n AS repetitions, avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN host_seconds END) AS median_seconds,
             min(host_seconds) AS least_seconds, max(host_seconds) AS most_seconds
      FROM (SELECT attempt, host_seconds, row_number() OVER (PARTITION BY attempt ORDER BY host_seconds) AS place,
                   count(*) OVER (PARTITION BY attempt) AS n
            FROM repetition WHERE host_seconds IS NOT NULL)
      GROUP BY attempt) AS q
JOIN attempt AS a ON a.id = q.attempt
JOIN trial_record AS t ON t.id = a.trial
WHERE a.collection = 'frame' AND a.status = 'done' AND a.superseded = 0;
CREATE VIEW kernels AS
SELECT a.trial, a.collection, k.name AS kernel, f.registers, f.spill_bytes, f.local_bytes, f.static_shared_bytes
FROM kernel_facts AS f
JOIN kernel AS k ON k.id = f.kernel
JOIN attempt AS a ON a.id = f.attempt
WHERE a.status = 'done' AND a.superseded = 0;
ALTER TABLE trial_record ADD COLUMN width INTEGER DEFAULT 640;
ALTER TABLE trial_record ADD COLUMN max_bounces INTEGER DEFAULT 8;
ALTER TABLE trial_record ADD COLUMN block INTEGER DEFAULT 64;
INSERT INTO meta VALUES ('views', 'of version 1');
INSERT INTO experiment VALUES (1, 'old', 's', 'old.yaml', 'fixed: {}', 'h');
INSERT INTO run VALUES (1, 1, 'first', 'warpstudy run', '2026-01-01T00:00:00.000Z', NULL, 'complete', 0, 1);
INSERT INTO trial_record VALUES (1, 'key', 'setting', 'spec', 'work', 'unidirectional', 'open', '', 'naive', 'emulator', 0,
    'scene', 'programs', 'device', 'driver', 'warmups=2 min_repetitions=10 max_repetitions=1000 relative_ci=0.01 max_seconds=10',
    'harness', 1, '2026-01-01T00:00:00.000Z', 320, 3, 128);
INSERT INTO run_trial VALUES (1, 1, 1, 1, 7);
INSERT INTO attempt VALUES (1, 1, 'counts', 1, 1, 'done', NULL, 0, '2026', '2026', 'fixed', 0.5, 'i', 'p', 'd', 32, 2, 'device',
    'driver', 1, 'source', 'scene');
INSERT INTO attempt VALUES (2, 1, 'frame', 1, 1, 'done', NULL, 0, '2026', '2026', 'fixed', 0.5, 'i', NULL, NULL, 32, 2, 'device',
    'driver', 1, 'source', 'scene');
INSERT INTO attempt VALUES (3, 1, 'launches', 1, 1, 'done', NULL, 0, '2026', '2026', 'fixed', 0.5, 'i', NULL, NULL, 32, 2,
    'device', 'driver', 1, 'source', 'scene');
INSERT INTO repetition VALUES (2, 0, 2.0, 1.5, 0.25, 1, 0, 0), (2, 1, 4.0, 3.5, 0.25, 1, 0, 0);
INSERT INTO kernel VALUES (1, 'naive');
INSERT INTO launch VALUES (1, 0, 0, 0, -1, 0, 1, 4, 64, 0, NULL);
INSERT INTO launch VALUES (3, 0, 0, 0, 0, 0, 1, 4, 64, 0, 0.5), (3, 1, 0, 0, 0, 0, 1, 4, 64, 0, 0.75);
INSERT INTO bounce_counts VALUES (1, 0, 0, 256, 8, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO kernel_facts VALUES (2, 1, 46, 0, 16, 1024);
PRAGMA application_id = 0x57535459;
PRAGMA user_version = 1;
