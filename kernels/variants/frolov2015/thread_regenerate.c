// SPDX-License-Identifier: MIT
// N-THREAD: rounds over a pool of slots that take path after path, until all samples are done.
#include "variants/frolov2015/rounds.h"

#include "variants/frolov2015/thread_regenerate.kernel.h"

enum { STANDARD_SLOTS = 1 << 21 }; // as of pool_refill

static const char *const kernels[] = ROUND_KERNELS("thread");

struct thread_regenerate {
    struct thread_args args;
    uint32_t *list, *waiting; // device; ordered tickets
};

static bool from_queue(const struct parameters *parameters)
{
    return parameters->next_path == NEXT_PATH_QUEUE;
}

static bool thread_regenerate_ordered(const struct parameters *parameters)
{
    return from_queue(parameters) && parameters->tickets == TICKETS_ORDERED;
}

// A slot that keeps its pixel has one of its own.
static uint32_t slots_of(const struct frame *frame)
{
    const uint32_t slots = pool_slots(frame, STANDARD_SLOTS);
    return from_queue(frame->parameters) || slots < frame->pixels ? slots : frame->pixels;
}

static bool thread_regenerate_prepare(struct frame *frame, struct error *error)
{
    struct thread_regenerate *state = frame->state = frame_state(frame, sizeof *state, error);
    if (!state)
        return false;
    struct thread_args *args = &state->args;
    const uint32_t slots = args->slots.count = slots_of(frame);
    const size_t words = slots * sizeof(uint32_t);
    if (!pool_alloc(frame, slots, POOL_WORDS, &args->pool, error) ||
        !(args->queue = frame_memory(frame, sizeof *args->queue, error)) ||
        !(args->waits = frame_memory(frame, slots, error)))
        return false;
    if (!from_queue(frame->parameters))
        return (args->place = frame_memory(frame, words, error)) && (args->sample = frame_memory(frame, words, error));
    args->ordered = thread_regenerate_ordered(frame->parameters);
    args->list = state->list = frame_memory(frame, words, error);
    return state->list && (state->waiting = frame_memory(frame, sizeof *state->waiting, error));
}

// Ordered tickets: the next samples go to the slots that wait, in their order.
static bool thread_regenerate_refill(struct frame *frame, const struct round *round, struct error *error)
{
    const struct thread_regenerate *state = frame->state;
    struct thread_args *args = round->args;
    const uint64_t left = args->samples - args->first;
    uint32_t waiting = 0;
    if (!args->ordered || left == 0)
        return true;
    if (!frame_select_flagged(frame, NULL, args->waits, state->list, state->waiting, args->slots.count,
                              (int32_t)round->number, error) ||
        !frame_read(frame, state->waiting, &waiting, 1, error))
        return false;
    args->given = left < waiting ? (uint32_t)left : waiting;
    if (args->given)
        frame_note(frame, &(struct bounce_counts){.begun = args->given, .queued = left});
    if (!round_step(frame, round, "thread_refill", "regenerate", args->given, error))
        return false;
    args->first += args->given;
    return true;
}

static bool thread_regenerate_render(struct frame *frame, struct error *error)
{
    const struct thread_regenerate *state = frame->state;
    struct thread_args args = state->args;
    args.frame = frame->args;
    args.samples = pool_samples(frame);
    args.first = args.slots.count;
    struct round round = {.kernels = kernels, .lanes = args.slots.count, .args = &args, .args_size = sizeof args};
    frame_note(frame, &(struct bounce_counts){.begun = args.slots.count, .queued = args.samples});
    if (!round_step(frame, &round, "thread_begin", "regenerate", round.lanes, error))
        return false;
    for (uint64_t done = 0; done < args.samples; ++round.number)
        if (!round_run(frame, &round, error) ||
            !frame_read(frame, (uint32_t *)&args.queue->done, (uint32_t *)&done, 2, error) ||
            !thread_regenerate_refill(frame, &round, error))
            return false;
    return true;
}

// Which slot takes which sample of an atomic queue, and so which warps are mixed, is a race.
static bool schedule_repeats(const struct parameters *parameters)
{
    return !from_queue(parameters) || thread_regenerate_ordered(parameters);
}

const struct variant variant_thread_regenerate = {
    .name = "thread_regenerate",
    .summary = "seven kernels over a pool of slots, each of which takes its next path as soon as one has ended",
    .paper = "frolov2015",
    .estimator = &estimator_surface,
    .traces_alone = true,
    .parameters = {ROUND_PARAMETERS, .pixel_order = true, .next_path = true, .tickets = true},
    .prepare = thread_regenerate_prepare,
    .render = thread_regenerate_render,
    .together = true,
    .all_samples = true,
    .schedule_repeats = schedule_repeats,
};
