// SPDX-License-Identifier: MIT
// What the host schedules of pipelines share: the pool's memory and the launches of its stages.
#pragma once

#include "frame/variant.h"

#define SLOT_PARAMETERS                                                                                                \
    .block = true, .registers = true, .traversal = true, .far_first = true, .shared_pad = true, .carveout = true,      \
    .dummy_flops = true, .pixel_order = true, .exact_rounds = true
#define POOL_PARAMETERS SLOT_PARAMETERS, .pool = true

struct pool;

// Slots of the pool: the parameter, or `standard` where it is automatic; never more than there are samples.
uint32_t pool_slots(const struct frame *frame, uint64_t standard);
// Device memory for the first `words` words of every slot; all slots are dead.
bool pool_alloc(struct frame *frame, uint32_t slots, uint32_t words, struct pool *pool, struct error *error);
// So many slots in which paths begin, in groups of `group`, and among or behind them those that dead_share keeps dead.
uint32_t pool_with_dead(const struct frame *frame, uint32_t living, uint32_t group);
// All samples of the frame.
uint64_t pool_samples(const struct frame *frame);

// Bytes of shared memory that the last stage of a round needs to decide roulette.
size_t pool_roulette_bytes(const struct frame *frame);

// Launches a kernel of one stage over `count` slots; none where there are none. `kernel` is PREFIX_STAGE.
struct pool_launch {
    const char *kernel, *stage;
    uint32_t count;
    void *args;
    size_t args_size;
    uint32_t round;
    size_t shared_bytes;
};
bool pool_run(struct frame *frame, const struct pool_launch *launch, struct error *error);
