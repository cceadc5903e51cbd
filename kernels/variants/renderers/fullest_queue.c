// SPDX-License-Identifier: MIT
// The schedule of Blender's Cycles on GPUs: a pool of 16 paths for each resident thread, the stage with the fullest queue
// next, new paths once fewer than 4 for each thread live and the fullest queue is that of closest hits, and paths at
// surfaces grouped by material within partitions of 65536 slots.
//
// Numbers and order of events from its published source (blender/cycles, version 5.3.0 in development, commit 97dbe6f57,
// July 2026): src/integrator/path_trace_work_gpu.cpp (render_samples, enqueue_work_tiles, enqueue_path_iteration,
// get_most_queued_kernel, compact_main_paths), src/device/cuda/queue.cpp (num_concurrent_states,
// num_concurrent_busy_states), src/device/queue.h (num_sort_partitions). The code here is our own. It differs in that
//   - a shadow ray waits in its path's slot (fullest_queue.kernel.h), so that there is no second pool;
//   - queues are listed in the order of slots, and a stable sort groups them, where Cycles counts by atomic additions, so
//     that every count repeats itself on every device;
//   - new paths are samples in the order of pixels, pass after pass, where Cycles hands out tiles of pixels and samples.
#include "frame/pool.h"

#include "variants/renderers/fullest_queue.kernel.h"

enum { STATES_PER_THREAD = 16, LEAST_THREADS = 65536 }; // of a pool whose size is automatic
enum { NO_QUEUE = FULLEST_QUEUES };

static const struct {
    const char *kernel, *stage;
} stages[FULLEST_QUEUES] = {
    [FULLEST_TRACE] = {"fullest_trace", "trace"}, [FULLEST_SHADOW] = {"fullest_shadow", "shadow"},
    [FULLEST_MISS] = {"fullest_miss", "miss"},    [FULLEST_SURFACE] = {"fullest_surface", "surface"},
    [FULLEST_SHADE] = {"fullest_shade", "shade"},
};

struct fullest_state {
    struct fullest_args args; // as every launch has them, until it sets its own
    uint8_t *flags;
    uint32_t *list, *gaps, *keys, *sorted_keys, *values, *sorted, *found; // device; found: entries of a list
    uint32_t served[FULLEST_QUEUES], waiting[FULLEST_QUEUES];             // served: modulo 2^32, as arrived
    uint32_t extent;                                                      // slots from here on have no path
    uint32_t round;                                                       // a round ends with the stage trace
    uint64_t begun;
};

// ---- memory

static uint64_t standard_slots(const struct frame *frame)
{
    const struct device_properties *device = frame->properties;
    const uint64_t threads =
        (uint64_t)device->multiprocessors * device->max_warps_per_multiprocessor * device->warp_width;
    return STATES_PER_THREAD * (threads > LEAST_THREADS ? threads : LEAST_THREADS);
}

static bool fullest_queue_words(struct frame *frame, uint64_t count, uint32_t **memory, struct error *error)
{
    return (*memory = frame_memory(frame, count * sizeof **memory, error)) != NULL;
}

static bool fullest_queue_prepare(struct frame *frame, struct error *error)
{
    struct fullest_state *state = frame->state = frame_state(frame, sizeof *state, error);
    const uint32_t slots = pool_slots(frame, standard_slots(frame));
    return state && pool_alloc(frame, slots, FULLEST_WORDS, &state->args.pool, error) &&
           (state->flags = frame_memory(frame, slots, error)) != NULL &&
           fullest_queue_words(frame, slots, &state->list, error) &&
           fullest_queue_words(frame, slots, &state->gaps, error) &&
           fullest_queue_words(frame, slots, &state->keys, error) &&
           fullest_queue_words(frame, slots, &state->sorted_keys, error) &&
           fullest_queue_words(frame, slots, &state->values, error) &&
           fullest_queue_words(frame, slots, &state->sorted, error) &&
           fullest_queue_words(frame, 1, &state->found, error) &&
           fullest_queue_words(frame, FULLEST_QUEUES, &state->args.arrived, error);
}

// ---- launches

// A stage over args->count lanes.
static bool fullest_queue_run(struct frame *frame, struct fullest_args *args, const char *kernel, const char *stage,
                              struct error *error)
{
    const struct fullest_state *state = frame->state;
    return pool_run(frame,
                    &(struct pool_launch){.kernel = kernel,
                                          .stage = stage,
                                          .count = args->count,
                                          .args = args,
                                          .args_size = sizeof *args,
                                          .round = state->round},
                    error);
}

// Lists those of `count` slots from `first` on that wait in the queue, or as struct fullest_args has it for `wanted`.
// Entries count from `first`.
static bool list(struct frame *frame, uint32_t first, uint32_t count, uint32_t wanted, uint32_t *entries,
                 struct error *error)
{
    const struct fullest_state *state = frame->state;
    struct fullest_args args = state->args;
    args.first = first;
    args.count = count;
    args.wanted = wanted;
    args.flags = state->flags;
    return fullest_queue_run(frame, &args, "fullest_flag", "flag", error) &&
           frame_select_flagged(frame, NULL, state->flags, entries, state->found, count, (int32_t)state->round, error);
}

// ---- new paths

static uint32_t living(const struct fullest_state *state)
{
    uint32_t sum = 0;
    for (uint32_t queue = 0; queue < (uint32_t)FULLEST_QUEUES; ++queue)
        sum += state->waiting[queue];
    return sum;
}

// All paths to the first slots.
static bool fullest_queue_compact(struct frame *frame, uint32_t live, struct error *error)
{
    struct fullest_state *state = frame->state;
    struct fullest_args args = state->args;
    if (live > 0 && live < state->extent) {
        if (!list(frame, 0, live, POOL_DEAD, state->gaps, error) ||
            !list(frame, live, state->extent - live, FULLEST_QUEUES, state->list, error) ||
            !frame_read(frame, state->found, &args.count, 1, error))
            return false;
        args.first = live;
        args.list = state->list;
        args.gaps = state->gaps;
        if (!fullest_queue_run(frame, &args, "fullest_move", "move", error))
            return false;
    }
    state->extent = live;
    return true;
}

// Fills the pool, where few enough of its paths live.
static bool fullest_queue_refill(struct frame *frame, struct error *error)
{
    struct fullest_state *state = frame->state;
    struct fullest_args args = state->args;
    const uint32_t slots = args.pool.slots, live = living(state);
    const uint64_t left = pool_samples(frame) - state->begun;
    const bool few = live == 0 || 100 * (uint64_t)live < (uint64_t)frame->parameters->refill_below * slots;
    if (!left || !few || live == slots)
        return true;
    if (!fullest_queue_compact(frame, live, error))
        return false;
    args.sample = state->begun;
    args.first = live;
    args.count = left < slots - live ? (uint32_t)left : slots - live;
    frame_note(frame, &(struct bounce_counts){.begun = args.count, .queued = left});
    state->begun += args.count;
    state->extent += args.count;
    state->waiting[FULLEST_TRACE] += args.count;
    state->served[FULLEST_TRACE] -= args.count; // they have not arrived from a stage
    return fullest_queue_run(frame, &args, "fullest_begin", "regenerate", error);
}

// ---- stages

static uint32_t bits_of(uint64_t values)
{
    uint32_t bits = 0;
    while (bits < 32 && (uint64_t)1 << bits < values)
        ++bits;
    return bits;
}

// Groups the launch's slots by material within each partition. Where a key has no room for all materials, the last ones
// share a group.
static bool group(struct frame *frame, struct fullest_args *args, struct error *error)
{
    const struct fullest_state *state = frame->state;
    args->partition = (uint32_t)frame->parameters->partition;
    if (args->partition == 0)
        return true;
    const uint32_t partition_bits = bits_of((args->pool.slots - 1) / args->partition + 1);
    const uint32_t wanted = bits_of(args->frame.scene.material_count);
    args->material_bits = wanted < 31 - partition_bits ? wanted : 31 - partition_bits;
    args->keys = state->keys;
    args->values = state->values;
    const uint32_t block = (uint32_t)frame->parameters->block;
    const struct frame_launch launch = {.kernel = "fullest_keys",
                                        .grid = (args->count + block - 1) / block,
                                        .block = block,
                                        .args = args,
                                        .args_size = sizeof *args,
                                        .iteration = (int32_t)state->round,
                                        .bounce = -1,
                                        .auxiliary = true};
    if (!frame_launch(frame, &launch, error))
        return false;
    args->list = state->sorted;
    return frame_sort(frame, state->keys, state->sorted_keys, state->values, state->sorted, args->count,
                      partition_bits + args->material_bits, (int32_t)state->round, error);
}

// Serves all paths of a queue.
static bool fullest_queue_serve(struct frame *frame, uint32_t queue, struct error *error)
{
    struct fullest_state *state = frame->state;
    struct fullest_args args = state->args;
    uint32_t arrived[FULLEST_QUEUES];
    if (state->waiting[queue] < state->extent) {
        if (!list(frame, 0, state->extent, queue, state->list, error))
            return false;
        args.list = state->list;
    }
    args.count = state->waiting[queue];
    if ((queue == FULLEST_SURFACE && !group(frame, &args, error)) ||
        !fullest_queue_run(frame, &args, stages[queue].kernel, stages[queue].stage, error) ||
        !frame_read(frame, args.arrived, arrived, FULLEST_QUEUES, error))
        return false;
    state->served[queue] += args.count;
    state->round += queue == FULLEST_TRACE;
    for (uint32_t i = 0; i < (uint32_t)FULLEST_QUEUES; ++i)
        state->waiting[i] = arrived[i] - state->served[i];
    return true;
}

static uint32_t fullest(const struct fullest_state *state)
{
    uint32_t best = NO_QUEUE, most = 0;
    for (uint32_t queue = 0; queue < (uint32_t)FULLEST_QUEUES; ++queue)
        if (state->waiting[queue] > most) {
            best = queue;
            most = state->waiting[queue];
        }
    return best;
}

static bool fullest_queue_render(struct frame *frame, struct error *error)
{
    struct fullest_state *state = frame->state;
    struct fullest_args *args = &state->args;
    args->frame = frame->args;
    state->begun = state->round = state->extent = 0;
    for (uint32_t queue = 0; queue < (uint32_t)FULLEST_QUEUES; ++queue)
        state->served[queue] = state->waiting[queue] = 0;
    if (!frame_clear(frame, args->arrived, 0, FULLEST_QUEUES * sizeof *args->arrived, 0, error))
        return false;
    for (;;) {
        uint32_t queue = fullest(state);
        if ((queue == NO_QUEUE || queue == FULLEST_TRACE) && !fullest_queue_refill(frame, error))
            return false;
        queue = fullest(state);
        if (queue == NO_QUEUE)
            return true;
        if (!fullest_queue_serve(frame, queue, error))
            return false;
    }
}

const struct variant variant_fullest_queue = {
    .name = "fullest_queue",
    .summary =
        "five kernels over a pool, next the one that most paths wait for, as a production renderer schedules them",
    .paper = "",
    .estimator = &estimator_surface,
    .traces_alone = true,
    .parameters = {POOL_PARAMETERS, .refill_below = true, .partition = true},
    .prepare = fullest_queue_prepare,
    .render = fullest_queue_render,
    .all_samples = true,
};
