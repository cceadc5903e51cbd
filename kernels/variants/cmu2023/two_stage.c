// SPDX-License-Identifier: MIT
// C-2S: rounds of extend and logic over a pool of slots, until all samples are done.
#include "trial/pool.h"

#include <stdio.h>

#include "lib/queue.h"
#include "variants/cmu2023/two_stage.kernel.h"

struct two_stage {
    struct pool pool;
    struct two_stage_queue *queue; // device
    uint8_t *ended;                // the rest where tickets are ordered
    uint32_t *list, *waiting;
};

static bool ordered(const struct parameters *parameters)
{
    return parameters->tickets == TICKETS_ORDERED;
}

static bool prepare(struct frame *frame, struct error *error)
{
    struct two_stage *state = frame->state = frame_state(frame, sizeof *state, error);
    const uint32_t slots = pool_slots(frame, frame->pixels);
    if (!state || !pool_alloc(frame, slots, POOL_EXTENSION, &state->pool, error) ||
        !(state->queue = frame_memory(frame, sizeof *state->queue, error)))
        return false;
    if (!ordered(frame->parameters))
        return true;
    state->ended = frame_memory(frame, slots, error);
    state->list = frame_memory(frame, slots * sizeof *state->list, error);
    state->waiting = frame_memory(frame, sizeof *state->waiting, error);
    return state->ended && state->list && state->waiting;
}

static bool run(struct frame *frame, const struct two_stage_args *args, const char *kernel, const char *stage,
                uint32_t round, struct error *error)
{
    struct two_stage_args copy = *args;
    const struct pool_launch launch = {kernel, stage, args->count, &copy, sizeof copy, round};
    return pool_run(frame, &launch, error);
}

// Gives the next samples to slots that wait, in their order. args->begun: samples given out so far.
static bool refill(struct frame *frame, const struct two_stage *state, struct two_stage_args *args, uint32_t round,
                   struct error *error)
{
    uint32_t waiting;
    if (!ordered(frame->parameters) || args->begun == args->samples)
        return true;
    if (!frame_select_flagged(frame, NULL, state->ended, state->list, state->waiting, args->count, (int32_t)round,
                              error) ||
        !frame_read(frame, state->waiting, &waiting, 1, error))
        return false;
    struct two_stage_args given = *args;
    const uint64_t left = args->samples - args->begun;
    given.count = left < waiting ? (uint32_t)left : waiting;
    args->begun += given.count;
    if (given.count) // else nothing is launched that it could stand with
        frame_note(frame, &(struct bounce_counts){.begun = given.count, .queued = left});
    return run(frame, &given, "two_stage_refill", "regenerate", round, error);
}

static bool render(struct frame *frame, struct error *error)
{
    const struct two_stage *state = frame->state;
    struct two_stage_args args = {.frame = frame->args,
                                  .pool = state->pool,
                                  .queue = state->queue,
                                  .samples = pool_samples(frame),
                                  .begun = state->pool.slots,
                                  .ended = state->ended,
                                  .list = state->list,
                                  .count = state->pool.slots};
    frame_note(frame, &(struct bounce_counts){.begun = args.count, .queued = args.samples});
    if (!run(frame, &args, "two_stage_begin", "regenerate", 0, error))
        return false;
    uint64_t done = 0;
    for (uint32_t round = 0; done < args.samples; ++round)
        if (!run(frame, &args, "two_stage_extend", "trace", round, error) ||
            !run(frame, &args, "two_stage_logic", "logic", round, error) ||
            !frame_read(frame, (uint32_t *)&state->queue->done, (uint32_t *)&done, 2, error) ||
            !refill(frame, state, &args, round, error))
            return false;
    return true;
}

// Which slot takes which sample, and so which warps are mixed, is a race unless tickets are ordered.
static bool schedule_repeats(const struct parameters *parameters)
{
    return ordered(parameters);
}

static const char *const parameters[] = {POOL_PARAMETERS, "tickets", NULL};

const struct variant variant_two_stage = {
    .name = "two_stage",
    .summary = "rounds of two kernels, extend and logic, over a pool of slots that take sample after sample",
    .paper = "cmu2023",
    .estimator = &estimator_surface,
    .parameters = parameters,
    .prepare = prepare,
    .render = render,
    .all_samples = true,
    .schedule_repeats = schedule_repeats,
};
