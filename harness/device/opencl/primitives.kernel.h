// SPDX-License-Identifier: MIT
// Selection and sort of the opencl device, in the common subset of all kernels. Each lane has a run of the elements,
// counts in it, learns from a sum over all runs where its own go, and moves them in their order.
#pragma once

#include "lib/platform.h"

enum { PRIMITIVES_RUNS = 256, PRIMITIVES_DIGIT_BITS = 8, PRIMITIVES_DIGITS = 1 << PRIMITIVES_DIGIT_BITS };

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

DEVICE uint32_t primitives_lane(void)
{
    return block_index() * block_size() + thread_index();
}

KERNEL(select_count, struct select_args)
{
    const uint32_t run = primitives_lane();
    if (run >= args->runs)
        return;
    uint32_t sum = 0u;
    for (uint32_t i = run_begin(run, args->n, args->runs); i < run_begin(run + 1u, args->n, args->runs); ++i)
        sum += args->flags[i] != 0;
    args->sums[run] = sum;
}

// By one lane.
KERNEL(select_sum, struct select_args)
{
    uint32_t before = 0u;
    for (uint32_t run = 0u; run < args->runs; ++run) {
        const uint32_t here = args->sums[run];
        args->sums[run] = before;
        before += here;
    }
    *args->count = before;
}

KERNEL(select_move, struct select_args)
{
    const uint32_t run = primitives_lane();
    if (run >= args->runs)
        return;
    uint32_t place = args->sums[run];
    for (uint32_t i = run_begin(run, args->n, args->runs); i < run_begin(run + 1u, args->n, args->runs); ++i)
        if (args->flags[i] != 0)
            args->out[place++] = args->in ? args->in[i] : i;
}

KERNEL(sort_count, struct sort_args)
{
    const uint32_t run = primitives_lane();
    if (run >= args->runs)
        return;
    for (uint32_t digit = 0u; digit < args->digits; ++digit)
        args->table[digit * args->runs + run] = 0u;
    for (uint32_t i = run_begin(run, args->n, args->runs); i < run_begin(run + 1u, args->n, args->runs); ++i)
        ++args->table[(args->keys[i] >> args->shift & (args->digits - 1u)) * args->runs + run];
}

// By one lane.
KERNEL(sort_sum, struct sort_args)
{
    uint32_t before = 0u;
    for (uint32_t i = 0u; i < args->digits * args->runs; ++i) {
        const uint32_t here = args->table[i];
        args->table[i] = before;
        before += here;
    }
}

KERNEL(sort_move, struct sort_args)
{
    const uint32_t run = primitives_lane();
    if (run >= args->runs)
        return;
    for (uint32_t i = run_begin(run, args->n, args->runs); i < run_begin(run + 1u, args->n, args->runs); ++i) {
        const uint32_t key = args->keys[i];
        const uint32_t place = args->table[(key >> args->shift & (args->digits - 1u)) * args->runs + run]++;
        args->keys_out[place] = key;
        args->values_out[place] = args->values[i];
    }
}
