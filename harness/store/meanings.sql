-- SPDX-License-Identifier: MIT
-- What every value means: tables that are made with the views. See views.sql.

CREATE TEMP TABLE variant_trait (        -- how a variant spreads samples over launches, filled from the variants of this program
    variant TEXT PRIMARY KEY,
    all_samples INTEGER NOT NULL,        -- 1: all samples of a pixel are work of one launch or pool, not of a pass each
    persistent INTEGER NOT NULL          -- 1: the grid is what the device holds, whatever work there is
) STRICT, WITHOUT ROWID;

CREATE TEMP TABLE device_kind (          -- what devices are, filled from the devices of this program
    device TEXT PRIMARY KEY,             -- without an ordinal
    kind TEXT NOT NULL CHECK (kind IN ('gpu', 'processor', 'model', 'nothing'))
) STRICT, WITHOUT ROWID;

CREATE TEMP TABLE compute_capability (   -- limits that decide occupancy, filled from device/capability.def
    version INTEGER PRIMARY KEY,    -- 90 for 9.0
    example TEXT NOT NULL,
    max_warps INTEGER NOT NULL,     -- all of a multiprocessor
    max_blocks INTEGER NOT NULL,
    registers INTEGER NOT NULL,
    register_unit INTEGER NOT NULL, -- allocated per warp in such units
    register_warps INTEGER NOT NULL, -- warps that registers allow are a multiple of it
    shared_multiprocessor INTEGER NOT NULL, -- bytes
    shared_block INTEGER NOT NULL,
    shared_unit INTEGER NOT NULL,
    shared_reserved INTEGER NOT NULL -- of each block
) STRICT;

CREATE TEMP TABLE metric (               -- filled from here and device/metrics.def
    name TEXT NOT NULL,
    unit TEXT NOT NULL,
    direction TEXT NOT NULL CHECK (direction IN ('higher', 'lower', 'equal', 'neither')), -- which is better
    meaning TEXT NOT NULL,
    source TEXT NOT NULL,           -- where the definition comes from
    expression TEXT NOT NULL DEFAULT '', -- of hardware counters: the hardware's own name
    PRIMARY KEY (name, expression)
) STRICT;

CREATE TEMP TABLE step_weight (          -- weight of one lockstep step in simd_efficiency
    step TEXT PRIMARY KEY,
    weight REAL NOT NULL,
    source TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO step_weight VALUES
    ('inner', 1, 'one step over an inner node: two box tests'),
    ('triangle', 1, 'one triangle test');

INSERT INTO metric (name, unit, direction, meaning, source) VALUES
    ('active_paths', 'paths', 'equal', 'paths that enter the extension of a bounce', 'docs/metrics.md 1; Wald 2011, table 2'),
    ('active_warps', 'warps', 'lower', 'warps with at least one active lane', 'docs/metrics.md 2; Wald 2011, table 2'),
    ('cum_paths', 'paths', 'equal', 'running sum of active_paths over bounces', 'docs/metrics.md 2; Wald 2011, table 2'),
    ('cum_warps', 'warps', 'lower', 'running sum of active_warps over bounces', 'docs/metrics.md 2; Wald 2011, table 2'),
    ('paths_per_warp', 'paths/warp', 'higher', 'active_paths / active_warps', 'docs/metrics.md 2; Wald 2011, tables 2 and 3'),
    ('cum_paths_per_warp', 'paths/warp', 'higher', 'cum_paths / cum_warps: a ratio of sums', 'docs/metrics.md 2; Wald 2011, table 2'),
    ('saved', 'ratio', 'higher', 'cum_warps of the naive variant on the same work and map / cum_warps', 'docs/metrics.md 2; Wald 2011, table 2'),
    ('util', 'ratio', 'higher', 'active_paths / (warp_width * active_warps): lanes alive in active warps', 'docs/metrics.md 3; Wald 2011, section 4.2.1'),
    ('cum_util', 'ratio', 'higher', 'cum_paths / (warp_width * cum_warps)', 'docs/metrics.md 3; Wald 2011, section 4.2.1'),
    ('util_launch', 'ratio', 'higher',
     'active_paths / (warp_width * launched warps): empty warps count as zero; a launch of many bounces has as many warps as bounce 0 needs',
     'docs/metrics.md 3; Wald 2011, section 3.3'),
    ('inner_efficiency', 'ratio', 'higher', 'executing lanes / all lanes, in lockstep steps over inner nodes, closest hit', 'docs/metrics.md 3'),
    ('triangle_efficiency', 'ratio', 'higher', 'executing lanes / all lanes, in lockstep triangle tests, closest hit', 'docs/metrics.md 3'),
    ('simd_efficiency', 'ratio', 'higher', 'both kinds of steps together, weighted by table step_weight', 'docs/metrics.md 3'),
    ('survival', 'ratio', 'neither', 'active_paths of the next bounce / active_paths', 'docs/metrics.md 1'),
    ('alive', 'ratio', 'neither', 'active_paths / active_paths of bounce 0', 'docs/metrics.md 1'),
    ('shadow_rays', 'rays', 'equal', 'visibility rays to lights; never counted as paths', 'docs/metrics.md 1'),
    ('occluded', 'rays', 'equal', 'shadow rays that hit something', 'docs/metrics.md 1'),
    ('deaths_miss', 'paths', 'equal', 'paths that end because their ray leaves the scene', 'docs/metrics.md 1'),
    ('deaths_depth', 'paths', 'equal', 'paths that end at the bounce limit', 'docs/metrics.md 1'),
    ('deaths_absorb', 'paths', 'equal', 'paths that end because no valid direction or weight follows', 'docs/metrics.md 1'),
    ('deaths_roulette', 'paths', 'equal', 'paths that Russian roulette ends', 'docs/metrics.md 1; Wald 2011, section 3.2'),
    ('nodes', 'steps', 'lower', 'inner nodes visited by closest-hit rays', 'docs/metrics.md 7'),
    ('triangles', 'tests', 'lower', 'triangles tested by closest-hit rays', 'docs/metrics.md 7'),
    ('shadow_nodes', 'steps', 'lower', 'inner nodes visited by shadow rays', 'docs/metrics.md 7'),
    ('shadow_triangles', 'tests', 'lower', 'triangles tested by shadow rays', 'docs/metrics.md 7'),
    ('hits', 'hits', 'equal', 'closest hits on a material', 'docs/metrics.md 1'),
    ('seconds', 's', 'lower', 'frame: first enqueue to final synchronisation by the host''s clock; bounce: its path kernels', 'docs/metrics.md 4'),
    ('host_seconds', 's', 'lower', 'one frame, first enqueue to final synchronisation', 'docs/metrics.md 4'),
    ('device_seconds', 's', 'lower', 'one frame, first to last command on the device; only in collection launches', 'docs/metrics.md 4'),
    ('gap_seconds', 's', 'lower', 'device_seconds minus the sum of its launches', 'docs/metrics.md 4'),
    ('prepare_seconds', 's', 'lower', 'upload, build and buffers before the measured work', 'docs/metrics.md 4'),
    ('fps', 'frames/s', 'higher', 'paths per pixel and second: spp / seconds', 'docs/metrics.md 4; Wald 2011, table 1'),
    ('speedup', 'ratio', 'higher', 'seconds of the naive variant on the same work, device and map / seconds', 'docs/metrics.md 4; Wald 2011, table 1'),
    ('percent', '%', 'higher', '100 * (speedup - 1)', 'docs/metrics.md 4; Wald 2011, table 1'),
    ('spread', 'ratio', 'lower', 'range of the replicates'' medians / their median: smaller differences are meaningless', 'docs/metrics.md 8'),
    ('microseconds_per_warp', 'us/warp', 'neither', 'time of a bounce''s path kernels / active_warps; amortised over the device, no latency',
     'docs/metrics.md 4; Wald 2011, table 3'),
    ('nanoseconds_per_path', 'ns/path', 'lower', 'time of a bounce''s path kernels / active_paths', 'docs/metrics.md 4'),
    ('launches_path', 'launches', 'lower', 'kernels that process paths, per frame', 'docs/metrics.md 6'),
    ('launches_aux', 'launches', 'lower', 'kernels for compaction, clearing and sorting, per frame', 'docs/metrics.md 6'),
    ('readbacks', 'copies', 'lower', 'host copies that wait for the device, per frame', 'docs/metrics.md 6'),
    ('registers', 'registers', 'lower', 'registers of a lane that the compiler used', 'docs/metrics.md 5'),
    ('spill_bytes', 'bytes', 'lower', 'registers spilled to memory, per lane', 'docs/metrics.md 5'),
    ('local_bytes', 'bytes', 'lower', 'local memory per lane', 'docs/metrics.md 5'),
    ('static_shared_bytes', 'bytes', 'lower', 'shared memory per block that the kernel declares', 'docs/metrics.md 5'),
    ('mean', 's', 'lower', 'mean of the replicates'' medians', 'docs/metrics.md 8'),
    ('relative_ci', 'ratio', 'lower', 'half width of Student''s 95 % interval of the mean of the replicates'' medians / that mean', 'docs/metrics.md 8'),
    ('noise_floor', 'ratio', 'lower', 'largest replicate''s median / smallest - 1: what two runs of one setting differ by', 'docs/metrics.md 8'),
    ('deviation', 'ratio', 'neither', 'frame time on one of several devices / median over them - 1; of a device the median over settings', 'docs/metrics.md 8'),
    ('most_deviation', 'ratio', 'lower', 'largest deviation of a device in any setting, without its sign', 'docs/metrics.md 8'),
    ('card_noise', 'ratio', 'lower', 'largest replicate''s median / smallest - 1, of replicates on one device', 'docs/metrics.md 8'),
    ('deviates', 'flag', 'lower', '1: a device''s deviation exceeds card_noise', 'docs/metrics.md 8'),
    ('speedup_ci', 'ratio', 'lower', 'relative_ci of a speedup: of both settings, their squares added', 'docs/metrics.md 8'),
    ('clear', 'flag', 'higher', '1: the speedup, or its inverse, exceeds 1 by more than both noise floors', 'docs/metrics.md 8'),
    ('replicates', 'trials', 'higher', 'trials of a setting that differ in nothing but the replicate, each in a process of its own', 'docs/metrics.md 8'),
    ('repetitions', 'frames', 'higher', 'timed frames of all replicates', 'docs/metrics.md 8'),
    ('gate_seconds', 's', 'lower', 'waited for the device to cool down; the longest of the replicates', 'docs/metrics.md 8'),
    ('throttled', 'flag', 'lower', '1: the clock was lower than it could be, other than idle or set by somebody', 'docs/metrics.md 8'),
    ('hottest', 'degrees Celsius', 'lower', 'highest temperature before or after any replicate', 'docs/metrics.md 8'),
    ('sm_mhz', 'MHz', 'neither', 'clock of the multiprocessors, from stamps on the device: median as of seconds', 'docs/metrics.md 8'),
    ('resident_warps', 'warps', 'higher', 'warps of the path kernel that the whole device holds', 'docs/metrics.md 5'),
    ('multiprocessor_warps', 'warps', 'higher', 'resident_warps / multiprocessors', 'docs/metrics.md 5'),
    ('block_bytes', 'bytes', 'lower', 'shared memory of a block, static and dynamic', 'docs/metrics.md 5'),
    ('waves', 'ratio', 'neither', 'warps with work at the bounce / resident_warps: how many times over it fills the device', 'docs/metrics.md 5'),
    ('underfilled', 'flag', 'lower', '1: under 4 waves; of a frame: at bounce 0, or in more than half of the time; see there where no launch was timed',
     'docs/metrics.md 5'),
    ('uncounted', 'flag', 'lower', '1: each bounce has a launch of its own, and none was counted, or those from 64 on only together', 'docs/metrics.md 5'),
    ('underfilled_share', 'ratio', 'lower', 'time of bounces under 4 waves / time of all bounces', 'docs/metrics.md 5'),
    ('underfilled_bounces', 'bounces', 'lower', 'bounces under 4 waves, of schedules with a launch per bounce', 'docs/metrics.md 5'),
    ('filled_waves', 'ratio', 'higher', 'waves of the other bounces, added up', 'docs/metrics.md 5'),
    ('path_seconds', 's', 'lower', 'kernels of a frame that process paths, timed launch by launch', 'docs/metrics.md 6'),
    ('auxiliary_seconds', 's', 'lower', 'kernels of a frame that compact, clear or sort, timed launch by launch', 'docs/metrics.md 6'),
    ('auxiliary_share', 'ratio', 'lower', 'auxiliary_seconds / (path, auxiliary and gap seconds)', 'docs/metrics.md 6'),
    ('gap_share', 'ratio', 'lower', 'gap_seconds / (path, auxiliary and gap seconds)', 'docs/metrics.md 6'),
    ('compaction_share', 'ratio', 'lower', 'auxiliary and gap seconds / (path, auxiliary and gap seconds)', 'docs/metrics.md 6'),
    ('path_ci', 'ratio', 'lower', 'relative_ci of path_seconds', 'docs/metrics.md 6'),
    ('auxiliary_ci', 'ratio', 'lower', 'relative_ci of auxiliary_seconds', 'docs/metrics.md 6'),
    ('gap_ci', 'ratio', 'lower', 'relative_ci of gap_seconds', 'docs/metrics.md 6'),
    ('sass_warps', 'warps', 'equal', 'warps that executed the extension''s entry, by the hardware''s count', 'docs/metrics.md 9'),
    ('sass_paths', 'paths', 'equal', 'lanes that executed the extension''s entry, by the hardware''s count', 'docs/metrics.md 9'),
    ('ballot_warps', 'warps', 'equal', 'the same by the instrumented kernels'' votes', 'docs/metrics.md 9'),
    ('ballot_paths', 'paths', 'equal', 'the same by the instrumented kernels'' votes', 'docs/metrics.md 9'),
    ('hardware', 'ratio', 'higher', 'simd_efficiency of both kinds of rays from instructions at marked places', 'docs/metrics.md 9'),
    ('model', 'ratio', 'higher', 'the same from the lockstep model of the same paths in the same warps', 'docs/metrics.md 9'),
    ('error', 'points', 'neither', '100 x (model - hardware)', 'docs/metrics.md 9'),
    ('samples', 'samples', 'neither', 'samples of warps that the hardware took', 'docs/metrics.md 9'),
    ('waiting', 'samples', 'lower', 'samples of warps that did not issue', 'docs/metrics.md 9'),
    ('share', 'ratio', 'neither', 'samples / all samples of the bounce, or of the frame', 'docs/metrics.md 9'),
    ('live_lanes', 'lanes', 'neither', 'lanes with work in a stage of a pipeline, or in the trips of a persistent loop', 'docs/metrics.md 11'),
    ('live_warps', 'warps', 'lower', 'warps with at least one such lane', 'docs/metrics.md 11'),
    ('live_util', 'ratio', 'higher', 'live_lanes / (warp_width * live_warps)', 'docs/metrics.md 11'),
    ('mixed_warps', 'warps', 'neither', 'warps whose lanes are at more than one bounce', 'docs/metrics.md 11'),
    ('begun', 'paths', 'neither', 'paths that begin', 'docs/metrics.md 11'),
    ('queued', 'paths', 'neither', 'length of the queue when a launch begins', 'docs/metrics.md 11'),
    ('atomics', 'operations', 'lower', 'atomic operations on queues and their counters', 'docs/metrics.md 11'),
    ('moved_bytes', 'bytes', 'lower', 'path state that launches read and write', 'docs/metrics.md 11'),
    ('lookups', 'look-ups', 'equal', 'densities read by tracking through a volume', 'docs/metrics.md 11'),
    ('lanes', 'lanes', 'higher', 'lanes that execute an instruction of a warp, on average', 'docs/metrics.md 12'),
    ('lane_util', 'ratio', 'higher', 'lanes / warp_width', 'docs/metrics.md 12'),
    ('ipc', 'instructions/cycle', 'higher', 'instructions of warps in a cycle of a multiprocessor', 'docs/metrics.md 12'),
    ('mean_warps', 'warps', 'higher', 'warps resident on a multiprocessor, on average', 'docs/metrics.md 12'),
    ('least_warps', 'warps', 'higher', 'the same of the multiprocessor with the fewest', 'docs/metrics.md 12'),
    ('most_warps', 'warps', 'neither', 'the same of the multiprocessor with the most', 'docs/metrics.md 12'),
    ('active_multiprocessors', 'multiprocessors', 'higher', 'multiprocessors with a warp, on average', 'docs/metrics.md 12'),
    ('idle_multiprocessors', 'ratio', 'lower', 'multiprocessors without a warp, of all, on average', 'docs/metrics.md 12'),
    ('dram_bytes', 'bytes', 'lower', 'read from memory', 'docs/metrics.md 12'),
    ('dram_bytes_per_second', 'bytes/s', 'neither', 'the same in a second of a launch', 'docs/metrics.md 12'),
    ('plain_seconds', 's', 'lower', 'a frame without samples, first enqueue to final synchronisation; the median', 'docs/metrics.md 12'),
    ('sampled_seconds', 's', 'lower', 'the same with samples, window by window', 'docs/metrics.md 12'),
    ('slowdown', 'ratio', 'lower', 'time on the device with samples / without - 1', 'docs/metrics.md 12');
