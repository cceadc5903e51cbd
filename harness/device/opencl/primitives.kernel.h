// SPDX-License-Identifier: MIT
// Selection and sort of the opencl device, in the common subset of all kernels. Each block is one warp, and has a run of the
// elements: it counts in it, learns from a sum over all runs where its own go, and moves them in their order.
#pragma once

#include "lib/block.h"

enum { PRIMITIVES_DIGIT_BITS = 8, PRIMITIVES_DIGITS = 1 << PRIMITIVES_DIGIT_BITS };

struct select_args {
    const uint32_t *in; // NULL: element i is i
    const uint8_t *flags;
    uint32_t *out, *count;
    uint32_t *sums; // a word for each run
    uint32_t n, runs;
};

struct sort_args {
    const uint32_t *keys, *values;
    uint32_t *keys_out, *values_out;
    uint32_t *table; // a word for each digit of each run, digits outermost
    uint32_t n, runs, shift, digits;
};

// The first element of a run; of the run behind the last one, n.
DEVICE uint32_t run_begin(uint32_t run, uint32_t n, uint32_t runs)
{
    return (uint32_t)((uint64_t)n * run / runs);
}

// Turns words into the sums of those before them, by one block, each lane of which has some in a row. Returns the sum of all.
// `shared`: scan_words() of the block.
DEVICE uint32_t sum_before(uint32_t *words, uint32_t count, uint32_t *shared)
{
    const uint32_t begin = run_begin(thread_index(), count, block_size()),
                   end = run_begin(thread_index() + 1u, count, block_size());
    uint32_t sum = 0u, total;
    for (uint32_t i = begin; i < end; ++i)
        sum += words[i];
    uint32_t before = block_scan_u32(sum, &total, shared);
    for (uint32_t i = begin; i < end; ++i) {
        const uint32_t here = words[i];
        words[i] = before;
        before += here;
    }
    return total;
}

KERNEL(select_count, struct select_args)
{
    const uint32_t end = run_begin(block_index() + 1u, args->n, args->runs);
    uint32_t sum = 0u;
    for (uint32_t i = run_begin(block_index(), args->n, args->runs) + thread_index(); i < end; i += block_size())
        sum += args->flags[i] != 0;
    sum = warp_sum_u32(warp_mask(), sum);
    if (thread_index() == 0u)
        args->sums[block_index()] = sum;
}

// By one block.
KERNEL(select_sum, struct select_args)
{
    const uint32_t all = sum_before(args->sums, args->runs, (uint32_t *)block_shared());
    if (thread_index() == 0u)
        *args->count = all;
}

KERNEL(select_move, struct select_args)
{
    const uint32_t end = run_begin(block_index() + 1u, args->n, args->runs);
    uint32_t place = args->sums[block_index()];
    for (uint32_t first = run_begin(block_index(), args->n, args->runs); first < end; first += block_size()) {
        const uint32_t i = first + thread_index();
        const bool chosen = i < end && args->flags[i] != 0;
        const lanemask lanes = warp_ballot(warp_mask(), chosen);
        if (chosen)
            args->out[place + lanemask_count(lanes & lanemask_below(lane_index()))] = args->in ? args->in[i] : i;
        place += lanemask_count(lanes);
    }
}

DEVICE uint32_t sort_digit(const struct sort_args *args, uint32_t key)
{
    return key >> args->shift & (args->digits - 1u);
}

// Shared memory: a word for each digit.
KERNEL(sort_count, struct sort_args)
{
    const uint32_t end = run_begin(block_index() + 1u, args->n, args->runs);
    uint32_t *const counts = (uint32_t *)block_shared();
    for (uint32_t digit = thread_index(); digit < args->digits; digit += block_size())
        counts[digit] = 0u;
    block_sync();
    for (uint32_t i = run_begin(block_index(), args->n, args->runs) + thread_index(); i < end; i += block_size())
        (void)atomic_add_u32(&counts[sort_digit(args, args->keys[i])], 1u);
    block_sync();
    for (uint32_t digit = thread_index(); digit < args->digits; digit += block_size())
        args->table[digit * args->runs + block_index()] = counts[digit];
}

// By one block.
KERNEL(sort_sum, struct sort_args)
{
    (void)sum_before(args->table, args->digits * args->runs, (uint32_t *)block_shared());
}

// Of the lanes that have an element, those with this lane's digit.
DEVICE lanemask sort_same(uint32_t digit, uint32_t digits, bool has)
{
    lanemask lanes = warp_ballot(warp_mask(), has);
    for (uint32_t bit = 1u; bit < digits; bit *= 2u) {
        const lanemask set = warp_ballot(warp_mask(), (digit & bit) != 0u);
        lanes &= (digit & bit) != 0u ? set : ~set;
    }
    return lanes;
}

// Shared memory: a word for each digit, where the next element with it goes.
KERNEL(sort_move, struct sort_args)
{
    const uint32_t end = run_begin(block_index() + 1u, args->n, args->runs);
    uint32_t *const places = (uint32_t *)block_shared();
    for (uint32_t digit = thread_index(); digit < args->digits; digit += block_size())
        places[digit] = args->table[digit * args->runs + block_index()];
    block_sync();
    for (uint32_t first = run_begin(block_index(), args->n, args->runs); first < end; first += block_size()) {
        const uint32_t i = first + thread_index();
        const bool has = i < end;
        const uint32_t key = has ? args->keys[i] : 0u, digit = sort_digit(args, key);
        const lanemask same = sort_same(digit, args->digits, has);
        const uint32_t place = places[digit] + lanemask_count(same & lanemask_below(lane_index()));
        block_sync();
        if (has && lanemask_lowest(same) == lane_index())
            places[digit] += lanemask_count(same);
        block_sync();
        if (has) {
            args->keys_out[place] = key;
            args->values_out[place] = args->values[i];
        }
    }
}
