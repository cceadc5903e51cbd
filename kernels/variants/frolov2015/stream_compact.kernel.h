// SPDX-License-Identifier: MIT
// F-STREAM: the seven kernels over a list of the slots that live, made anew every few rounds: survivors first, in the order
// of their slots, and behind them new paths in as many slots as are free (docs/variants.md, "Streaming").
#pragma once

#include "variants/frolov2015/steps.h"

enum { STREAM_MOVED = POOL_HIT }; // words of a path between rounds

struct stream_args {
    struct frame_args frame;
    struct pool pool;
    struct step_slots slots;
    struct pool from;          // where paths are moved: out of this pool
    uint32_t scanned;          // slots that the flags are made of
    uint8_t *lives, *ended;    // a flag for each
    uint32_t *list;            // slots that live; from `survivors` on, those that begin are added
    const uint32_t *vacancies; // slots for them; NULL: those from `survivors` on
    uint32_t survivors, begin; // how many go on, and how many begin
    uint64_t first;            // sample that begins first; a sample is pixel place + pixel_count * index in the pixel
};

KERNEL(stream_flag, struct stream_args)
{
    const uint32_t slot = step_lane();
    if (!pool_lane_has(&args->frame, slot, args->scanned, 1))
        return;
    const bool lives = pool_lives(&args->pool, slot);
    args->lives[slot] = lives;
    args->ended[slot] = !lives;
}

// The i-th survivor moves to slot i.
KERNEL(stream_move, struct stream_args)
{
    const uint32_t to = step_lane();
    if (!pool_lane_has(&args->frame, to, args->survivors, 2 * (uint32_t)STREAM_MOVED + 1))
        return;
    const uint32_t slot = args->list[to];
    for (uint32_t word = 0; word < (uint32_t)STREAM_MOVED; ++word)
        *pool_at(&args->pool, to, word) = *pool_at(&args->from, slot, word);
    pool_kill(&args->from, slot);
}

KERNEL(stream_regenerate, struct stream_args)
{
    const struct frame_args *frame = &args->frame;
    const uint32_t rank = step_lane(), place = args->survivors + rank;
    if (rank >= args->begin)
        return;
    const uint32_t slot = args->vacancies ? args->vacancies[rank] : place;
    const uint64_t id = args->first + rank, sample = id / frame->pixel_count;
    if (args->vacancies)
        args->list[place] = slot;
    stage_begin(frame, &args->pool, slot, place_pixel(frame, (uint32_t)(id - sample * frame->pixel_count)),
                (uint32_t)sample);
}

TRACE_KERNEL(stream_trace, struct stream_args)
{
    step_trace(&args->frame, &args->pool, &args->slots, (uint32_t *)block_shared());
}

KERNEL(stream_surface, struct stream_args)
{
    (void)step_surface(&args->frame, &args->pool, &args->slots);
}

KERNEL(stream_light, struct stream_args)
{
    step_light(&args->frame, &args->pool, &args->slots);
}

TRACE_KERNEL(stream_shadow, struct stream_args)
{
    step_shadow(&args->frame, &args->pool, &args->slots, (uint32_t *)block_shared());
}

KERNEL(stream_shade, struct stream_args)
{
    step_shade(&args->frame, &args->pool, &args->slots);
}

KERNEL(stream_next, struct stream_args)
{
    (void)step_next(&args->frame, &args->pool, &args->slots, (uint32_t *)block_shared());
}
