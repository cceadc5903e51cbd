// SPDX-License-Identifier: MIT
// What the host schedules of the pipelines of Frolov and Galaktionov share: the six launches of a round.
#pragma once

#include "frame/pool.h"

// Parameters that all of them use.
#define ROUND_PARAMETERS                                                                                               \
    .block = true, .registers = true, .traversal = true, .far_first = true, .shared_pad = true, .carveout = true,      \
    .dummy_flops = true, .pool = true, .exact_rounds = true

// Kernels of a round, in order: ROUND_KERNELS("tile") are tile_trace, ..., tile_next.
enum { ROUND_STAGES = 6 };
#define ROUND_KERNELS(prefix)                                                                                          \
    {                                                                                                                  \
        prefix "_trace", prefix "_surface", prefix "_light", prefix "_shadow", prefix "_shade", prefix "_next"         \
    }

struct round {
    const char *const *kernels; // ROUND_STAGES of them
    uint32_t lanes;
    void *args; // of all kernels: struct frame_args, struct pool, ...
    size_t args_size;
    uint32_t number;
    size_t trace_shared; // bytes of shared memory of a block that traces rays
};

bool round_run(struct frame *frame, const struct round *round, struct error *error);
// One other stage of the round, over so many lanes.
bool round_step(struct frame *frame, const struct round *round, const char *kernel, const char *stage, uint32_t lanes,
                struct error *error);
