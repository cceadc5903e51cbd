// SPDX-License-Identifier: MIT
#include "device/emulator/scheduler.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A warp that waits for another one by voting in a loop would keep it from running: after so many votes it must stand
// back.
enum { PATIENCE = 1 << 16 };

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
    runner->fault.block = runner->block_index;
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
static _Noreturn void fault_left(const struct block_runner *runner)
{
    const struct warp *warp = runner->warps;
    while (warp->live == low_bits(warp->count))
        warp++;
    const uint32_t lane = lowest(~warp->live);
    fault_at(&warp->lanes[lane], "left the kernel while %u lane%s at barrier %u", runner->waiting,
             runner->waiting == 1 ? " waits" : "s wait", runner->phase + 1);
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

// ---- the order in which lanes run

static uint64_t mix(uint64_t *state)
{
    uint64_t x = *state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

// The place with which entry i of a list is exchanged, so that all orders of the list are about equally likely.
static uint32_t shuffle_partner(uint64_t *state, uint32_t i)
{
    return (uint32_t)(mix(state) % (i + 1));
}

static void order_lanes(struct warp *warp, enum device_lane_order order, uint64_t *random)
{
    for (uint32_t i = 0; i < warp->count; i++)
        warp->lane_of_slot[i] = (uint8_t)(order == DEVICE_LANES_REVERSED ? warp->count - 1 - i : i);
    for (uint32_t i = warp->count; order == DEVICE_LANES_SEEDED && i-- > 1;) {
        const uint32_t j = shuffle_partner(random, i);
        const uint8_t other = warp->lane_of_slot[j];
        warp->lane_of_slot[j] = warp->lane_of_slot[i];
        warp->lane_of_slot[i] = other;
    }
    for (uint32_t i = 0; i < warp->count; i++)
        warp->lanes[warp->lane_of_slot[i]].slot = i;
}

static void order_warps(struct block_runner *runner, uint64_t *random)
{
    uint32_t *order = runner->warp_order;
    for (uint32_t i = 0; i < runner->warp_count; i++)
        order[i] = runner->lane_order == DEVICE_LANES_REVERSED ? runner->warp_count - 1 - i : i;
    for (uint32_t i = runner->warp_count; runner->lane_order == DEVICE_LANES_SEEDED && i-- > 1;) {
        const uint32_t j = shuffle_partner(random, i), other = order[j];
        order[j] = order[i];
        order[i] = other;
    }
}

static void order_block(struct block_runner *runner)
{
    uint64_t random = runner->lane_seed;
    random = mix(&random) ^ ((uint64_t)runner->block_index << 32 | runner->phase);
    order_warps(runner, &random);
    for (uint32_t i = 0; i < runner->warp_count; i++)
        order_lanes(&runner->warps[i], runner->lane_order, &random);
}

// ---- who runs next

static inline struct lane *take(struct warp *warp, uint64_t slots)
{
    const uint32_t slot = lowest(slots);
    warp->ready &= ~((uint64_t)1 << slot);
    return &warp->lanes[warp->lane_of_slot[slot]];
}

// The next runnable lane of a warp that has one, in turn after `slot`.
static inline struct lane *next_in_warp(struct warp *warp, uint32_t slot)
{
    const uint64_t later = warp->ready & ~(((uint64_t)2 << slot) - 1);
    return take(warp, later ? later : warp->ready);
}

// The first runnable lane of the next warp in turn that has one.
static struct lane *next_in_block(struct block_runner *runner)
{
    for (;;) {
        runner->turn = runner->turn + 1 == runner->warp_count ? 0 : runner->turn + 1;
        struct warp *warp = &runner->warps[runner->warp_order[runner->turn]];
        if (warp->ready)
            return take(warp, warp->ready);
    }
}

static inline void continue_with(struct lane *lane, struct lane *next)
{
    if (next == lane)
        return;
    emulator_lane = &next->view;
    fiber_switch(&lane->fiber, &next->fiber);
}

// Suspends a lane that waits or has returned. Some lane of the block can run, or those of this warp wait for each
// other.
static inline void stand_aside(struct lane *lane)
{
    struct warp *warp = lane->warp;
    if (warp->ready)
        continue_with(lane, next_in_warp(warp, lane->slot));
    else if (warp->awaited)
        fault_deadlock(warp);
    else
        continue_with(lane, next_in_block(warp->runner));
}

// Makes all lanes runnable, and returns the first one.
static struct lane *start_phase(struct block_runner *runner)
{
    if (runner->lane_order == DEVICE_LANES_SEEDED)
        order_block(runner);
    for (uint32_t i = 0; i < runner->warp_count; i++)
        runner->warps[i].ready = low_bits(runner->warps[i].count);
    runner->turn = runner->warp_count - 1;
    return next_in_block(runner);
}

// ---- the lockstep model

static __attribute__((noinline)) void replay(struct warp *warp)
{
    struct emulator_recorder *recorders[WARP_MAX_LANES];
    for (uint32_t i = 0; i < warp->count; i++)
        recorders[i] = &warp->lanes[i].recorder;
    lockstep_replay(recorders, warp->count, &warp->runner->sums);
    warp->records.pending = 0;
}

// All lanes of the warp that have not returned are at one place. One within a traversal votes on how to go on with it.
static inline void lanes_meet(struct warp *warp)
{
    if (warp->records.pending && !warp->records.open)
        replay(warp);
}

// ---- what kernels call

static struct lane *release_barrier(struct block_runner *runner)
{
    for (uint32_t i = 0; i < runner->warp_count; i++)
        lanes_meet(&runner->warps[i]);
    runner->waiting = 0;
    runner->phase++;
    return start_phase(runner);
}

void emulator_block_sync(uint32_t site)
{
    struct lane *lane = current_lane();
    struct block_runner *runner = lane->warp->runner;
    note_progress(runner);
    if (runner->waiting == 0)
        runner->site = site;
    else if (runner->site != site)
        scheduler_fault("reached another barrier than the one where %u lane%s, barrier %u of the block",
                        runner->waiting, runner->waiting == 1 ? " waits" : "s wait", runner->phase + 1);
    if (++runner->waiting < runner->live)
        stand_aside(lane);
    else if (runner->live < runner->launch->block)
        fault_left(runner);
    else
        continue_with(lane, release_barrier(runner));
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

static void close_vote(struct warp *warp, struct vote *vote)
{
    const uint64_t mask = vote->mask;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        struct lane *voter = &warp->lanes[lowest(rest)];
        voter->vote_result = vote->shuffles ? warp->lanes[voter->source].value : vote->ayes;
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
    runner->patience = PATIENCE;
    continue_with(lane, next_in_block(runner));
}

// Gives the lane's vote, and returns when all have voted. Inlined, so that a ballot knows that it does not shuffle.
static inline __attribute__((always_inline)) uint64_t meet(struct lane *lane, uint64_t mask, bool predicate,
                                                           bool shuffles, uint32_t site)
{
    struct warp *warp = lane->warp;
    const uint64_t self = (uint64_t)1 << lane->view.lane_index;
    note_progress(warp->runner);
    if (!(mask & self) || (mask & ~warp->live))
        check_mask(warp, mask, self);
    struct vote *vote = find_vote(warp, mask, site);
    vote->arrived |= self;
    vote->ayes |= predicate ? self : 0;
    vote->shuffles = shuffles;
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
    return meet(current_lane(), mask, predicate, false, site);
}

uint32_t emulator_shuffle(uint64_t mask, uint32_t value, uint32_t source, uint32_t site)
{
    struct lane *lane = current_lane();
    if (source >= WARP_MAX_LANES || !(mask >> source & 1))
        scheduler_fault("asks for the value of lane %u of its warp, which mask 0x%llx lacks", source,
                        (unsigned long long)mask);
    lane->value = value;
    lane->source = source;
    return (uint32_t)meet(lane, mask, false, true, site);
}

static void lane_leaves(struct lane *lane)
{
    struct warp *warp = lane->warp;
    struct block_runner *runner = warp->runner;
    const uint64_t self = (uint64_t)1 << lane->view.lane_index;
    note_progress(runner);
    if (warp->awaited & self)
        scheduler_fault("left the kernel while other lanes wait for its vote");
    warp->live &= ~self;
    warp->records.open &= ~self;
    if (warp->live == 0)
        lanes_meet(warp);
    runner->live--;
    if (runner->live == 0) {
        emulator_lane = NULL;
        fiber_switch(&lane->fiber, &runner->main);
    } else if (runner->waiting == runner->live) {
        fault_left(runner);
    } else {
        stand_aside(lane);
    }
}

static void lane_main(struct fiber_transfer transfer)
{
    struct lane *lane = current_lane();
    fiber_arrive(&lane->fiber, transfer);
    for (;;) {
        const struct block_launch *launch = lane->warp->runner->launch;
        launch->run(launch->args);
        lane_leaves(lane); // returns when the next block starts
    }
}

// ---- the runner

bool block_runner_init(struct block_runner *runner, const struct device_settings *settings, uint32_t warp_width,
                       struct error *error)
{
    *runner = (struct block_runner){
        .warp_width = warp_width,
        .lane_order = settings->lane_order,
        .lane_seed = settings->lane_seed,
        .patience = PATIENCE,
    };
    return shared_memory_create(&runner->shared, error);
}

static void release_lanes(struct block_runner *runner)
{
    for (uint32_t i = 0; i < runner->capacity; i++)
        lockstep_recorder_finish(&runner->lanes[i].recorder);
    fiber_stacks_destroy(&runner->stacks);
    free(runner->lanes);
    free(runner->warps);
    free(runner->warp_order);
    runner->lanes = NULL;
    runner->warps = NULL;
    runner->warp_order = NULL;
    runner->capacity = 0;
}

void block_runner_finish(struct block_runner *runner)
{
    release_lanes(runner);
    shared_memory_destroy(&runner->shared);
}

// Stacks whose tops all have the same place in a page would fight for the same sets of the first cache.
static size_t stack_colour(uint32_t lane)
{
    return (size_t)(lane % 32) * 192;
}

// The fibers at their beginning, whatever they did before.
static void reset_lanes(struct block_runner *runner)
{
    for (uint32_t i = 0; i < runner->capacity; i++) {
        struct lane *lane = &runner->lanes[i];
        fiber_init(&lane->fiber, fiber_stack(&runner->stacks, i), stack_colour(i), lane_main);
    }
}

bool block_runner_reserve(struct block_runner *runner, uint32_t count, struct error *error)
{
    runner->fault.raised = false;
    if (count <= runner->capacity)
        return true;
    release_lanes(runner);
    uint32_t capacity = 64;
    while (capacity < count)
        capacity *= 2;
    const uint32_t warps = (capacity + runner->warp_width - 1) / runner->warp_width;
    if (!fiber_stacks_create(&runner->stacks, capacity + 1, error))
        return false;
    runner->lanes = calloc(capacity, sizeof *runner->lanes);
    runner->warps = calloc(warps, sizeof *runner->warps);
    runner->warp_order = calloc(warps, sizeof *runner->warp_order);
    if (!runner->lanes || !runner->warps || !runner->warp_order) {
        release_lanes(runner);
        return error_set(error, ERROR_SYSTEM, "no memory for the %u lanes of a block", count);
    }
    runner->capacity = capacity;
    reset_lanes(runner);
    return true;
}

static void prepare_lane(struct block_runner *runner, struct warp *warp, uint32_t index)
{
    const struct block_launch *launch = runner->launch;
    struct lane *lane = &runner->lanes[index];
    const uint32_t in_warp = index % runner->warp_width;
    lane->warp = warp;
    lockstep_recorder_attach(&lane->recorder, &warp->records, in_warp);
    lane->view = (struct emulator_lane){
        .thread_index = index,
        .block_size = launch->block,
        .grid_size = launch->grid,
        .warp_width = runner->warp_width,
        .lane_index = in_warp,
        .warp_mask = low_bits(warp->count),
        .shared = runner->shared.base,
        .recorder = launch->record ? &lane->recorder : NULL,
    };
}

static void prepare_warp(struct block_runner *runner, uint32_t index)
{
    const uint32_t first = index * runner->warp_width, rest = runner->launch->block - first;
    struct warp *warp = &runner->warps[index];
    *warp = (struct warp){
        .runner = runner,
        .lanes = runner->lanes + first,
        .count = rest < runner->warp_width ? rest : runner->warp_width,
    };
    for (uint32_t i = 0; i < warp->count; i++)
        prepare_lane(runner, warp, first + i);
}

void block_runner_prepare(struct block_runner *runner, const struct block_launch *launch)
{
    shared_memory_resize(&runner->shared, launch->shared_bytes);
    runner->launch = launch;
    runner->warp_count = (launch->block + runner->warp_width - 1) / runner->warp_width;
    for (uint32_t i = 0; i < runner->warp_count; i++)
        prepare_warp(runner, i);
    order_block(runner);
}

static void reset_warp(struct warp *warp, uint32_t block_index)
{
    warp->live = low_bits(warp->count);
    warp->awaited = 0;
    warp->vote_count = 0;
    for (uint32_t i = 0; i < warp->count; i++)
        warp->lanes[i].view.block_index = block_index;
}

// Lanes were abandoned in the middle of whatever they did.
static void recover(struct block_runner *runner)
{
    reset_lanes(runner);
    runner->in_library = 0;
    for (uint32_t i = 0; i < runner->warp_count; i++)
        prepare_warp(runner, i);
    order_block(runner);
}

bool block_run(struct block_runner *runner, uint32_t index)
{
    runner->block_index = index;
    runner->live = runner->launch->block;
    runner->waiting = 0;
    runner->phase = 0;
    for (uint32_t i = 0; i < runner->warp_count; i++)
        reset_warp(&runner->warps[i], index);
    shared_memory_scribble(&runner->shared);
    struct lane *first = start_phase(runner);
    note_progress(runner);
    emulator_lane = &first->view;
    fiber_switch(&runner->main, &first->fiber);
    note_progress(runner);
    if (!runner->fault.raised)
        return true;
    recover(runner);
    return false;
}
