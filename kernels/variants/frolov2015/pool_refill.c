// SPDX-License-Identifier: MIT
// F-NOREGEN: a pool is filled, its paths are followed stage by stage until all have ended, and it is filled anew.
#include "frame/pool.h"

#include "variants/frolov2015/pool_refill.kernel.h"

// At half as many, gaps between launches were 2.5 % of a frame of 5120x3072 on an H200.
enum { STANDARD_SLOTS = 1 << 21 };

struct refill {
    struct pool pool;
    uint32_t living; // slots in which paths begin
    uint32_t *ended; // device
};

// The stages of a round, in order.
static const struct {
    const char *kernel, *stage;
    bool decides;
} stages[] = {
    {"refill_trace", "trace", false},   {"refill_surface", "surface", false}, {"refill_light", "light", false},
    {"refill_shadow", "shadow", false}, {"refill_shade", "shade", false},     {"refill_next", "next", true},
};

static bool pool_refill_prepare(struct frame *frame, struct error *error)
{
    struct refill *refill = frame->state = frame_state(frame, sizeof *refill, error);
    const uint32_t warp = frame->properties->warp_width, living = pool_slots(frame, STANDARD_SLOTS);
    if (!refill || !pool_alloc(frame, pool_with_dead(frame, living, warp), POOL_WORDS, &refill->pool, error))
        return false;
    refill->living = living;
    return (refill->ended = frame_memory(frame, sizeof(uint32_t), error)) != NULL;
}

static bool run_round(struct frame *frame, struct refill_args *args, uint32_t round, struct error *error)
{
    for (size_t i = 0; i < sizeof stages / sizeof *stages; ++i) {
        const size_t shared = stages[i].decides ? pool_roulette_bytes(frame) : 0;
        const struct pool_launch launch = {stages[i].kernel, stages[i].stage, args->count, args,
                                           sizeof *args,     round,           shared};
        if (!pool_run(frame, &launch, error))
            return false;
    }
    return true;
}

static bool pool_refill_fill(struct frame *frame, struct refill_args *args, uint32_t round, struct error *error)
{
    const struct pool_launch launch = {"refill_begin", "regenerate", args->begins, args, sizeof *args, round, 0};
    frame_note(frame, &(struct bounce_counts){.begun = args->begins, .queued = pool_samples(frame) - args->first});
    return pool_run(frame, &launch, error);
}

static bool pool_refill_render(struct frame *frame, struct error *error)
{
    const struct refill *refill = frame->state;
    const uint64_t samples = pool_samples(frame);
    struct refill_args args = {.frame = frame->args, .pool = refill->pool, .ended = refill->ended};
    uint32_t round = 0;
    args.dead = (uint32_t)frame->parameters->dead_share;
    for (; args.first < samples; args.first += args.begins) {
        const uint64_t left = samples - args.first;
        args.begins = left < refill->living ? (uint32_t)left : refill->living;
        args.count = pool_with_dead(frame, args.begins, frame->properties->warp_width);
        if (!pool_refill_fill(frame, &args, round, error))
            return false;
        for (uint32_t ended = 0; ended < args.begins; ++round)
            if (!run_round(frame, &args, round, error) || !frame_read(frame, args.ended, &ended, 1, error))
                return false;
    }
    return true;
}

const struct variant variant_pool_refill = {
    .name = "pool_refill",
    .summary = "seven kernels over a pool of slots, filled anew once all of its paths have ended",
    .paper = "frolov2015",
    .estimator = &estimator_surface,
    .traces_alone = true,
    .parameters = {POOL_PARAMETERS, .dead_share = true, .dead_places = true},
    .prepare = pool_refill_prepare,
    .render = pool_refill_render,
    .together = true,
    .all_samples = true,
};
