// SPDX-License-Identifier: MIT
#include "variants/volpt2018/pooled_schedule.h"

#include "frame/pool.h"
#include "variants/volpt2018/pooled.h"

struct pooled {
    struct pooled_kernels kernels;
    struct path_store stores[2];
    uint32_t *words, *list, *listed, *grid_words; // device
    uint8_t *waits;
    uint32_t slots, grid;
    size_t bytes;
};

static bool pooled_schedule_ordered(const struct frame *frame)
{
    return frame->parameters->tickets == TICKETS_ORDERED;
}

static bool pooled_schedule_moves(const struct frame *frame)
{
    return ((const struct pooled *)frame->state)->kernels.compaction == POOLED_BY_DEVICE;
}

static struct frame_launch launch_of(const struct frame *frame, const char *kernel, struct pooled_args *args)
{
    const uint32_t block = (uint32_t)frame->parameters->block;
    return (struct frame_launch){
        .kernel = kernel,
        .grid = (args->count + block - 1) / block,
        .block = block,
        .shared_bytes = (block_rank_words(block, frame->properties->warp_width) + 1) * sizeof(uint32_t),
        .args = args,
        .args_size = sizeof *args,
        .bounce = -1,
    };
}

static void *pooled_schedule_allocate(struct frame *frame, size_t bytes, struct error *error)
{
    struct pooled *state = frame->state;
    state->bytes += bytes;
    return frame_memory(frame, bytes, error);
}

static bool allocate_all(struct frame *frame, struct error *error)
{
    struct pooled *state = frame->state;
    const size_t words = state->slots * sizeof(uint32_t);
    for (int i = 0; i < (pooled_schedule_moves(frame) ? 2 : 1); ++i) {
        if (!volume_store_alloc(frame, state->slots, &state->stores[i], error))
            return false;
        state->bytes += words * STORE_WORDS;
    }
    if (!(state->words = pooled_schedule_allocate(frame, POOLED_WORDS * sizeof *state->words, error)) ||
        !(state->grid_words =
              pooled_schedule_allocate(frame, queue_words(state->grid) * sizeof *state->grid_words, error)))
        return false;
    return !pooled_schedule_ordered(frame) ||
           ((state->list = pooled_schedule_allocate(frame, words, error)) &&
            (state->listed = pooled_schedule_allocate(frame, sizeof *state->listed, error)) &&
            (state->waits = pooled_schedule_allocate(frame, state->slots, error)));
}

bool pooled_prepare(struct frame *frame, const struct pooled_kernels *kernels, struct error *error)
{
    struct pooled *state = frame->state = frame_state(frame, sizeof *state, error);
    const bool one = kernels->whole && frame->parameters->launches == LAUNCHES_ONE;
    struct pooled_args args = {.frame = frame->args};
    if (!state)
        return false;
    state->kernels = *kernels;
    const struct frame_launch launch = launch_of(frame, one ? kernels->whole : kernels->extend, &args);
    if (!frame_resident_grid(frame, &launch, &state->grid, error))
        return false;
    const uint32_t needed = (volume_paths(frame) - 1) / launch.block + 1;
    state->grid = state->grid < needed ? state->grid : needed;
    state->slots = pool_slots(frame, (uint64_t)state->grid * launch.block);
    if (one)
        state->slots = state->grid * launch.block;
    return allocate_all(frame, error);
}

static bool pooled_schedule_run(struct frame *frame, const char *kernel, const char *stage, uint32_t round,
                                struct pooled_args *args, uint32_t count, struct error *error)
{
    args->count = count;
    struct frame_launch launch = launch_of(frame, kernel, args);
    launch.stage = stage;
    launch.iteration = (int32_t)round;
    return frame_launch(frame, &launch, error);
}

struct round {
    uint32_t number, begun, free; // paths begun; slots without one
};

// Begins as many paths as there are slots for them.
static bool pooled_schedule_refill(struct frame *frame, struct pooled_args *args, struct round *round,
                                   struct error *error)
{
    const struct pooled *state = frame->state;
    const uint32_t left = args->paths - round->begun, given = left < round->free ? left : round->free;
    if (given == 0)
        return true;
    frame_note(frame, &(struct bounce_counts){.queued = left});
    args->first = round->begun;
    round->begun += given;
    return pooled_schedule_run(frame, state->kernels.refill, "regenerate", round->number, args,
                               pooled_schedule_ordered(frame) ? given : state->slots, error);
}

// Ordered tickets: a list of the slots that are flagged.
static bool list_flagged(struct frame *frame, struct pooled_args *args, uint32_t scanned, uint32_t number,
                         uint32_t *count, struct error *error)
{
    const struct pooled *state = frame->state;
    args->list = state->list;
    return frame_select_flagged(frame, NULL, args->waits, state->list, state->listed, scanned, (int32_t)number,
                                error) &&
           frame_read(frame, state->listed, count, 1, error);
}

// After a round in which paths stay in their slot or block.
static bool finish_in_place(struct frame *frame, struct pooled_args *args, struct round *round, uint32_t *ended,
                            struct error *error)
{
    const struct pooled *state = frame->state;
    if (!frame_read(frame, state->words + POOLED_ENDED, ended, 1, error))
        return false;
    round->free = state->slots - (round->begun - *ended);
    uint32_t waiting;
    return !pooled_schedule_ordered(frame) || round->begun == args->paths ||
           list_flagged(frame, args, state->slots, round->number, &waiting, error);
}

// After a round that compacts over the device: the stores change places.
static bool finish_moved(struct frame *frame, struct pooled_args *args, struct round *round, uint32_t scanned,
                         uint32_t *ended, struct error *error)
{
    const struct pooled *state = frame->state;
    uint32_t words[POOLED_WORDS];
    if (!pooled_schedule_ordered(frame)) {
        if (!frame_read(frame, state->words, words, POOLED_KEPT + 1, error))
            return false;
        args->kept = words[POOLED_KEPT] - args->kept_before;
        args->kept_before = words[POOLED_KEPT];
    } else if (!list_flagged(frame, args, scanned, round->number, &args->kept, error) ||
               !pooled_schedule_run(frame, state->kernels.move, "move", round->number, args, args->kept, error)) {
        return false;
    }
    args->list = NULL;
    const struct path_store other = args->other;
    args->other = args->store;
    args->store = other;
    round->free = state->slots - args->kept;
    *ended = round->begun - args->kept;
    return true;
}

static bool render_rounds(struct frame *frame, struct pooled_args *args, struct error *error)
{
    const struct pooled *state = frame->state;
    struct round round = {.free = state->slots};
    for (uint32_t ended = 0; ended < args->paths; ++round.number) {
        const bool tail = round.begun == args->paths && pooled_schedule_moves(frame);
        if (!pooled_schedule_refill(frame, args, &round, error))
            return false;
        const uint32_t filled =
            pooled_schedule_ordered(frame) && pooled_schedule_moves(frame) ? round.begun - ended : state->slots;
        const uint32_t scanned = tail ? args->kept : filled;
        if (!pooled_schedule_run(frame, state->kernels.extend, "extend", round.number, args, scanned, error) ||
            !(pooled_schedule_moves(frame) ? finish_moved(frame, args, &round, scanned, &ended, error)
                                           : finish_in_place(frame, args, &round, &ended, error)))
            return false;
    }
    return true;
}

bool pooled_render(struct frame *frame, struct error *error)
{
    const struct pooled *state = frame->state;
    struct pooled_args args = {
        .frame = frame->args,
        .store = state->stores[0],
        .other = state->stores[1],
        .words = state->words,
        .paths = volume_paths(frame),
        .waits = state->waits,
        .queue = {state->grid_words, volume_paths(frame)},
    };
    const size_t grid_bytes = queue_words(state->grid) * sizeof *state->grid_words;
    if (!frame_clear(frame, state->words, 0, POOLED_WORDS * sizeof *state->words, 0, error) ||
        !frame_clear(frame, state->grid_words, 0, grid_bytes, 0, error))
        return false;
    frame_note(frame, &(struct bounce_counts){.scheme_bytes = state->bytes});
    if (!state->kernels.whole || frame->parameters->launches == LAUNCHES_MANY)
        return render_rounds(frame, &args, error);
    args.count = state->slots;
    struct frame_launch launch = launch_of(frame, state->kernels.whole, &args);
    launch.cooperative = true;
    launch.stage = "extend";
    return frame_launch(frame, &launch, error);
}

bool pooled_repeats(const struct parameters *parameters)
{
    return parameters->tickets == TICKETS_ORDERED;
}
