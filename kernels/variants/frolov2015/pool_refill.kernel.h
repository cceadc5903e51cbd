// SPDX-License-Identifier: MIT
// F-NOREGEN: the seven kernels of Frolov and Galaktionov over a pool that is filled anew once all of its paths have
// ended.
#pragma once

#include "lib/place.h"
#include "surface/stages.h"

struct refill_args {
    struct frame_args frame;
    struct pool pool;
    uint64_t first;  // of the samples in the pool; a sample is pixel place + pixel_count * index in the pixel
    uint32_t count;  // slots in use, those that stay dead among them
    uint32_t begins; // paths of this fill
    uint32_t dead;   // percent of the slots that stay dead
    uint32_t *ended; // paths of this fill that have come to their end
};

// Whether this lane has a path that lives, in a stage that moves so many words of it. `group`, where it is wanted: the
// lanes of the warp that have.
DEVICE bool refill_lives(const struct refill_args *args, uint32_t words, uint32_t *slot, lanemask *group)
{
    *slot = block_index() * block_size() + thread_index();
    const bool lives = *slot < args->count && pool_lives(&args->pool, *slot);
    *group = 0;
    if (COUNTING || CONFIG(&args->frame, traversal) != TRAVERSAL_WHILE_WHILE)
        *group = warp_ballot(warp_mask(), lives);
    if (lives)
        count_live(&args->frame, *group, words);
    return lives;
}

// Where the path of that rank begins: dead slots stand behind all others, or spread among them by whole warps.
DEVICE uint32_t refill_slot(const struct refill_args *args, uint32_t rank)
{
    if (CONFIG(&args->frame, dead_places) == DEAD_PLACES_TOGETHER)
        return rank;
    const uint32_t warp = rank / warp_width();
    return (uint32_t)((uint64_t)warp * 100u / (100u - args->dead)) * warp_width() + rank % warp_width();
}

KERNEL(refill_begin, struct refill_args)
{
    const struct frame_args *frame = &args->frame;
    const uint32_t rank = block_index() * block_size() + thread_index();
    if (rank == 0)
        *args->ended = 0;
    if (rank >= args->begins)
        return;
    const uint32_t slot = refill_slot(args, rank);
    const uint64_t id = args->first + rank, sample = id / frame->pixel_count;
    const uint32_t place = (uint32_t)(id - sample * frame->pixel_count);
    stage_begin(frame, &args->pool, slot, place_pixel(frame, place), (uint32_t)sample);
}

TRACE_KERNEL(refill_trace, struct refill_args)
{
    uint32_t slot;
    lanemask group;
    if (refill_lives(args, POOL_TRAFFIC_TRACE, &slot, &group))
        stage_trace(&args->frame, &args->pool, slot, group);
}

KERNEL(refill_surface, struct refill_args)
{
    uint32_t slot;
    lanemask group;
    const bool lives = refill_lives(args, POOL_TRAFFIC_SURFACE, &slot, &group);
    if (lives)
        stage_surface(&args->frame, &args->pool, slot, group);
    const lanemask ended = warp_ballot(warp_mask(), lives && !pool_lives(&args->pool, slot));
    if (lane_index() == 0 && ended != 0) {
        atomic_add_u32(args->ended, lanemask_count(ended));
        count_total(&args->frame, atomics, 1);
    }
}

KERNEL(refill_light, struct refill_args)
{
    uint32_t slot;
    lanemask group;
    if (refill_lives(args, POOL_TRAFFIC_LIGHT, &slot, &group))
        stage_light(&args->frame, &args->pool, slot, group);
}

TRACE_KERNEL(refill_shadow, struct refill_args)
{
    const uint32_t slot = block_index() * block_size() + thread_index();
    const bool wanted = slot < args->count && pool_lives(&args->pool, slot) && stage_shadow_wanted(&args->pool, slot);
    const lanemask group = warp_ballot(warp_mask(), wanted);
    if (!wanted)
        return;
    count_live(&args->frame, group, POOL_TRAFFIC_SHADOW);
    stage_shadow(&args->frame, &args->pool, slot, group);
}

KERNEL(refill_shade, struct refill_args)
{
    uint32_t slot;
    lanemask group;
    if (refill_lives(args, POOL_TRAFFIC_SHADE, &slot, &group))
        stage_shade(&args->frame, &args->pool, slot);
}

KERNEL(refill_next, struct refill_args)
{
    uint32_t slot;
    lanemask group;
    const bool lives = refill_lives(args, POOL_TRAFFIC_NEXT, &slot, &group);
    const lanemask ended =
        warp_ballot(warp_mask(), stage_next(&args->frame, &args->pool, slot, lives, (uint32_t *)block_shared()));
    if (lane_index() == 0 && ended != 0) {
        atomic_add_u32(args->ended, lanemask_count(ended));
        count_total(&args->frame, atomics, 1);
    }
}
