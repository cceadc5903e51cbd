// SPDX-License-Identifier: MIT
// F-STREAM: rounds over the slots that live. Every few rounds all slots are scanned for them, and as many samples begin as
// there are free slots.
#include "variants/frolov2015/rounds.h"

#include "variants/frolov2015/stream_compact.kernel.h"

enum { STANDARD_SLOTS = 1 << 21 };         // as of pool_refill
enum { SURVIVORS, VACANCIES, LIST_COUNT }; // lists made of the flags

static const char *const kernels[] = ROUND_KERNELS("stream");

struct stream_compact {
    struct pool pools[2]; // the second one only where paths are moved
    uint8_t *flags[LIST_COUNT];
    uint32_t *lists[LIST_COUNT], *counts; // device; LIST_COUNT counts
};

static bool stream_compact_moves(const struct frame *frame)
{
    return frame->parameters->storage == STORAGE_MOVE;
}

static bool stream_compact_prepare(struct frame *frame, struct error *error)
{
    struct stream_compact *state = frame->state = frame_state(frame, sizeof *state, error);
    const uint32_t slots = pool_slots(frame, STANDARD_SLOTS);
    if (!state || !pool_alloc(frame, slots, POOL_WORDS, &state->pools[0], error) ||
        (stream_compact_moves(frame) && !pool_alloc(frame, slots, POOL_WORDS, &state->pools[1], error)))
        return false;
    for (int i = 0; i < LIST_COUNT; ++i) {
        state->flags[i] = frame_memory(frame, slots, error);
        state->lists[i] = frame_memory(frame, slots * sizeof(uint32_t), error);
        if (!state->flags[i] || !state->lists[i])
            return false;
    }
    return (state->counts = frame_memory(frame, LIST_COUNT * sizeof(uint32_t), error)) != NULL;
}

// Lists what lives, and where paths are to begin in free slots, those too.
static bool scan(struct frame *frame, const struct round *round, bool vacancies, struct error *error)
{
    const struct stream_compact *state = frame->state;
    struct stream_args *args = round->args;
    const int32_t number = (int32_t)round->number;
    args->survivors = 0;
    if (args->scanned == 0)
        return true;
    return round_step(frame, round, "stream_flag", "flag", args->scanned, error) &&
           frame_select_flagged(frame, NULL, args->lives, state->lists[SURVIVORS], state->counts + SURVIVORS,
                                args->scanned, number, error) &&
           (!vacancies || frame_select_flagged(frame, NULL, args->ended, state->lists[VACANCIES],
                                               state->counts + VACANCIES, args->scanned, number, error)) &&
           frame_read(frame, state->counts + SURVIVORS, &args->survivors, 1, error);
}

static bool move(struct frame *frame, const struct round *round, struct error *error)
{
    struct stream_args *args = round->args;
    const struct pool other = args->from;
    args->from = args->pool;
    args->pool = other;
    return round_step(frame, round, "stream_move", "move", args->survivors, error);
}

static bool stream_compact_regenerate(struct frame *frame, const struct round *round, struct error *error)
{
    struct stream_args *args = round->args;
    if (args->begin)
        frame_note(frame, &(struct bounce_counts){.begun = args->begin, .queued = pool_samples(frame) - args->first});
    if (!round_step(frame, round, "stream_regenerate", "regenerate", args->begin, error))
        return false;
    args->first += args->begin;
    return true;
}

// Makes the list of slots anew, or the pool itself, where paths are moved.
static bool compact(struct frame *frame, struct round *round, struct error *error)
{
    struct stream_args *args = round->args;
    const uint64_t left = pool_samples(frame) - args->first;
    if (!scan(frame, round, left > 0 && !stream_compact_moves(frame), error) ||
        (stream_compact_moves(frame) && !move(frame, round, error)))
        return false;
    const uint32_t vacant = args->pool.slots - args->survivors;
    args->begin = left < vacant ? (uint32_t)left : vacant;
    if (!stream_compact_regenerate(frame, round, error))
        return false;
    args->slots.count = round->lanes = args->survivors + args->begin;
    if (stream_compact_moves(frame))
        args->scanned = args->slots.count;
    return true;
}

static bool stream_compact_render(struct frame *frame, struct error *error)
{
    const struct stream_compact *state = frame->state;
    struct stream_args args = {.frame = frame->args,
                               .pool = state->pools[0],
                               .from = state->pools[1],
                               .lives = state->flags[SURVIVORS],
                               .ended = state->flags[VACANCIES],
                               .list = state->lists[SURVIVORS]};
    struct round round = {.kernels = kernels, .args = &args, .args_size = sizeof args};
    if (!stream_compact_moves(frame)) {
        args.scanned = args.pool.slots;
        args.slots.list = args.list;
        args.vacancies = state->lists[VACANCIES];
    }
    for (;; ++round.number) {
        if (round.number % (uint32_t)frame->parameters->compact_every == 0) {
            if (!compact(frame, &round, error))
                return false;
            if (args.slots.count == 0)
                return true;
        }
        if (!round_run(frame, &round, error))
            return false;
    }
}

const struct variant variant_stream_compact = {
    .name = "stream_compact",
    .summary =
        "seven kernels over a pool, compacted through indices or by moving paths, and refilled, every few rounds",
    .paper = "frolov2015",
    .estimator = &estimator_surface,
    .traces_alone = true,
    .parameters = {ROUND_PARAMETERS, .pixel_order = true, .storage = true, .compact_every = true},
    .prepare = stream_compact_prepare,
    .render = stream_compact_render,
    .together = true,
    .all_samples = true,
};
