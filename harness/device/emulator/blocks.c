// SPDX-License-Identifier: MIT
// The memory of blocks, and their way from launch to end.
#include "device/emulator/scheduler.h"

#include <stdlib.h>

#include "base/memory.h"

void block_runner_init(struct block_runner *runner, const struct device_settings *settings, uint32_t warp_width)
{
    *runner = (struct block_runner){
        .warp_width = warp_width,
        .lane_order = settings->lane_order,
        .lane_seed = settings->lane_seed,
        .patience = SCHEDULER_PATIENCE,
        .replay = lockstep_replay,
    };
}

// ---- memory

static void release_block(struct block *block, uint32_t lanes)
{
    for (uint32_t i = 0; block->lanes && i < lanes; i++)
        lockstep_recorder_finish(&block->lanes[i].recorder);
    fiber_stacks_destroy(&block->stacks);
    shared_memory_destroy(&block->shared);
    free(block->lanes);
    free(block->warps);
    free(block->warp_order);
}

void block_runner_finish(struct block_runner *runner)
{
    for (uint32_t i = 0; i < runner->block_capacity; i++)
        release_block(&runner->blocks[i], runner->lane_capacity);
    free(runner->blocks);
    free(runner->block_order);
    runner->blocks = NULL;
    runner->block_order = NULL;
    runner->block_capacity = runner->lane_capacity = 0;
}

// Stacks whose tops all have the same place in a page would fight for the same sets of the first cache.
static size_t stack_colour(uint32_t lane)
{
    return (size_t)(lane % 32) * 192;
}

// The fibers at their beginning, whatever they did before.
static void reset_lanes(struct block *block, uint32_t lanes)
{
    for (uint32_t i = 0; i < lanes; i++)
        fiber_init(&block->lanes[i].fiber, fiber_stack(&block->stacks, i), stack_colour(i), scheduler_lane_main);
}

static bool create_block(struct block *block, uint32_t lanes, uint32_t warp_width, struct error *error)
{
    const uint32_t warps = (lanes + warp_width - 1) / warp_width;
    if (!fiber_stacks_create(&block->stacks, lanes + 1, error) || !shared_memory_create(&block->shared, error))
        return false;
    block->lanes = memory_new(lanes, sizeof *block->lanes);
    block->warps = memory_new(warps, sizeof *block->warps);
    block->warp_order = memory_new(warps, sizeof *block->warp_order);
    reset_lanes(block, lanes);
    return true;
}

bool block_runner_reserve(struct block_runner *runner, uint32_t resident, uint32_t lanes, struct error *error)
{
    runner->fault.raised = false;
    if (resident <= runner->block_capacity && lanes <= runner->lane_capacity)
        return true;
    block_runner_finish(runner);
    runner->blocks = memory_new(resident, sizeof *runner->blocks);
    runner->block_order = memory_new(resident, sizeof *runner->block_order);
    runner->block_capacity = resident;
    runner->lane_capacity = lanes;
    bool done = true;
    for (uint32_t i = 0; i < resident && done; i++)
        done = create_block(&runner->blocks[i], lanes, runner->warp_width, error);
    if (!done)
        block_runner_finish(runner);
    return done;
}

// ---- a launch

static void prepare_lane(struct block_runner *runner, struct block *block, struct warp *warp, uint32_t index)
{
    const struct block_launch *launch = runner->launch;
    struct lane *lane = &block->lanes[index];
    const uint32_t in_warp = index % runner->warp_width;
    lane->warp = warp;
    lockstep_recorder_attach(&lane->recorder, &warp->records, in_warp);
    lane->view = (struct emulator_lane){
        .thread_index = index,
        .block_size = launch->block,
        .grid_size = launch->grid,
        .warp_width = runner->warp_width,
        .lane_index = in_warp,
        .warp_mask = warp->count >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << warp->count) - 1,
        .shared = block->shared.base,
        .recorder = launch->record ? &lane->recorder : NULL,
    };
}

static void prepare_warp(struct block_runner *runner, struct block *block, uint32_t index)
{
    const uint32_t first = index * runner->warp_width, rest = runner->launch->block - first;
    struct warp *warp = &block->warps[index];
    *warp = (struct warp){
        .runner = runner,
        .block = block,
        .lanes = block->lanes + first,
        .count = rest < runner->warp_width ? rest : runner->warp_width,
    };
    for (uint32_t i = 0; i < warp->count; i++)
        prepare_lane(runner, block, warp, first + i);
}

static void prepare_block(struct block_runner *runner, struct block *block)
{
    shared_memory_resize(&block->shared, runner->launch->shared_bytes);
    block->warp_count = (runner->launch->block + runner->warp_width - 1) / runner->warp_width;
    for (uint32_t i = 0; i < block->warp_count; i++)
        prepare_warp(runner, block, i);
    scheduler_order_block(block);
}

void block_runner_prepare(struct block_runner *runner, const struct block_launch *launch)
{
    uint64_t random = runner->lane_seed;
    runner->launch = launch;
    runner->resident = launch->cooperative ? launch->grid : 1;
    scheduler_order(runner->lane_order, runner->block_order, runner->resident, &random);
    for (uint32_t i = 0; i < runner->resident; i++)
        prepare_block(runner, &runner->blocks[i]);
}

static void blocks_begin(const struct block_runner *runner, struct block *block, uint32_t index)
{
    block->index = index;
    block->live = runner->launch->block;
    block->waiting = block->grid_waiting = 0;
    block->phase = 0;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[i];
        warp->live = warp->lanes->view.warp_mask;
        warp->awaited = warp->yielded = 0;
        warp->vote_count = 0;
        for (uint32_t lane = 0; lane < warp->count; lane++)
            warp->lanes[lane].view.block_index = index;
    }
    shared_memory_scribble(&block->shared);
    scheduler_start_phase(block);
}

// After a fault: lanes were abandoned in the middle of whatever they did.
static void recover(struct block_runner *runner)
{
    runner->in_library = 0;
    for (uint32_t i = 0; i < runner->resident; i++) {
        reset_lanes(&runner->blocks[i], runner->lane_capacity);
        prepare_block(runner, &runner->blocks[i]);
    }
}

bool block_run(struct block_runner *runner, uint32_t index)
{
    blocks_begin(runner, runner->blocks, index);
    scheduler_turn(runner, runner->blocks);
    if (runner->fault.raised)
        recover(runner);
    return !runner->fault.raised;
}

// ---- cooperative launches

// No block can run: those that have ended are waited for.
static void fault_ended(struct block_runner *runner)
{
    struct block_fault *fault = &runner->fault;
    const struct block *block = runner->blocks;
    while (block->live > 0)
        block++;
    *fault = (struct block_fault){.raised = true, .block = block->index};
    snprintf(fault->text, sizeof fault->text, "left the kernel while %llu lane%s at barrier %u of the grid",
             (unsigned long long)runner->grid_waiting, runner->grid_waiting == 1 ? " waits" : "s wait",
             runner->grid_phase + 1);
}

// One turn for each block that can run. False where none could.
static bool run_round(struct block_runner *runner)
{
    bool ran = false;
    for (uint32_t i = 0; i < runner->resident && !runner->fault.raised; i++)
        ran |= scheduler_turn(runner, &runner->blocks[runner->block_order[i]]);
    return ran;
}

static bool any_lives(const struct block_runner *runner)
{
    for (uint32_t i = 0; i < runner->resident; i++)
        if (runner->blocks[i].live > 0)
            return true;
    return false;
}

bool block_run_cooperative(struct block_runner *runner)
{
    const uint64_t lanes = (uint64_t)runner->launch->grid * runner->launch->block;
    runner->grid_waiting = 0;
    runner->grid_phase = 0;
    for (uint32_t i = 0; i < runner->resident; i++)
        blocks_begin(runner, &runner->blocks[i], i);
    while (!runner->fault.raised && any_lives(runner)) {
        const bool ran = run_round(runner);
        if (runner->grid_waiting == lanes)
            scheduler_release_grid(runner);
        else if (!ran)
            fault_ended(runner);
    }
    if (runner->fault.raised)
        recover(runner);
    return !runner->fault.raised;
}
