// SPDX-License-Identifier: MIT
// Runs blocks of lanes on the calling thread. Each lane is a fiber, and jumps to the next runnable lane by itself where
// it has to wait. The lanes of a warp take turns until all of them wait at a barrier or have returned; then the next
// warp runs.
//
// Blocks run one after the other, each to its end. Those of a cooperative launch are all resident at once and take
// turns: a block's turn ends when each of its lanes waits at a barrier, has returned, or has called grid_yield(), which
// lets a lane go on in the block's next turn.
#pragma once

#include <signal.h>
#include <stdatomic.h>

#include "device/device.h"
#include "device/emulator/fiber.h"
#include "device/emulator/lockstep.h"
#include "device/emulator/running_lane.h"
#include "device/emulator/shared_memory.h"
#include "lib/platform_c.h"

enum {
    BLOCK_MAX_LANES = 1024,
    WARP_MAX_LANES = 64,
    // A warp that waits for another one of its block by voting in a loop would keep it from running: after so many
    // votes it must stand back.
    SCHEDULER_PATIENCE = 1 << 16
};

// What all blocks of a launch have in common. Must outlive the launch.
struct block_launch {
    const char *kernel;
    void (*run)(const void *args);
    const void *args;
    uint32_t grid, block;
    size_t shared_bytes;
    bool record;      // fill the lockstep model
    bool cooperative; // all blocks are resident at once
};

// What its lanes get: who passed; each other's values; the sum or the largest of all.
enum vote_kind { VOTE_BALLOT, VOTE_SHUFFLE, VOTE_SUM, VOTE_MAX };

// A vote, or an exchange of values, that some lanes of a warp have reached. Votes may nest: lanes that wait for the whole warp
// do not keep the others from voting among themselves first.
struct vote {
    uint64_t mask, arrived, ayes;
    uint32_t site;
    enum vote_kind kind;
};

struct lane {
    struct emulator_lane view; // first: the lane that runs is found from emulator_lane
    struct fiber fiber;
    struct warp *warp;
    uint64_t vote_result;
    uint32_t value, source; // what it brings to an exchange, and the lane whose value it wants in a shuffle
    uint32_t slot;          // its place in the order in which the lanes of its warp run
    struct emulator_recorder recorder;
};

struct warp {
    struct block_runner *runner;
    struct block *block;
    struct lane *lanes;
    uint32_t count;
    uint64_t ready;   // slots of the lanes that can run, but do not
    uint64_t yielded; // slots of those that can run in the block's next turn
    uint64_t live;    // lanes that have not returned
    uint64_t awaited; // lanes named by votes that are not complete
    uint32_t vote_count;
    struct vote votes[WARP_MAX_LANES]; // that are not complete, oldest first: every waiting lane is in one of them
    struct lockstep_warp records;
    uint8_t lane_of_slot[WARP_MAX_LANES];
};

struct block {
    struct fiber_stacks stacks; // one for each lane, and a last one for the handler of signals
    struct lane *lanes;
    struct warp *warps;
    uint32_t *warp_order;
    struct shared_memory shared;
    uint32_t index, warp_count;
    uint32_t live, waiting, site; // lanes that have not returned; those at the barrier `site`
    uint32_t grid_waiting;        // lanes that wait at a barrier of the grid
    uint32_t phase;               // barriers passed
    uint32_t turn;                // the warp that runs, as an index of warp_order
};

struct block_fault {
    bool raised;
    uint32_t block, lane;
    char text[256]; // what the lane did, to follow "block B, lane L: "
};

// Everything that one thread needs to run a block, or all blocks of a cooperative launch. Its memory outlives a launch.
struct block_runner {
    uint32_t warp_width;
    enum choice_lane_order lane_order;
    uint64_t lane_seed;

    struct fiber main;
    struct block *blocks;
    uint32_t *block_order;
    uint32_t block_capacity, lane_capacity; // blocks; lanes of each

    const struct block_launch *launch;
    uint32_t resident;              // blocks at once
    uint64_t grid_waiting;          // lanes at the barrier `grid_site` of the grid
    uint32_t grid_site, grid_phase; // barriers of the grid passed
    uint32_t patience;              // votes until another warp gets its turn
    struct block_fault fault;
    // What the lanes of a warp have recorded is added up where they all meet; lockstep_replay(), which calls this file.
    void (*replay)(struct emulator_recorder *const *lanes, uint32_t count, struct lockstep_sums *sums);
    struct lockstep_sums sums;

    // Read by other threads and by handlers of signals.
    atomic_uint_fast64_t progress; // changes whenever a lane reaches a barrier or a vote, or returns
    atomic_uint_fast64_t stalled;  // the value of `progress` at which the watchdog lost patience
    volatile sig_atomic_t in_library;
    volatile sig_atomic_t signal; // what interrupted the lane
    void *volatile signal_address;
    volatile sig_atomic_t signal_has_address;
};

// ---- blocks.c

void block_runner_init(struct block_runner *runner, const struct device_settings *settings, uint32_t warp_width);
void block_runner_finish(struct block_runner *runner); // a zeroed one is fine

// Before a launch: makes room for so many resident blocks of so many lanes, and forgets the last fault.
bool block_runner_reserve(struct block_runner *runner, uint32_t resident, uint32_t lanes, struct error *error);

// Before the first block of a launch on this runner; `launch` is kept until the next call.
void block_runner_prepare(struct block_runner *runner, const struct block_launch *launch);

// Runs block `index`. False where a lane did what no kernel may do: see runner->fault. The runner stays usable.
bool block_run(struct block_runner *runner, uint32_t index);

// The same for all blocks of a cooperative launch, in turns whose order depends on the lane order alone.
bool block_run_cooperative(struct block_runner *runner);

// ---- lane_order.c

// The order of `count` things, as the settings want it. `random` is the state of a generator.
void scheduler_order(enum choice_lane_order order, uint32_t *list, uint32_t count, uint64_t *random);

// Puts the lanes of a block in the order of the settings; those of seeded orders change with every phase.
void scheduler_order_block(struct block *block);

// ---- scheduler.c

// All lanes of a block are about to start, or go on after a barrier.
void scheduler_start_phase(struct block *block);

// Gives a block a turn, which ends as said above. False, and nothing is done, where all of its lanes wait.
bool scheduler_turn(struct block_runner *runner, struct block *block);

// Lets the lanes of all resident blocks go on, where all wait at a barrier of the grid.
void scheduler_release_grid(struct block_runner *runner);

// The entry of every lane's fiber.
void scheduler_lane_main(struct fiber_transfer transfer);

// What runs on this thread, NULL where no lane does.
struct block_runner *scheduler_runner(void);
const struct block *scheduler_block(void);
