// SPDX-License-Identifier: MIT
// C-2S: two stages, extend (closest hit) and logic (all else); a slot whose path has ended takes the next sample
// (variants.md 6).
#pragma once

#include "lib/place.h"
#include "surface/extend.h"
#include "surface/pool.h"

struct two_stage_queue { // on the device
    uint64_t begun;      // samples taken from the queue; under ordered tickets the host keeps this
    uint64_t done;       // paths that have come to their end
};

struct two_stage_args {
    struct frame_args frame;
    struct pool pool;
    struct two_stage_queue *queue;
    uint64_t samples;     // of the frame; a sample is place * samples a pixel + index in the pixel
    uint64_t begun;       // ordered: of the first sample that this launch gives out
    uint8_t *ended;       // ordered: 1 where a slot waits for a sample
    const uint32_t *list; // ordered: those slots
    uint32_t count;       // lanes with work: slots, or entries of the list
};

DEVICE void two_stage_take(const struct two_stage_args *args, uint32_t slot, uint64_t id)
{
    const struct frame_args *frame = &args->frame;
    const uint64_t place = id / frame->samples;
    const struct path path =
        path_begin(frame, place_pixel(frame, (uint32_t)place), (uint32_t)(id - place * frame->samples));
    pool_store_path(&args->pool, slot, &path);
}

// Every slot takes its first sample.
KERNEL(two_stage_begin, struct two_stage_args)
{
    const uint32_t slot = block_index() * block_size() + thread_index();
    if (slot == 0) {
        args->queue->begun = args->count;
        args->queue->done = 0;
    }
    if (slot >= args->count)
        return;
    if (args->ended)
        args->ended[slot] = 0;
    two_stage_take(args, slot, slot);
}

// Whether this lane's slot has a path, in a stage that moves so many words of it, and the lanes of the warp whose slots
// have, where that is wanted.
DEVICE bool two_stage_lives(const struct two_stage_args *args, uint32_t words, uint32_t slot, lanemask *group)
{
    const bool lives = slot < args->count && pool_lives(&args->pool, slot);
    *group = 0;
    if (COUNTING || CONFIG(&args->frame, traversal) == TRAVERSAL_SPECULATIVE)
        *group = warp_ballot(warp_mask(), lives);
    if (lives)
        count_live(&args->frame, *group, words);
    return lives;
}

KERNEL(two_stage_extend, struct two_stage_args)
{
    const uint32_t slot = block_index() * block_size() + thread_index();
    lanemask group;
    if (!two_stage_lives(args, POOL_TRAFFIC_TRACE, slot, &group))
        return;
    const struct path path = pool_load_path(&args->pool, slot);
    uint32_t material;
    const struct hit hit = trace_path(&args->frame, &path, group, &material);
    pool_store_hit(&args->pool, slot, &hit, material);
}

// A path of this slot has ended: takes the next sample from the queue, or retires.
DEVICE void two_stage_next(const struct two_stage_args *args, uint32_t slot)
{
    pool_kill(&args->pool, slot);
    atomic_add_u64(&args->queue->done, 1);
    count_total(&args->frame, atomics, 1);
    if (args->ended) {
        args->ended[slot] = 1;
        return;
    }
    const uint64_t id = atomic_add_u64(&args->queue->begun, 1);
    count_total(&args->frame, atomics, 1);
    if (id >= args->samples)
        return;
    count_total(&args->frame, begun, 1);
    two_stage_take(args, slot, id);
}

KERNEL(two_stage_logic, struct two_stage_args)
{
    const struct frame_args *frame = &args->frame;
    const uint32_t slot = block_index() * block_size() + thread_index();
    lanemask group;
    if (!two_stage_lives(args, POOL_TRAFFIC_LOGIC, slot, &group))
        return;
    struct path path = pool_load_path(&args->pool, slot);
    uint32_t material;
    const struct hit hit = pool_load_hit(&args->pool, slot, &material);
    if (shade(frame, &path, &hit, material, group)) {
        pool_store_path(&args->pool, slot, &path);
        return;
    }
    path_end(frame, &path);
    two_stage_next(args, slot);
}

// Ordered tickets: entry r of the list of waiting slots takes sample begun + r.
KERNEL(two_stage_refill, struct two_stage_args)
{
    const uint32_t rank = block_index() * block_size() + thread_index();
    if (rank >= args->count)
        return;
    const uint32_t slot = args->list[rank];
    args->ended[slot] = 0;
    two_stage_take(args, slot, args->begun + rank);
}
