// SPDX-License-Identifier: MIT
// Compiled twice, as kernels are: with COUNTING=0 EMULATOR_BUILD=clean and with COUNTING=1 EMULATOR_BUILD=counting.
#include "lib/platform.h"
#include "lib/queue.h"

#include "emulator_kernels.h"

#define BOTH(...) __VA_ARGS__
#include "block_kernels.h"
#undef BOTH

DEVICE uint32_t global_index(void)
{
    return block_index() * block_size() + thread_index();
}

// Every lane of the grid adds one to its own place, and a check of all its indices.
KERNEL(cover, struct emulator_test_args)
{
    args->out[global_index()] += 1;
    const bool right =
        lane_index() == thread_index() % warp_width() && block_size() == args->a && grid_size() == args->b;
    args->votes[global_index()] = right ? warp_mask() : 0;
}

KERNEL(vote_all, struct emulator_test_args)
{
    args->votes[global_index()] = warp_ballot(warp_mask(), args->in[global_index()] & 1);
}

// The lanes with an odd input vote among themselves, several times and with changing predicates; the others do not.
KERNEL(vote_some, struct emulator_test_args)
{
    const uint32_t in = args->in[global_index()];
    const lanemask odd = warp_ballot(warp_mask(), in & 1);
    lanemask last = 0;
    if (in & 1)
        for (uint32_t bit = 1; bit <= args->a; bit++)
            last = warp_ballot(odd, in >> bit & 1);
    args->votes[global_index()] = last;
}

// Every lane of the warp fetches the value of the lane that its input names, `a` times, each time of what it got.
KERNEL(shuffle, struct emulator_test_args)
{
    const uint32_t count = lanemask_count(warp_mask());
    uint32_t value = args->in[global_index()];
    for (uint32_t i = 0; i < args->a; i++)
        value = warp_shuffle_u32(warp_mask(), value, (value + i) % count);
    args->out[global_index()] = value;
    args->votes[global_index()] = warp_broadcast_u32(warp_mask(), args->in[global_index()], count - 1);
}

// The lanes with an odd input learn the input of the last of them, while the others do so among themselves.
KERNEL(shuffle_some, struct emulator_test_args)
{
    const uint32_t in = args->in[global_index()];
    const lanemask odd = warp_ballot(warp_mask(), in & 1), mine = in & 1 ? odd : warp_mask() & ~odd;
    uint32_t last = 0;
    for (uint32_t lane = 0; lane < warp_width(); lane++)
        last = mine >> lane & 1 ? lane : last;
    if (in & 1)
        args->out[global_index()] = warp_broadcast_u32(mine, in, last);
    else
        args->out[global_index()] = warp_broadcast_u32(mine, in, last);
}

KERNEL(shuffle_stranger, struct emulator_test_args)
{
    args->out[global_index()] = warp_shuffle_u32(warp_mask(), 1, thread_index() == args->a ? warp_width() : 0);
}

// out[0]: largest input; out[1]: the last one exchanged; out[2 ..]: what each lane got for its own. votes[0]: largest.
KERNEL(atomics, struct emulator_test_args)
{
    const uint32_t in = args->in[global_index()];
    (void)atomic_max_u32(&args->out[0], in);
    (void)atomic_max_u64(&args->votes[0], (uint64_t)in << 32 | in);
    memory_fence();
    atomic_store_u32(&args->out[2 + global_index()], atomic_exchange_u32(&args->out[1], in));
    if (atomic_load_u32(&args->out[0]) < in)
        atomic_store_u32(&args->out[0], 0xFFFFFFFFu);
}

// Lanes count down from different numbers, and the warp goes on while one is left. Leaves the trips of the warp in
// `votes`.
KERNEL(vote_loop, struct emulator_test_args)
{
    uint32_t left = args->in[global_index()] % 50, trips = 0, sum = 0;
    while (warp_any(warp_mask(), left > 0)) {
        trips++;
        if (left > 0)
            sum = sum * 31 + left--;
    }
    args->out[global_index()] = sum;
    args->votes[global_index()] = trips;
}

KERNEL(reverse, struct emulator_test_args)
{
    uint32_t *shared = (uint32_t *)block_shared();
    shared[thread_index()] = args->in[global_index()];
    block_sync();
    args->out[global_index()] = shared[block_size() - 1 - thread_index()];
}

KERNEL(reverse_racing, struct emulator_test_args)
{
    uint32_t *shared = (uint32_t *)block_shared();
    shared[thread_index()] = args->in[global_index()];
    args->out[global_index()] = shared[block_size() - 1 - thread_index()];
}

// The turn of each lane in each of `a` phases, for one block: out[phase * block + lane].
KERNEL(order, struct emulator_test_args)
{
    uint32_t *turns = (uint32_t *)block_shared();
    for (uint32_t phase = 0; phase < args->a; phase++) {
        if (thread_index() == 0)
            turns[phase] = 0;
        block_sync();
        args->out[phase * block_size() + thread_index()] = atomic_add_u32(&turns[phase], 1);
    }
}

KERNEL(fresh_shared, struct emulator_test_args)
{
    uint32_t *shared = (uint32_t *)block_shared();
    args->out[global_index()] = shared[thread_index()];
    shared[thread_index()] = 0;
}

// The first warp votes in a loop until the last lane of the block has written.
KERNEL(wait_for_other_warp, struct emulator_test_args)
{
    volatile uint32_t *shared = (volatile uint32_t *)block_shared();
    if (thread_index() == 0)
        shared[0] = 0;
    block_sync();
    if (thread_index() + 1 == block_size())
        shared[0] = 7;
    if (thread_index() < warp_width())
        while (!warp_any(warp_mask(), shared[0] == 7))
            ;
    block_sync();
    args->out[global_index()] = shared[0];
}

// ---- cooperative launches

// Each lane fetches the word of its mirror image in the grid, `a` times.
KERNEL(grid_mirror, struct emulator_test_args)
{
    const uint32_t lanes = grid_size() * block_size();
    args->out[global_index()] = args->in[global_index()];
    for (uint32_t i = 0; i < args->a; i++) {
        grid_sync();
        const uint32_t word = args->out[lanes - 1 - global_index()];
        grid_sync();
        args->out[global_index()] = word + global_index();
    }
}

// All lanes take items off one queue of `b` items until it is empty. out[0]: the queue's head; votes[i]: who took item
// i, from 1; out[1 + lane]: how many it took. a = enum drain_way.
KERNEL(drain, struct emulator_test_args)
{
    uint32_t taken = 0;
    bool more = true;
    while (args->a == DRAIN_AS_A_WARP ? warp_any(warp_mask(), more) : more) {
        const uint32_t item = more ? atomic_add_u32(&args->out[0], 1) : args->b;
        more = item < args->b;
        if (more)
            args->votes[item] = 1 + global_index();
        taken += more;
        if (args->a != DRAIN_SELFISHLY)
            grid_yield();
    }
    args->out[1 + global_index()] = taken;
}

// Lane i yields i % 7 times, and stores when it got its turn after each: out[0] counts turns, out[1 + lane] is a
// checksum of those it had.
KERNEL(turns, struct emulator_test_args)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < global_index() % 7; i++) {
        sum = sum * 31 + atomic_add_u32(&args->out[0], 1);
        grid_yield();
    }
    block_sync();
    args->out[1 + global_index()] = sum;
}

KERNEL(grid_left, struct emulator_test_args)
{
    if (block_index() == args->b && (thread_index() == args->a || args->a >= block_size()))
        return;
    grid_sync();
    args->out[global_index()] = 1;
}

KERNEL(grid_sites, struct emulator_test_args)
{
    if (block_index() == args->b && thread_index() >= args->a)
        grid_sync();
    else
        grid_sync();
    args->out[global_index()] = 1;
}

KERNEL(grid_and_block, struct emulator_test_args)
{
    if (block_index() == args->b && thread_index() >= args->a)
        block_sync();
    else
        grid_sync();
    args->out[global_index()] = 1;
}

// Half a warp votes while the other half has yielded, and waits for it.
KERNEL(yield_and_vote, struct emulator_test_args)
{
    uint64_t votes = 0;
    for (uint32_t i = 0; i < args->a; i++) {
        if ((lane_index() + i) & 1)
            grid_yield();
        votes += lanemask_count(warp_ballot(warp_mask(), (lane_index() * i) & 2));
    }
    args->votes[global_index()] = votes;
}

KERNEL(return_early, struct emulator_test_args)
{
    if (thread_index() == args->a)
        return;
    block_sync();
    args->out[global_index()] = 1;
}

KERNEL(two_sites, struct emulator_test_args)
{
    if (thread_index() == args->a) {
        block_sync();
        args->out[global_index()] = 1;
    } else {
        block_sync();
        args->out[global_index()] = 2;
    }
}

DEVICE void helper_with_barrier(void)
{
    block_sync();
}

KERNEL(trip_counts, struct emulator_test_args)
{
    for (uint32_t i = 0; i < (thread_index() == args->a ? 2u : 3u); i++)
        helper_with_barrier();
    args->out[global_index()] = 1;
}

KERNEL(barrier_and_vote, struct emulator_test_args)
{
    if (thread_index() == args->a)
        block_sync();
    else
        args->votes[global_index()] = warp_ballot(warp_mask(), true);
}

KERNEL(two_votes, struct emulator_test_args)
{
    if (thread_index() == args->a)
        args->votes[global_index()] = warp_ballot(warp_mask(), true);
    else
        args->votes[global_index()] = warp_ballot(warp_mask(), false);
}

// Lanes drop out of a loop one after the other and wait for the whole warp, while those that are left vote among
// themselves.
KERNEL(nested_votes, struct emulator_test_args)
{
    const lanemask everyone = warp_mask();
    lanemask left = everyone & ~(lanemask)1; // lane 0 takes no trip
    uint32_t trips = 0;
    while (trips < lane_index()) {
        const lanemask staying = warp_ballot(left, true);
        args->out[global_index()] += lanemask_count(staying);
        ++trips;
        left &= ~(lanemask_below(trips) | (lanemask)1 << trips); // lane t leaves after its t-th trip
    }
    args->votes[global_index()] = warp_ballot(everyone, trips & 1u);
}

KERNEL(two_masks, struct emulator_test_args)
{
    const lanemask mask = thread_index() == args->a ? warp_mask() & ~(lanemask)1 : warp_mask();
    args->votes[global_index()] = warp_ballot(mask, true);
}

KERNEL(foreign_mask, struct emulator_test_args)
{
    const lanemask self = (lanemask)1 << lane_index();
    args->votes[global_index()] = warp_ballot(thread_index() == args->a ? warp_mask() & ~self : self, true);
}

KERNEL(absent_mask, struct emulator_test_args)
{
    const lanemask self = (lanemask)1 << lane_index();
    args->votes[global_index()] = warp_ballot(thread_index() == args->a ? ~(lanemask)0 : self, true);
}

KERNEL(leave_vote, struct emulator_test_args)
{
    if (thread_index() == args->a)
        return;
    args->votes[global_index()] = warp_ballot(warp_mask(), true);
}

KERNEL(spin, struct emulator_test_args)
{
    const volatile uint32_t *in = args->in;
    if (block_index() == args->b && thread_index() == args->a)
        while (in[0] != 0xFFFFFFFFu)
            ;
    args->out[global_index()] = 1;
}

KERNEL(past_shared, struct emulator_test_args)
{
    volatile uint8_t *shared = (volatile uint8_t *)block_shared();
    if (thread_index() == args->a)
        shared[args->b] = 1;
    args->out[global_index()] = 1;
}

static __attribute__((noinline)) uint32_t descend(uint32_t depth)
{
    volatile uint32_t frame[64];
    frame[depth % 64] = depth;
    return depth == 0 ? frame[0] : descend(depth - 1) + frame[depth % 64];
}

KERNEL(deep, struct emulator_test_args)
{
    args->out[global_index()] = thread_index() == args->a ? descend(args->b) : 1;
}

KERNEL(stray, struct emulator_test_args)
{
    volatile uint32_t *place = thread_index() == args->a ? (volatile uint32_t *)(uintptr_t)args->b : args->out;
    args->votes[global_index()] = place[0];
}

KERNEL(divide, struct emulator_test_args)
{
    const volatile uint32_t *in = args->in;
    args->out[global_index()] = thread_index() == args->a ? 5 / in[0] : 1;
}

DEVICE void play_traversal(const struct script_traversal *traversal, bool votes)
{
    uint32_t steps = 0, tests = 0;
    (void)traversal;
    lockstep_begin(traversal->kind, traversal->bounce);
    for (uint32_t i = 0; i < SCRIPT_ROUNDS; i++) {
        if (votes)
            (void)warp_any(warp_mask(), i < traversal->round_count);
        for (uint32_t step = 0; i < traversal->round_count && step < traversal->inner[i]; step++, steps++) {
            lockstep_node(script_place(traversal->seed, steps));
            lockstep_answers(script_answers(traversal->seed, steps));
        }
        for (uint32_t test = 0; i < traversal->round_count && test < traversal->triangles[i]; test++)
            lockstep_test(script_place(traversal->seed + 1, tests++));
        if (i < traversal->round_count)
            lockstep_round(traversal->inner[i], traversal->triangles[i]);
    }
    lockstep_end();
}

// `in` holds a struct script for each lane of the grid; a = enum script_votes. Lanes with no traversal left wait,
// except where there are no votes: there they return.
KERNEL(play, struct emulator_test_args)
{
    const struct script *script = (const struct script *)(const void *)args->in + global_index();
    for (uint32_t i = 0; i < SCRIPT_TRAVERSALS; i++) {
        const bool at_work = i < script->traversal_count;
        if (args->a == SCRIPT_NO_VOTES && !at_work)
            break;
        if (args->a == SCRIPT_VOTES_BETWEEN || args->a == SCRIPT_VOTES_WITHIN)
            (void)warp_any(warp_mask(), at_work);
        if (args->a == SCRIPT_BARRIERS)
            block_sync();
        if (at_work)
            play_traversal(&script->traversals[i], args->a == SCRIPT_VOTES_WITHIN);
    }
    args->out[global_index()] = 1;
}

KERNEL(unread_nodes, struct emulator_test_args)
{
    lockstep_begin(0, 0);
    for (uint32_t i = 0; i < (thread_index() == args->a ? 2u : 3u); i++)
        lockstep_node(i);
    lockstep_test(7);
    lockstep_round(3, 1);
    lockstep_end();
    args->out[global_index()] = 1;
}

// Lane a answers one step too few, lane b one that reads no node.
KERNEL(stray_answers, struct emulator_test_args)
{
    lockstep_begin(0, 0);
    if (thread_index() == args->b)
        lockstep_answers(STEP_AT_LEAF);
    for (uint32_t i = 0; i < 2; i++) {
        lockstep_node(7);
        if (i == 0 || thread_index() != args->a)
            lockstep_answers(STEP_AT_LEAF);
    }
    lockstep_round(2, 0);
    lockstep_end();
    args->out[global_index()] = 1;
}

KERNEL(unread_triangles, struct emulator_test_args)
{
    lockstep_begin(0, 0);
    lockstep_node(7);
    for (uint32_t i = 0; i < (thread_index() == args->a ? 2u : 3u); i++)
        lockstep_test(i);
    lockstep_round(1, 3);
    lockstep_end();
    args->out[global_index()] = 1;
}

KERNEL(round_outside, struct emulator_test_args)
{
    if (thread_index() == args->a)
        lockstep_round(1, 1);
    args->out[global_index()] = 1;
}

KERNEL(bench_start, struct emulator_test_args)
{
    (void)args;
    block_sync();
}

KERNEL(bench_barriers, struct emulator_test_args)
{
    for (uint32_t i = 0; i < args->a; i++)
        block_sync();
}

KERNEL(bench_votes, struct emulator_test_args)
{
    lanemask all = warp_mask();
    for (uint32_t i = 0; i < args->a; i++)
        all &= warp_ballot(warp_mask(), true);
    if (all != warp_mask())
        args->out[0] = 1;
}
