// SPDX-License-Identifier: MIT
// The lockstep model: what a warp that executes the traversal loops in lockstep would issue, computed from what each
// lane recorded. The while-while loops are modelled: all unfinished lanes step inner nodes until each holds a leaf,
// then test triangles one by one until each is done with its leaf; one such pair is a round. The lanes of a step read
// their nodes or triangles together, and so each line of memory once.
//
// The k-th traversal of a kind that each lane of a warp began since the last point at which all its lanes met is taken
// to be one traversal of the warp. It is charged to the bounce of its lowest lane, bounces past the last row to the
// last row.
#pragma once

#include "device/device.h"

enum {
    LOCKSTEP_KINDS = 2,
    LOCKSTEP_BOUNCES = 64,
    LOCKSTEP_MAX_LANES = DEVICE_ENTRY_LANES,
    LOCKSTEP_MAX_ROUNDS = 1 << 22
};

enum lockstep_step { LOCKSTEP_INNER, LOCKSTEP_TRIANGLE, LOCKSTEP_STEPS };

// What the steps of one kind read, in their order: bytes as sectors of 32, the first times 4, and how many follow it.
struct lockstep_places {
    uint32_t *items;
    uint32_t count, capacity;
    uint32_t in_rounds; // of those, in rounds that are closed
};

struct lockstep_round {
    uint32_t inner_steps, triangle_tests;
};

struct lockstep_traversal {
    uint32_t first, count;                // its rounds
    uint32_t first_place[LOCKSTEP_STEPS]; // of closest hits: the places of its first steps; the others follow
    uint32_t bounce;
};

struct lockstep_traversals {
    struct lockstep_traversal *items;
    uint32_t count, capacity;
};

// What the recorders of one warp share.
struct lockstep_warp {
    uint64_t open;    // lanes within a traversal
    uint64_t pending; // lanes that hold records
};

// One lane's records since the last replay. A zeroed one is empty; only its buffers outlive a replay.
struct emulator_recorder {
    struct lockstep_warp *warp;
    uint64_t bit; // of its lane in the warp
    struct lockstep_traversal *current;
    struct lockstep_traversals traversals[LOCKSTEP_KINDS];
    struct lockstep_round *rounds;
    uint32_t round_count, round_capacity;
    bool closest;                                  // what the current traversal looks for
    struct lockstep_places places[LOCKSTEP_STEPS]; // of closest hits
    struct lockstep_places answers;                // of their inner steps, STEP_...; empty in trees that ask nothing
};

void lockstep_recorder_attach(struct emulator_recorder *recorder, struct lockstep_warp *warp, uint32_t lane);
void lockstep_recorder_finish(struct emulator_recorder *recorder); // frees its buffers

struct lockstep_sums {
    struct device_lockstep rows[LOCKSTEP_KINDS][LOCKSTEP_BOUNCES];
    struct device_lockstep entered[DEVICE_ENTRY_LANES]; // closest hits, by the lanes that take part, 1 first
};

// Replays and clears the records of the `count` lanes of a warp, at most 64.
void lockstep_replay(struct emulator_recorder *const *lanes, uint32_t count, struct lockstep_sums *sums);

// Adds `sums` to `rows` (kinds * bounces, by kind) and `entered` (DEVICE_ENTRY_LANES) and zeroes them.
void lockstep_drain(struct lockstep_sums *sums, struct device_lockstep *rows, uint32_t kinds, uint32_t bounces,
                    struct device_lockstep *entered);
