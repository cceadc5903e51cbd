// SPDX-License-Identifier: MIT
#include "frame/pool.h"

#include "surface/pool.h"
#include "surface/together.h"

uint64_t pool_samples(const struct frame *frame)
{
    return (uint64_t)frame->pixels * frame->args.samples;
}

uint32_t pool_slots(const struct frame *frame, uint64_t standard)
{
    const int64_t asked = frame->parameters->pool;
    const uint64_t slots = asked == PARAMETER_AUTO ? standard : (uint64_t)asked, samples = pool_samples(frame);
    return (uint32_t)(slots < samples ? slots : samples);
}

uint32_t pool_with_dead(const struct frame *frame, uint32_t living, uint32_t group)
{
    const uint64_t share = (uint64_t)frame->parameters->dead_share, groups = (living + group - 1) / group;
    return share ? (uint32_t)((groups * 100 + 99 - share) / (100 - share) * group) : living;
}

bool pool_alloc(struct frame *frame, uint32_t slots, uint32_t words, struct pool *pool, struct error *error)
{
    const size_t bytes = (size_t)slots * words * sizeof(uint32_t);
    *pool = (struct pool){.words = frame_memory(frame, bytes, error), .slots = slots};
    if (!pool->words)
        return error_remedy(error, "this pool has %u slots of %zu bytes: set a smaller one", slots, bytes / slots);
    return frame_fill(frame, pool->words, 0xFF, bytes, error); // POOL_DEAD, all of it
}

size_t pool_roulette_bytes(const struct frame *frame)
{
    if (frame->parameters->roulette != ROULETTE_BLOCK)
        return 0;
    return roulette_words((uint32_t)frame->parameters->block, frame->properties->warp_width) * sizeof(uint32_t);
}

bool pool_run(struct frame *frame, const struct pool_launch *launch, struct error *error)
{
    const uint32_t block = (uint32_t)frame->parameters->block;
    const struct frame_launch command = {
        .kernel = launch->kernel,
        .grid = (launch->count + block - 1) / block,
        .block = block,
        .shared_bytes = launch->shared_bytes,
        .args = launch->args,
        .args_size = launch->args_size,
        .stage = launch->stage,
        .iteration = (int32_t)launch->round,
        .bounce = -1,
    };
    return frame_launch(frame, &command, error);
}
