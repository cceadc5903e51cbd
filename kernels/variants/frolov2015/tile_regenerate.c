// SPDX-License-Identifier: MIT
// F-TILE: rounds over a pool of tiles. Every few rounds the dead ones are counted, and where they are many enough replaced
// by the next tiles of the image, deepest first once a pass has shown their depths.
#include "variants/frolov2015/rounds.h"

#include <stdio.h>

#include "variants/frolov2015/tile_regenerate.kernel.h"

enum { STANDARD_SLOTS = 1 << 21 }; // as of pool_refill

static const char *const kernels[] = ROUND_KERNELS("tile");

struct tile_regenerate {
    struct tile_regenerate_args args;
    uint32_t living;                                    // entries in which tiles begin; the others stay dead
    uint32_t *vacancies, *vacant, *sorted_keys, *order; // device; vacant: how many
};

static uint32_t side_of(const struct parameters *parameters)
{
    static const uint32_t sides[CHOICES_OF_tile_slots] = {
        [TILE_SLOTS_1] = 1, [TILE_SLOTS_16] = 4, [TILE_SLOTS_64] = 8, [TILE_SLOTS_256] = 16, [TILE_SLOTS_1024] = 32};
    return sides[parameters->tile_slots];
}

static bool tile_regenerate_supports(const struct parameters *parameters, const struct device_properties *device,
                                     char *reason, size_t size)
{
    const int64_t slots = (int64_t)side_of(parameters) * side_of(parameters);
    (void)device;
    if (parameters->pool == PARAMETER_AUTO || parameters->pool % slots == 0)
        return true;
    snprintf(reason, size, "a pool of %lld slots is no whole number of tiles of %lld: set pool or tile_slots",
             (long long)parameters->pool, (long long)slots);
    return false;
}

// How the image and the pool are divided.
static void divide(const struct frame *frame, struct tile_regenerate *state)
{
    struct tile_regenerate_args *args = &state->args;
    const int64_t asked = frame->parameters->pool, slots = asked == PARAMETER_AUTO ? STANDARD_SLOTS : asked;
    args->frame = frame->args;
    args->side = side_of(frame->parameters);
    args->across = (frame->args.width + args->side - 1) / args->side;
    args->tiles = args->across * ((frame->args.height + args->side - 1) / args->side);
    state->living = (uint32_t)(slots / (args->side * args->side));
    state->living = state->living < args->tiles ? state->living : args->tiles;
    args->entries = pool_with_dead(frame, state->living, 1);
    args->slots.count = args->entries * args->side * args->side;
    args->slots.compact = (uint32_t)frame->parameters->trace_compaction;
}

// Entries in which no tile ever begins count as live, so that no check takes them for vacant: their slots are dead.
static bool hold_dead(struct frame *frame, const struct tile_regenerate *state, struct error *error)
{
    const struct tile_regenerate_args *args = &state->args;
    const uint64_t share = (uint64_t)frame->parameters->dead_share;
    bool done = frame_fill(frame, args->live, 1, args->entries * sizeof(uint32_t), error);
    if (frame->parameters->dead_places == DEAD_PLACES_TOGETHER)
        return done && frame_fill(frame, args->live, 0, state->living * sizeof(uint32_t), error);
    for (uint64_t i = 0; done && i < state->living; ++i)
        done = frame_fill(frame, args->live + i * 100 / (100 - share), 0, sizeof(uint32_t), error);
    return done;
}

static bool tile_regenerate_prepare(struct frame *frame, struct error *error)
{
    struct tile_regenerate *state = frame->state = frame_state(frame, sizeof *state, error);
    if (!state)
        return false;
    struct tile_regenerate_args *args = &state->args;
    divide(frame, state);
    if (!pool_alloc(frame, args->slots.count, POOL_WORDS, &args->pool, error))
        return false;
    const size_t of_entries = args->entries * sizeof(uint32_t), of_tiles = args->tiles * sizeof(uint32_t);
    args->dead = frame_memory(frame, args->entries, error);
    args->live = frame_memory(frame, of_entries, error);
    args->tile = frame_memory(frame, of_entries, error);
    args->vacancies = state->vacancies = frame_memory(frame, of_entries, error);
    state->vacant = frame_memory(frame, sizeof(uint32_t), error);
    args->keys = frame_memory(frame, of_tiles, error);
    args->numbers = frame_memory(frame, of_tiles, error);
    state->sorted_keys = frame_memory(frame, of_tiles, error);
    state->order = frame_memory(frame, of_tiles, error);
    return args->dead && args->live && args->tile && state->vacancies && state->vacant && args->keys && args->numbers &&
           state->sorted_keys && state->order && hold_dead(frame, state, error);
}

// ---- a check

// Counts the dead entries, and lists them.
static bool check(struct frame *frame, const struct round *round, uint32_t *dead, struct error *error)
{
    const struct tile_regenerate *state = frame->state;
    const struct tile_regenerate_args *args = round->args;
    return round_step(frame, round, "tile_check", "check", args->entries, error) &&
           frame_select_flagged(frame, NULL, args->dead, state->vacancies, state->vacant, args->entries,
                                (int32_t)round->number, error) &&
           frame_read(frame, state->vacant, dead, 1, error);
}

static bool worth_it(const struct frame *frame, uint32_t entries, uint32_t live, uint32_t wanted)
{
    const uint32_t whole = frame->parameters->regenerate_of == REGENERATE_OF_POOL ? entries : live;
    return wanted > 0 && (live == 0 || (uint64_t)wanted * 100 > (uint64_t)frame->parameters->regenerate_above * whole);
}

// Replaces dead tiles by the next ones of the order, where they are enough. *over: nothing lives and nothing is left.
static bool regenerate(struct frame *frame, const struct round *round, bool *over, struct error *error)
{
    const struct tile_regenerate *state = frame->state;
    struct tile_regenerate_args *args = round->args;
    uint32_t dead = 0;
    if (!check(frame, round, &dead, error))
        return false;
    const uint32_t left = args->tiles - args->first, live = state->living - dead;
    args->count = dead < left ? dead : left;
    *over = live == 0 && left == 0;
    if (!worth_it(frame, state->living, live, args->count))
        return true;
    const uint64_t later = (uint64_t)(args->frame.samples - 1 - args->sample) * frame->pixels;
    frame_note(frame, &(struct bounce_counts){.queued = later}); // the launch itself counts those of its pass
    if (!round_step(frame, round, "tile_regenerate", "regenerate", args->count * args->side * args->side, error))
        return false;
    args->first += args->count;
    return true;
}

// ---- a pass

static bool sort_tiles(struct frame *frame, const struct round *round, struct error *error)
{
    const struct tile_regenerate *state = frame->state;
    struct tile_regenerate_args *args = round->args;
    if (frame->parameters->tile_order != TILE_ORDER_DEPTH || args->sample == 0)
        return true;
    args->order = state->order;
    return frame_sort(frame, args->keys, state->sorted_keys, args->numbers, state->order, args->tiles, TILE_KEY_BITS,
                      (int32_t)round->number, error);
}

// One sample of every pixel.
static bool render_pass(struct frame *frame, struct round *round, struct error *error)
{
    struct tile_regenerate_args *args = round->args;
    bool over = false;
    args->first = 0;
    if (!sort_tiles(frame, round, error))
        return false;
    for (uint32_t trip = 0;; ++trip, ++round->number) {
        if (trip % (uint32_t)frame->parameters->regenerate_every == 0 && !regenerate(frame, round, &over, error))
            return false;
        if (over)
            return true;
        if (!round_run(frame, round, error))
            return false;
    }
}

static bool tile_regenerate_render(struct frame *frame, struct error *error)
{
    const struct tile_regenerate *state = frame->state;
    struct tile_regenerate_args args = state->args;
    args.frame = frame->args;
    const uint32_t words = step_compact_words((uint32_t)frame->parameters->block, frame->properties->warp_width);
    struct round round = {.kernels = kernels,
                          .lanes = args.slots.count,
                          .args = &args,
                          .args_size = sizeof args,
                          .trace_shared = args.slots.compact ? words * sizeof(uint32_t) : 0};
    for (; args.sample < args.frame.samples; ++args.sample)
        if (!render_pass(frame, &round, error))
            return false;
    return true;
}

const struct variant variant_tile_regenerate = {
    .name = "tile_regenerate",
    .summary = "seven kernels over a pool of tiles; a tile whose paths have all ended is replaced as a whole, in place",
    .paper = "frolov2015",
    .estimator = &estimator_surface,
    .traces_alone = true,
    .parameters = {ROUND_PARAMETERS, .tile_slots = true, .tile_order = true, .regenerate_every = true,
                   .regenerate_above = true, .regenerate_of = true, .trace_compaction = true, .dead_share = true,
                   .dead_places = true},
    .supports = tile_regenerate_supports,
    .prepare = tile_regenerate_prepare,
    .render = tile_regenerate_render,
    .together = true,
    .all_samples = true,
};
