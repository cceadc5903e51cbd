// SPDX-License-Identifier: MIT
#include "variants/cmu2023/schedule.h"

#include <stdio.h>
#include <string.h>

#include "variants/cmu2023/entries.h"

struct wavefront {
    const char *prefix;                               // of its kernels' names
    struct wavefront_args args;                       // as every launch has them, until it sets its own
    uint32_t *sorted_keys, *order, *keys, *places;    // of pool_order: cost
    uint32_t *ray_keys, *ray_slots, *ray_sorted_keys; // of ray_sort
    uint32_t *ray_sorted;
    struct wavefront_counters seen; // as they were read last
    uint32_t round;
};

// The kernels of each choice of `queues`; of a queue for each material the last three only with materials: tree.
static const char *const queue_kernels[][WAVEFRONT_QUEUES + 1] = {
    [QUEUES_MATERIAL] = {"matte", "glossy", "coated", "microfacet", "metal", "mixed", NULL},
    [QUEUES_MATTE] = {"matte", "any", NULL},
    [QUEUES_MERGED] = {"any", NULL},
};
enum { QUEUES_OF_SCENE = 3 };

static bool schedule_ordered(const struct frame *frame)
{
    return frame->parameters->tickets == TICKETS_ORDERED;
}

bool wavefront_repeats(const struct parameters *parameters)
{
    return parameters->tickets == TICKETS_ORDERED;
}

// Samples of a pixel in a batch: the parameter, and no more than there are.
static uint32_t batch_samples(const struct parameters *parameters)
{
    const bool all = parameters->batch == PARAMETER_AUTO || parameters->batch > parameters->spp;
    return (uint32_t)(all ? parameters->spp : parameters->batch);
}

bool wavefront_supports(const struct parameters *parameters, const struct device_properties *device, char *reason,
                        size_t size)
{
    const uint64_t samples = (uint64_t)(parameters->width * parameters->height) * batch_samples(parameters);
    (void)device;
    if (parameters->pool_order != POOL_ORDER_SHUFFLED || samples <= UINT32_MAX)
        return true;
    snprintf(reason, size, "pool_order: shuffled numbers the samples of a batch with 32 bits, and has %llu of them",
             (unsigned long long)samples);
    return false;
}

// ---- memory

static bool schedule_words(struct frame *frame, uint64_t count, uint32_t **memory, struct error *error)
{
    return (*memory = frame_memory(frame, count * sizeof **memory, error)) != NULL;
}

static bool prepare_lists(struct frame *frame, struct wavefront_args *args, struct error *error)
{
    const bool any = schedule_ordered(frame) || args->ray_list || args->queue_count;
    const uint64_t entries = (uint64_t)(LIST_MATERIAL + args->queue_count) * args->pool.slots;
    args->lists.slots = args->pool.slots;
    if (any && !schedule_words(frame, entries, &args->lists.entries, error))
        return false;
    if (!schedule_ordered(frame))
        return true;
    args->lists.marks = frame_memory(frame, entries, error);
    return args->lists.marks && frame_fill(frame, args->lists.marks, 0, entries, error);
}

static bool prepare_orders(struct frame *frame, struct wavefront *state, struct error *error)
{
    const uint64_t pixels = frame->pixels, slots = state->args.pool.slots;
    if (frame->parameters->pool_order == POOL_ORDER_COST &&
        !(schedule_words(frame, pixels, &state->keys, error) &&
          schedule_words(frame, pixels, &state->sorted_keys, error) &&
          schedule_words(frame, pixels, &state->places, error) && schedule_words(frame, pixels, &state->order, error) &&
          schedule_words(frame, pixels, &state->args.cost, error)))
        return false;
    return !state->args.ray_sort || (schedule_words(frame, slots, &state->ray_keys, error) &&
                                     schedule_words(frame, slots, &state->ray_sorted_keys, error) &&
                                     schedule_words(frame, slots, &state->ray_slots, error) &&
                                     schedule_words(frame, slots, &state->ray_sorted, error));
}

bool wavefront_prepare(struct frame *frame, const char *prefix, uint32_t kept, bool materials, struct error *error)
{
    struct wavefront *state = frame->state = frame_state(frame, sizeof *state, error);
    const struct parameters *parameters = frame->parameters;
    const uint64_t samples = (uint64_t)frame->pixels * batch_samples(parameters);
    if (!state)
        return false;
    struct wavefront_args *args = &state->args;
    state->prefix = prefix;
    args->ray_list = parameters->extend_over == EXTEND_OVER_RAYS;
    args->ray_sort = (int32_t)parameters->ray_sort;
    args->queues = (int32_t)parameters->queues;
    const uint32_t most = parameters->materials == MATERIALS_TREE ? WAVEFRONT_QUEUES : QUEUES_OF_SCENE;
    while (materials && args->queue_count < most && queue_kernels[args->queues][args->queue_count])
        args->queue_count += 1;
    const uint32_t slots = pool_slots(frame, frame->pixels);
    if (!pool_alloc(frame, samples < slots ? (uint32_t)samples : slots, kept, &args->pool, error) ||
        !(args->counters = frame_memory(frame, sizeof *args->counters, error)) || !prepare_lists(frame, args, error) ||
        !prepare_orders(frame, state, error))
        return false;
    if (parameters->accumulate == ACCUMULATE_BUFFER)
        args->results = frame_memory(frame, samples * sizeof *args->results, error);
    return parameters->accumulate != ACCUMULATE_BUFFER || args->results;
}

// ---- launches

// A kernel over `lanes` lanes; `stage` NULL: it advances no path.
static bool schedule_run(struct frame *frame, struct wavefront_args *args, const char *kernel, const char *stage,
                         uint32_t lanes, struct error *error)
{
    const struct wavefront *state = frame->state;
    char name[64];
    const uint32_t block = (uint32_t)frame->parameters->block;
    snprintf(name, sizeof name, "%s_%s", state->prefix, kernel);
    const struct frame_launch launch = {.kernel = name,
                                        .grid = (uint32_t)(((uint64_t)lanes + block - 1) / block),
                                        .block = block,
                                        .args = args,
                                        .args_size = sizeof *args,
                                        .stage = stage,
                                        .iteration = (int32_t)state->round,
                                        .bounce = -1,
                                        .auxiliary = !stage};
    return frame_launch(frame, &launch, error);
}

// Ordered tickets: puts the slots that are marked for a list on it, in their order.
static bool schedule_collect(struct frame *frame, uint32_t list, struct error *error)
{
    const struct wavefront *state = frame->state;
    const struct wavefront_args *args = &state->args;
    return !schedule_ordered(frame) ||
           frame_select_flagged(frame, NULL, list_mark(&args->lists, list, 0), list_entries(&args->lists, list),
                                &args->counters->listed[list], args->pool.slots, (int32_t)state->round, error);
}

static bool read_length(struct frame *frame, uint32_t list, struct error *error)
{
    struct wavefront *state = frame->state;
    return frame_read(frame, &state->args.counters->listed[list], &state->seen.listed[list], 1, error);
}

// Samples of the frame that are not begun.
static uint64_t not_begun(const struct frame *frame)
{
    const struct wavefront *state = frame->state;
    return (uint64_t)frame->pixels * (frame->args.samples - state->args.first) - state->args.begun;
}

// Ordered tickets: gives the next samples to slots that wait, in their order.
static bool schedule_refill(struct frame *frame, struct error *error)
{
    struct wavefront *state = frame->state;
    struct wavefront_args args = state->args;
    const uint64_t left = args.samples - args.begun;
    if (!schedule_ordered(frame) || !left)
        return true;
    if (!schedule_collect(frame, LIST_ENDED, error) || !read_length(frame, LIST_ENDED, error))
        return false;
    const uint32_t waiting = state->seen.listed[LIST_ENDED];
    args.list = list_entries(&args.lists, LIST_ENDED);
    args.count = left < waiting ? (uint32_t)left : waiting;
    if (args.count) // else nothing is launched that it could stand with
        frame_note(frame, &(struct bounce_counts){.begun = args.count, .queued = not_begun(frame)});
    state->args.begun += args.count;
    return schedule_run(frame, &args, "refill", "regenerate", args.count, error);
}

// Lists that the host has to know the lengths of, and the paths that have ended.
static bool read_counters(struct frame *frame, struct error *error)
{
    struct wavefront *state = frame->state;
    struct wavefront_counters *counters = state->args.counters;
    const uint32_t lists = state->args.queue_count + state->args.ray_list ? WAVEFRONT_LISTS : 0;
    uint32_t read[2 + WAVEFRONT_LISTS];
    if (!frame_read(frame, (uint32_t *)&counters->done, read, 2 + lists, error))
        return false;
    memcpy(&state->seen.done, read, sizeof state->seen.done);
    memcpy(state->seen.listed, read + 2, lists * sizeof *read);
    return true;
}

// ---- stages

// Closest hits of all slots, or of those on the list of rays; sorted, where that is asked for. It is launched for an
// empty list too, because it begins lists anew.
static bool extend_rays(struct frame *frame, bool first, struct error *error)
{
    struct wavefront *state = frame->state;
    struct wavefront_args args = state->args;
    if (args.ray_list && !first) {
        args.list = list_entries(&args.lists, LIST_RAYS);
        args.count = state->seen.listed[LIST_RAYS];
    }
    if (args.ray_sort && args.count) {
        args.keys = state->ray_keys;
        args.values = state->ray_slots;
        if (!schedule_run(frame, &args, "ray_keys", NULL, args.count, error) ||
            !frame_sort(frame, state->ray_keys, state->ray_sorted_keys, state->ray_slots, state->ray_sorted, args.count,
                        RAY_KEY_BITS, (int32_t)state->round, error))
            return false;
        args.list = state->ray_sorted;
    }
    return schedule_run(frame, &args, "extend", "trace", args.count ? args.count : 1, error);
}

static bool serve_queues(struct frame *frame, struct error *error)
{
    const struct wavefront *state = frame->state;
    for (uint32_t queue = 0; queue < state->args.queue_count; ++queue) {
        struct wavefront_args args = state->args;
        args.queue = queue;
        args.list = list_entries(&args.lists, LIST_MATERIAL + queue);
        args.count = state->seen.listed[LIST_MATERIAL + queue];
        if (args.count)
            frame_note(frame, &(struct bounce_counts){.queued = args.count});
        if (!schedule_run(frame, &args, queue_kernels[args.queues][queue], "material", args.count, error))
            return false;
    }
    return !state->args.ray_list || !state->args.queue_count ||
           (schedule_collect(frame, LIST_RAYS, error) && read_length(frame, LIST_RAYS, error));
}

// The paths that logic leaves to others: to queues of materials, or straight to the list of rays.
static bool collect_lists(struct frame *frame, struct error *error)
{
    const struct wavefront *state = frame->state;
    for (uint32_t queue = 0; queue < state->args.queue_count; ++queue)
        if (!schedule_collect(frame, LIST_MATERIAL + queue, error))
            return false;
    return !state->args.ray_list || state->args.queue_count || schedule_collect(frame, LIST_RAYS, error);
}

static bool run_round(struct frame *frame, bool first, struct error *error)
{
    struct wavefront *state = frame->state;
    struct wavefront_args args = state->args;
    return extend_rays(frame, first, error) && schedule_run(frame, &args, "logic", "logic", args.count, error) &&
           schedule_refill(frame, error) && collect_lists(frame, error) && read_counters(frame, error) &&
           (state->seen.done == args.samples || serve_queues(frame, error));
}

// ---- batches

// The order of the next batch: by what this one has cost.
static bool rank(struct frame *frame, struct error *error)
{
    struct wavefront *state = frame->state;
    struct wavefront_args args = state->args;
    uint32_t bits = 1;
    for (uint64_t most = (uint64_t)args.batch * (args.frame.max_bounces + 1); most >> bits; ++bits)
        continue;
    args.keys = state->keys;
    args.values = state->places;
    args.count = frame->pixels;
    state->args.order = state->order;
    return schedule_run(frame, &args, "rank", NULL, args.count, error) &&
           frame_sort(frame, state->keys, state->sorted_keys, state->places, state->order, frame->pixels, bits,
                      (int32_t)state->round, error);
}

static bool blend(struct frame *frame, struct error *error)
{
    const struct wavefront *state = frame->state;
    struct wavefront_args args = state->args;
    args.count = frame->pixels;
    return !args.results || schedule_run(frame, &args, "blend", "blend", args.count, error);
}

static bool schedule_begin(struct frame *frame, struct error *error)
{
    struct wavefront *state = frame->state;
    struct wavefront_args args = state->args;
    state->seen = (struct wavefront_counters){0};
    const uint64_t begun = args.samples < args.pool.slots ? args.samples : args.pool.slots;
    const uint64_t waiting = args.results && args.first == 0 ? args.samples * sizeof *args.results : 0;
    state->args.begun = 0;
    frame_note(frame, &(struct bounce_counts){.begun = begun, .queued = not_begun(frame), .result_bytes = waiting});
    state->args.begun = begun;
    return schedule_run(frame, &args, "begin", "regenerate", args.count, error);
}

static bool run_batch(struct frame *frame, struct error *error)
{
    struct wavefront *state = frame->state;
    bool first = true, done = schedule_begin(frame, error);
    for (; done && state->seen.done < state->args.samples; first = false, ++state->round)
        done = run_round(frame, first, error);
    return done && blend(frame, error);
}

bool wavefront_render(struct frame *frame, struct error *error)
{
    struct wavefront *state = frame->state;
    struct wavefront_args *args = &state->args;
    const uint32_t batch = batch_samples(frame->parameters), samples = frame->args.samples;
    args->frame = frame->args;
    args->count = args->pool.slots;
    args->order = NULL;
    state->round = 0;
    if (args->cost && !frame_clear(frame, args->cost, 0, frame->pixels * sizeof *args->cost, 0, error))
        return false;
    for (args->first = 0; args->first < samples; args->first += args->batch) {
        args->batch = samples - args->first < batch ? samples - args->first : batch;
        args->samples = (uint64_t)frame->pixels * args->batch;
        if (frame->parameters->pool_order == POOL_ORDER_SHUFFLED)
            args->shuffle = 2 * mix32(args->frame.seed ^ args->first) + 1;
        if (!run_batch(frame, error) || (args->cost && args->first + args->batch < samples && !rank(frame, error)))
            return false;
    }
    return true;
}
