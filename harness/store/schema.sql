-- SPDX-License-Identifier: MIT
-- The tables. trial_record gets one more column per row of frame/parameters.def, bounce_counts one per row of kernels/lib/counts.def,
-- launch one, `more`: later launches that were added to the row. schema.c adds them, where "columns:" stands.
-- Times of day are UTC text, durations seconds, sizes bytes. Hashes are lower-case hexadecimal text. NULL = not measured.

CREATE TABLE meta (                 -- id: of this database, for ever
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE experiment (           -- one experiment file, by its bytes
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    study TEXT NOT NULL,
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    hash TEXT NOT NULL,
    UNIQUE (hash, path)
) STRICT;

CREATE TABLE run (                  -- one invocation of `run`
    id INTEGER PRIMARY KEY,
    experiment INTEGER NOT NULL REFERENCES experiment (id),
    label TEXT NOT NULL,
    command_line TEXT NOT NULL,
    started TEXT NOT NULL,
    ended TEXT,                     -- NULL: running, or killed
    reason TEXT,                    -- complete, until, interrupted, ...
    order_seed INTEGER NOT NULL,
    breadth_first INTEGER NOT NULL CHECK (breadth_first IN (0, 1))
) STRICT;
CREATE INDEX run_experiment ON run (experiment);

CREATE TABLE environment (          -- what the run ran in: git commit, compiler, processor, libraries
    run INTEGER NOT NULL REFERENCES run (id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE long_text (            -- texts that many trials and attempts share, once each
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE trial_record (         -- one resolved point, replicate included; read it through the view `trial`
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,       -- of everything that made the result
    setting TEXT NOT NULL,          -- the key without the replicate
    spec TEXT NOT NULL,             -- of parameters, replicate and device model alone: equal in trials that outdate each other
    work TEXT NOT NULL,             -- of estimator, scene content, camera and WORK parameters: equal where images must be equal
    estimator TEXT NOT NULL,
    scene TEXT NOT NULL,
    camera TEXT NOT NULL,           -- '' = the scene's first
    variant TEXT NOT NULL,
    device TEXT NOT NULL,
    replicate INTEGER NOT NULL,
    scene_content TEXT NOT NULL,
    programs_text INTEGER NOT NULL REFERENCES long_text (id), -- `programs` in the view
    device_name TEXT NOT NULL,
    driver TEXT NOT NULL,
    policy_text INTEGER NOT NULL REFERENCES long_text (id), -- `policy`
    harness TEXT NOT NULL,
    last_run INTEGER NOT NULL REFERENCES run (id), -- the latest run that asked for it
    created TEXT NOT NULL,
    origin TEXT NOT NULL DEFAULT '' -- '' = measured into this file; else the id (in meta) of the database it was merged from
    -- columns: trial_record
) STRICT;
CREATE INDEX trial_setting ON trial_record (setting);
CREATE INDEX trial_spec ON trial_record (spec);
CREATE INDEX trial_work ON trial_record (work, variant, device_name);

CREATE TABLE run_trial (            -- which trials a run asked for, where in its order
    run INTEGER NOT NULL REFERENCES run (id),
    trial INTEGER NOT NULL REFERENCES trial_record (id),
    point INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    collections INTEGER NOT NULL,   -- bit 1 << collection: counts, frame, launches, counters, stalls, timeline
    PRIMARY KEY (run, trial)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_trial_trial ON run_trial (trial);

CREATE TABLE derived (              -- values of the experiment's `derive`
    run INTEGER NOT NULL REFERENCES run (id),
    point INTEGER NOT NULL,
    name TEXT NOT NULL,
    value ANY,
    PRIMARY KEY (run, point, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempt (              -- one try at one collection of a trial
    id INTEGER PRIMARY KEY,
    trial INTEGER NOT NULL REFERENCES trial_record (id),
    collection TEXT NOT NULL,
    run INTEGER NOT NULL REFERENCES run (id),
    number INTEGER NOT NULL,        -- from 1, per trial and collection
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'killed', 'timeout', 'skipped', 'abandoned')),
    reason TEXT,
    made_by TEXT DEFAULT '',        -- what besides its trial's key made it, words; NULL: what hindered it may pass, so it settles nothing
    superseded INTEGER NOT NULL DEFAULT 0 CHECK (superseded IN (0, 1)), -- 1: made due again by `redo`, or made anew by other things
    started TEXT NOT NULL,
    finished TEXT,
    stop_reason TEXT,               -- all below: of a done attempt, as its worker saw it
    prepare_seconds REAL,
    image TEXT,                     -- hash of the last repetition's film
    path_hash TEXT,                 -- 16 digits; counts only
    counts_digest TEXT,             -- of everything counted per bounce that no schedule may change; counts only
    warp_width INTEGER,
    multiprocessors INTEGER,
    device_name TEXT,
    driver TEXT,
    times INTEGER,                  -- 1: the device's clocks mean something
    provenance_text INTEGER REFERENCES long_text (id), -- `provenance` in the view `result`
    scene_content TEXT,
    passes INTEGER,                 -- how often the frame was repeated; counters only
    dropped INTEGER,                -- samples that were lost; stalls only
    gate_seconds REAL               -- waited for the device to cool down
) STRICT;
CREATE INDEX attempt_trial ON attempt (trial, collection);
CREATE INDEX attempt_run ON attempt (run);
CREATE INDEX attempt_running ON attempt (status) WHERE status = 'running';
CREATE UNIQUE INDEX attempt_done ON attempt (trial, collection) WHERE status = 'done' AND superseded = 0;
CREATE INDEX attempt_collection ON attempt (collection, trial) WHERE status = 'done' AND superseded = 0;

CREATE TABLE repetition (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    number INTEGER NOT NULL,
    host_seconds REAL,
    device_seconds REAL,
    gap_seconds REAL,
    launches_path INTEGER NOT NULL,
    launches_aux INTEGER NOT NULL,
    readbacks INTEGER NOT NULL,
    sm_mhz REAL,                    -- clock of the multiprocessors around it, from stamps on the device
    PRIMARY KEY (attempt, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE condition (            -- of the device, before and after the repetitions of an attempt
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    moment TEXT NOT NULL CHECK (moment IN ('before', 'after')),
    temperature REAL,               -- degrees Celsius
    power REAL,                     -- watts
    sm_mhz REAL,                    -- as the driver tells them
    memory_mhz REAL,
    throttle INTEGER NOT NULL,      -- bits: 1 idle, 2 clocks that somebody set, 4 power cap, 8 thermal, 16 power brake, 32 other
    foreign_processes INTEGER,      -- other programs on the device
    PRIMARY KEY (attempt, moment)
) STRICT, WITHOUT ROWID;

CREATE TABLE kernel (               -- names, once each
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE launch (               -- read times through the view `timed_launch`
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    repetition INTEGER NOT NULL,
    number INTEGER NOT NULL,        -- place in the frame, from 0
    iteration INTEGER NOT NULL,     -- of the host loop, from 0: the round of a pipeline
    bounce INTEGER NOT NULL,        -- -1: its paths are at different bounces
    auxiliary INTEGER NOT NULL,
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    grid INTEGER NOT NULL,          -- blocks
    block INTEGER NOT NULL,         -- lanes a block
    shared_bytes INTEGER NOT NULL,
    seconds REAL,
    stage TEXT NOT NULL DEFAULT '' -- of a pipeline
    -- columns: launch
    , PRIMARY KEY (attempt, repetition, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE launch_time (          -- launches of later repetitions that are those of repetition 0 but for their time
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    repetition INTEGER NOT NULL,
    number INTEGER NOT NULL,
    nanoseconds INTEGER,
    PRIMARY KEY (attempt, repetition, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE bounce_counts (        -- exact counts per bounce and launch
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    bounce INTEGER NOT NULL,        -- the first of its row: from 64 on a row holds a power of two of them. -1: the launch's totals
    launch INTEGER NOT NULL         -- of a pipeline's rounds from exact_rounds on: the first that shares the row
    -- columns: bounce_counts
    , PRIMARY KEY (attempt, bounce, launch)
) STRICT, WITHOUT ROWID;

CREATE TABLE lockstep (             -- what warps in lockstep would issue inside the traversal
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    bounce INTEGER NOT NULL,
    launch INTEGER NOT NULL,
    kind INTEGER NOT NULL,          -- 0 closest hit, 1 any hit
    inner_steps INTEGER NOT NULL,   -- warp steps
    inner_live INTEGER NOT NULL,    -- lanes at work in them
    triangle_steps INTEGER NOT NULL,
    triangle_live INTEGER NOT NULL,
    warps INTEGER NOT NULL,
    PRIMARY KEY (attempt, bounce, launch, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE kernel_facts (         -- what the compiler made of each kernel; NULL where it has no meaning
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    registers INTEGER,
    spill_bytes INTEGER,
    local_bytes INTEGER,
    static_shared_bytes INTEGER,
    block INTEGER,                  -- lanes a block, of its last launch
    shared_bytes INTEGER,           -- dynamic shared memory a block, of its last launch
    resident_warps INTEGER,         -- that the whole device holds of it
    auxiliary INTEGER,
    PRIMARY KEY (attempt, kernel)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric_name (          -- of measured metrics, once each: short names of `metric`, or the hardware's own
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE metric_value (         -- hardware counters
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    launch INTEGER NOT NULL,        -- place in the frame; -1: the whole frame
    metric INTEGER NOT NULL REFERENCES metric_name (id),
    value REAL,
    PRIMARY KEY (attempt, launch, metric)
) STRICT, WITHOUT ROWID;

CREATE TABLE site_count (           -- instructions that the hardware counted at marked places of the kernels
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    launch INTEGER NOT NULL,        -- -1: the whole frame
    site INTEGER NOT NULL,          -- 0 extension, 1 inner, 2 triangle, 3 all
    copies INTEGER NOT NULL,        -- of the place in the machine code
    instructions INTEGER NOT NULL,  -- executed by warps
    thread_instructions INTEGER NOT NULL, -- executed by lanes
    PRIMARY KEY (attempt, launch, site)
) STRICT, WITHOUT ROWID;

CREATE TABLE stall_reason (         -- names, once each
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE source_file (          -- names, once each; '' = no line information
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE stall (                -- samples of warps, per launch and reason
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    launch INTEGER NOT NULL,
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    reason INTEGER NOT NULL REFERENCES stall_reason (id),
    samples INTEGER NOT NULL,
    PRIMARY KEY (attempt, launch, kernel, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE stall_line (           -- the same samples per source line, over the whole frame
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    file INTEGER NOT NULL REFERENCES source_file (id),
    line INTEGER NOT NULL,          -- 0: no line information
    reason INTEGER NOT NULL REFERENCES stall_reason (id),
    samples INTEGER NOT NULL,
    PRIMARY KEY (attempt, kernel, file, line, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE film (                 -- a small picture of what an attempt rendered: that of most paths of a scene and its materials, by the first camera
    attempt INTEGER PRIMARY KEY REFERENCES attempt (id),
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    jpeg BLOB NOT NULL
) STRICT;

CREATE TABLE picture (              -- renders of scenes, for contact sheets
    scene TEXT NOT NULL,
    scene_content TEXT NOT NULL,
    camera TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    spp INTEGER NOT NULL,
    image TEXT NOT NULL,            -- hash of the film
    jpeg BLOB NOT NULL,
    PRIMARY KEY (scene, scene_content, camera, width, height, spp)
) STRICT;

-- Tables from here on may be lacking in files of earlier programs: they are added, or taken for empty.

CREATE TABLE timeline_sample (      -- sums over all multiprocessors from one moment to another; read them through the view `timeline`
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    number INTEGER NOT NULL,        -- from 0, in the order of time
    window INTEGER NOT NULL,        -- windows are sampled in repeats of the frame of their own, and joined
    start INTEGER NOT NULL,         -- nanoseconds from the frame's first launch
    nanoseconds INTEGER NOT NULL,
    cycles INTEGER NOT NULL,        -- that passed
    active_cycles INTEGER NOT NULL, -- with a warp on the multiprocessor
    instructions INTEGER NOT NULL,  -- executed by warps
    thread_instructions INTEGER NOT NULL, -- executed by lanes whose predicate held
    warp_cycles INTEGER NOT NULL,   -- resident warps, added up cycle by cycle
    least_warp_cycles INTEGER NOT NULL, -- the same of the multiprocessor with the fewest
    most_warp_cycles INTEGER NOT NULL, -- and the most
    dram_bytes INTEGER NOT NULL,    -- read
    PRIMARY KEY (attempt, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE timeline_launch (      -- when each launch ran
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    start INTEGER NOT NULL,         -- nanoseconds from the frame's first launch
    number INTEGER NOT NULL,        -- place in the frame, as in `launch`
    window INTEGER NOT NULL,
    nanoseconds INTEGER NOT NULL,
    PRIMARY KEY (attempt, start, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE entry_lanes (          -- steps inside the traversal by how many lanes of the warp begin it together; closest hits of a frame
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    lanes INTEGER NOT NULL,         -- at the entry
    warps INTEGER NOT NULL,         -- traversals of warps
    inner_steps INTEGER NOT NULL,   -- as in lockstep
    inner_live INTEGER NOT NULL,
    triangle_steps INTEGER NOT NULL,
    triangle_live INTEGER NOT NULL,
    PRIMARY KEY (attempt, lanes)
) STRICT, WITHOUT ROWID;

CREATE TABLE card (                 -- devices that are one of several, or have a UUID
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL,             -- '' where the device has none, as on the emulator
    node TEXT NOT NULL,             -- name of the host
    ordinal INTEGER NOT NULL,       -- there: the N of cuda:N
    UNIQUE (uuid, node, ordinal)
) STRICT;

CREATE TABLE attempt_card (         -- which one of them a done attempt was measured on
    attempt INTEGER PRIMARY KEY REFERENCES attempt (id),
    card INTEGER NOT NULL REFERENCES card (id)
) STRICT;

CREATE TABLE device_tree (          -- the tree that the device built by itself for a done attempt, and by what it traversed it
    attempt INTEGER PRIMARY KEY REFERENCES attempt (id),
    tracer TEXT NOT NULL,           -- with its version
    rt_cores INTEGER NOT NULL,      -- version of the GPU's units for it; 0: it has none
    reorders INTEGER NOT NULL CHECK (reorders IN (0, 1)), -- 1: the GPU can reorder lanes by what they hit
    bytes INTEGER NOT NULL,         -- of the tree
    build_bytes INTEGER NOT NULL,   -- in use while it was built
    build_seconds REAL NOT NULL
) STRICT;

INSERT INTO meta VALUES ('id', lower(hex(randomblob(16))));
