// SPDX-License-Identifier: MIT
#include "device/emulator/scheduler.h"

#include <stdio.h>
#include <stdlib.h>

// NULL on a thread that runs no kernel: the handlers of signals rely on it.
_Thread_local struct emulator_lane *emulator_lane;

static inline struct lane *current_lane(void)
{
    return (struct lane *)(void *)emulator_lane;
}

struct block_runner *scheduler_runner(void)
{
    struct lane *lane = current_lane();
    return lane ? lane->warp->runner : NULL;
}

const struct block *scheduler_block(void)
{
    struct lane *lane = current_lane();
    return lane ? lane->warp->block : NULL;
}

static inline void note_progress(struct block_runner *runner)
{
    // One thread writes: no locked instruction is needed.
    const uint_fast64_t stamp = atomic_load_explicit(&runner->progress, memory_order_relaxed);
    atomic_store_explicit(&runner->progress, stamp + 1, memory_order_relaxed);
}

void scheduler_enter_library(void)
{
    scheduler_runner()->in_library = 1;
}

void scheduler_leave_library(void)
{
    scheduler_runner()->in_library = 0;
}

static inline uint64_t low_bits(uint32_t count)
{
    return count >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1;
}

static inline uint32_t lowest(uint64_t mask)
{
    return (uint32_t)__builtin_ctzll(mask);
}

// ---- faults

static _Noreturn void fault_of(const struct lane *culprit, const char *format, va_list arguments)
{
    struct lane *lane = current_lane();
    struct block_runner *runner = lane->warp->runner;
    runner->fault.raised = true;
    runner->fault.block = culprit->warp->block->index;
    runner->fault.lane = culprit->view.thread_index;
    vsnprintf(runner->fault.text, sizeof runner->fault.text, format, arguments);
    emulator_lane = NULL;
    fiber_switch(&lane->fiber, &runner->main);
    __builtin_unreachable(); // the fiber is made anew before it runs again
}

void scheduler_fault(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fault_of(current_lane(), format, arguments);
}

static _Noreturn __attribute__((format(printf, 2, 3))) void fault_at(const struct lane *culprit, const char *format,
                                                                     ...)
{
    va_list arguments;
    va_start(arguments, format);
    fault_of(culprit, format, arguments);
}

// All lanes that are left wait at a barrier: names the lowest of those that have returned.
static _Noreturn void fault_left(const struct block *block)
{
    const struct warp *warp = block->warps;
    const bool grid = block->grid_waiting > 0;
    while (warp->live == low_bits(warp->count))
        warp++;
    fault_at(&warp->lanes[lowest(~warp->live)], "left the kernel while %u lane%s at barrier %u%s", block->live,
             block->live == 1 ? " waits" : "s wait", (grid ? warp->runner->grid_phase : block->phase) + 1,
             grid ? " of the grid" : "");
}

// No lane of the warp can run, but some wait for a vote. Those that they wait for have not returned, which is noticed
// at once: they wait at another vote or at a barrier.
static _Noreturn void fault_deadlock(const struct warp *warp)
{
    const struct vote *last = &warp->votes[warp->vote_count - 1];
    if (warp->vote_count > 1)
        fault_at(&warp->lanes[lowest(last->arrived)],
                 "diverged: it votes with mask 0x%llx while other lanes wait at another vote",
                 (unsigned long long)last->mask);
    fault_at(&warp->lanes[lowest(last->mask & ~last->arrived)], "waits at a barrier while lane %u waits for its vote",
             warp->lanes[lowest(last->arrived)].view.thread_index);
}

// ---- who runs next

static inline struct lane *scheduler_take(struct warp *warp, uint64_t slots)
{
    const uint32_t slot = lowest(slots);
    warp->ready &= ~((uint64_t)1 << slot);
    return &warp->lanes[warp->lane_of_slot[slot]];
}

// The next runnable lane of a warp that has one, in turn after `slot`.
static inline struct lane *next_in_warp(struct warp *warp, uint32_t slot)
{
    const uint64_t later = warp->ready & ~(((uint64_t)2 << slot) - 1);
    return scheduler_take(warp, later ? later : warp->ready);
}

// The first runnable lane of the next warp in turn that has one; NULL where no warp has.
static struct lane *next_in_block(struct block *block)
{
    for (uint32_t i = 0; i < block->warp_count; i++) {
        block->turn = block->turn + 1 == block->warp_count ? 0 : block->turn + 1;
        struct warp *warp = &block->warps[block->warp_order[block->turn]];
        if (warp->ready)
            return scheduler_take(warp, warp->ready);
    }
    return NULL;
}

static inline void continue_with(struct lane *lane, struct lane *next)
{
    if (next == lane)
        return;
    emulator_lane = &next->view;
    fiber_switch(&lane->fiber, &next->fiber);
}

static void leave_turn(struct lane *lane)
{
    emulator_lane = NULL;
    fiber_switch(&lane->fiber, &lane->warp->runner->main);
}

// No lane of the block can run in this turn.
static void end_turn(struct lane *lane)
{
    const struct block *block = lane->warp->block;
    if (block->waiting > 0 && block->waiting + block->grid_waiting == block->live)
        scheduler_fault("%u lane%s at barrier %u of the block while %u wait%s at barrier %u of the grid",
                        block->waiting, block->waiting == 1 ? " waits" : "s wait", block->phase + 1,
                        block->grid_waiting, block->grid_waiting == 1 ? "s" : "", lane->warp->runner->grid_phase + 1);
    leave_turn(lane);
}

// Suspends a lane that waits or has returned. Where no other lane of its warp can run, they must not wait for one
// another.
static inline void stand_aside(struct lane *lane)
{
    struct warp *warp = lane->warp;
    if (warp->ready) {
        continue_with(lane, next_in_warp(warp, lane->slot));
    } else if (warp->awaited && !warp->yielded) {
        fault_deadlock(warp);
    } else {
        struct lane *next = next_in_block(warp->block);
        if (next)
            continue_with(lane, next);
        else
            end_turn(lane);
    }
}

void scheduler_start_phase(struct block *block)
{
    if (block->warps->runner->lane_order == DEVICE_LANES_SEEDED)
        scheduler_order_block(block);
    for (uint32_t i = 0; i < block->warp_count; i++)
        block->warps[i].ready = low_bits(block->warps[i].count);
    block->turn = block->warp_count - 1;
}

// ---- the lockstep model

static __attribute__((noinline)) void replay(struct warp *warp)
{
    struct emulator_recorder *recorders[WARP_MAX_LANES];
    for (uint32_t i = 0; i < warp->count; i++)
        recorders[i] = &warp->lanes[i].recorder;
    warp->runner->replay(recorders, warp->count, &warp->runner->sums);
    warp->records.pending = 0;
}

// All lanes of the warp that have not returned are at one place. One within a traversal votes on how to go on with it.
static inline void lanes_meet(struct warp *warp)
{
    if (warp->records.pending && !warp->records.open)
        replay(warp);
}

// ---- what kernels call

static void release_barrier(struct block *block)
{
    for (uint32_t i = 0; i < block->warp_count; i++)
        lanes_meet(&block->warps[i]);
    block->waiting = 0;
    block->grid_waiting = 0;
    block->phase++;
    scheduler_start_phase(block);
}

void emulator_block_sync(uint32_t site)
{
    struct lane *lane = current_lane();
    struct block *block = lane->warp->block;
    note_progress(lane->warp->runner);
    if (block->waiting == 0)
        block->site = site;
    else if (block->site != site)
        scheduler_fault("reached another barrier than the one where %u lane%s, barrier %u of the block", block->waiting,
                        block->waiting == 1 ? " waits" : "s wait", block->phase + 1);
    if (++block->waiting < block->live) {
        stand_aside(lane);
    } else if (block->live < lane->warp->runner->launch->block) {
        fault_left(block);
    } else {
        release_barrier(block);
        continue_with(lane, next_in_block(block));
    }
}

// All lanes of the grid go on once all have come, which is seen when no block can run.
void emulator_grid_sync(uint32_t site)
{
    struct lane *lane = current_lane();
    struct block *block = lane->warp->block;
    struct block_runner *runner = lane->warp->runner;
    note_progress(runner);
    if (!runner->launch->cooperative)
        scheduler_fault("waits for the whole grid in a launch that is not cooperative: its blocks run one by one");
    if (runner->grid_waiting == 0)
        runner->grid_site = site;
    else if (runner->grid_site != site)
        scheduler_fault("reached another barrier than the one where %llu lane%s, barrier %u of the grid",
                        (unsigned long long)runner->grid_waiting, runner->grid_waiting == 1 ? " waits" : "s wait",
                        runner->grid_phase + 1);
    runner->grid_waiting++;
    if (++block->grid_waiting == block->live && block->live < runner->launch->block)
        fault_left(block);
    stand_aside(lane);
}

// Where blocks run one by one there is nobody to let pass.
void emulator_grid_yield(void)
{
    struct lane *lane = current_lane();
    struct warp *warp = lane->warp;
    if (!warp->runner->launch->cooperative)
        return;
    note_progress(warp->runner);
    warp->yielded |= (uint64_t)1 << lane->slot;
    stand_aside(lane);
}

static __attribute__((noinline)) void check_mask(const struct warp *warp, uint64_t mask, uint64_t self)
{
    if (!(mask & self))
        scheduler_fault("votes with mask 0x%llx, which lacks its own lane", (unsigned long long)mask);
    if (mask & ~low_bits(warp->count))
        scheduler_fault("votes with mask 0x%llx, which names lanes that do not exist", (unsigned long long)mask);
    const uint64_t left = mask & ~warp->live;
    if (left)
        fault_at(&warp->lanes[lowest(left)], "left the kernel while other lanes wait for its vote");
}

static struct vote *open_vote(struct warp *warp, uint64_t mask, uint32_t site)
{
    struct vote *vote = &warp->votes[warp->vote_count++];
    *vote = (struct vote){.mask = mask, .site = site};
    warp->awaited |= mask;
    return vote;
}

// The pending vote that these lanes hold here, or a new one. Seldom more than two are pending, and mostly the latest is
// meant.
static inline struct vote *find_vote(struct warp *warp, uint64_t mask, uint32_t site)
{
    for (uint32_t i = warp->vote_count; i-- > 0;)
        if (warp->votes[i].mask == mask && warp->votes[i].site == site)
            return &warp->votes[i];
    return open_vote(warp, mask, site);
}

static uint32_t reduced(const struct warp *warp, const struct vote *vote)
{
    uint32_t result = 0;
    for (uint64_t rest = vote->mask; rest; rest &= rest - 1) {
        const uint32_t value = warp->lanes[lowest(rest)].value;
        result = vote->kind == VOTE_SUM ? result + value : value > result ? value : result;
    }
    return result;
}

static void close_vote(struct warp *warp, struct vote *vote)
{
    const uint64_t mask = vote->mask, result = vote->kind >= VOTE_SUM ? reduced(warp, vote) : vote->ayes;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        struct lane *voter = &warp->lanes[lowest(rest)];
        voter->vote_result = vote->kind == VOTE_SHUFFLE ? warp->lanes[voter->source].value : result;
        warp->ready |= (uint64_t)1 << voter->slot;
    }
    const struct vote *end = &warp->votes[--warp->vote_count];
    for (; vote < end; vote++)
        *vote = vote[1];
    warp->awaited = 0;
    for (uint32_t i = 0; i < warp->vote_count; i++)
        warp->awaited |= warp->votes[i].mask;
    if (mask == warp->live)
        lanes_meet(warp);
}

static inline void run_first_voter(struct lane *lane)
{
    struct block_runner *runner = lane->warp->runner;
    if (--runner->patience > 0) {
        continue_with(lane, next_in_warp(lane->warp, lane->slot));
        return;
    }
    runner->patience = SCHEDULER_PATIENCE;
    continue_with(lane, next_in_block(lane->warp->block));
}

// Gives the lane's vote, and returns when all have voted. Inlined, so that a ballot knows that it is one.
static inline __attribute__((always_inline)) uint64_t meet(struct lane *lane, uint64_t mask, bool predicate,
                                                           enum vote_kind kind, uint32_t site)
{
    struct warp *warp = lane->warp;
    const uint64_t self = (uint64_t)1 << lane->view.lane_index;
    note_progress(warp->runner);
    if (!(mask & self) || (mask & ~warp->live))
        check_mask(warp, mask, self);
    struct vote *vote = find_vote(warp, mask, site);
    vote->arrived |= self;
    vote->ayes |= predicate ? self : 0;
    vote->kind = kind;
    if (vote->arrived != mask) {
        stand_aside(lane);
    } else {
        close_vote(warp, vote);
        run_first_voter(lane);
    }
    return lane->vote_result;
}

uint64_t emulator_ballot(uint64_t mask, bool predicate, uint32_t site)
{
    return meet(current_lane(), mask, predicate, VOTE_BALLOT, site);
}

uint32_t emulator_shuffle(uint64_t mask, uint32_t value, uint32_t source, uint32_t site)
{
    struct lane *lane = current_lane();
    if (source >= WARP_MAX_LANES || !(mask >> source & 1))
        scheduler_fault("asks for the value of lane %u of its warp, which mask 0x%llx lacks", source,
                        (unsigned long long)mask);
    lane->value = value;
    lane->source = source;
    return (uint32_t)meet(lane, mask, false, VOTE_SHUFFLE, site);
}

uint32_t emulator_sum(uint64_t mask, uint32_t value, uint32_t site)
{
    struct lane *lane = current_lane();
    lane->value = value;
    return (uint32_t)meet(lane, mask, false, VOTE_SUM, site);
}

uint32_t emulator_max(uint64_t mask, uint32_t value, uint32_t site)
{
    struct lane *lane = current_lane();
    lane->value = value;
    return (uint32_t)meet(lane, mask, false, VOTE_MAX, site);
}

static void lane_leaves(struct lane *lane)
{
    struct warp *warp = lane->warp;
    struct block *block = warp->block;
    const uint64_t self = (uint64_t)1 << lane->view.lane_index;
    note_progress(warp->runner);
    if (warp->awaited & self)
        scheduler_fault("left the kernel while other lanes wait for its vote");
    warp->live &= ~self;
    warp->records.open &= ~self;
    if (warp->live == 0)
        lanes_meet(warp);
    block->live--;
    if (block->live == 0)
        leave_turn(lane);
    else if (block->waiting == block->live || block->grid_waiting == block->live)
        fault_left(block);
    else
        stand_aside(lane);
}

void scheduler_lane_main(struct fiber_transfer transfer)
{
    struct lane *lane = current_lane();
    fiber_arrive(&lane->fiber, transfer);
    for (;;) {
        const struct block_launch *launch = lane->warp->runner->launch;
        launch->run(launch->args);
        lane_leaves(lane); // returns when the next block starts
    }
}

// ---- turns

// Lanes that have all yielded are at one place: of a warp in a persistent loop, at its head.
static void wake(struct warp *warp)
{
    if (__builtin_popcountll(warp->yielded) == __builtin_popcountll(warp->live))
        lanes_meet(warp);
    warp->ready |= warp->yielded;
    warp->yielded = 0;
}

bool scheduler_turn(struct block_runner *runner, struct block *block)
{
    for (uint32_t i = 0; i < block->warp_count; i++)
        wake(&block->warps[i]);
    block->turn = block->warp_count - 1;
    struct lane *first = next_in_block(block);
    if (!first)
        return false;
    note_progress(runner);
    emulator_lane = &first->view;
    fiber_switch(&runner->main, &first->fiber);
    note_progress(runner);
    return true;
}

void scheduler_release_grid(struct block_runner *runner)
{
    runner->grid_waiting = 0;
    runner->grid_phase++;
    for (uint32_t i = 0; i < runner->resident; i++)
        release_barrier(&runner->blocks[i]);
}
