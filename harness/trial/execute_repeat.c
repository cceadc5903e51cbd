// SPDX-License-Identifier: MIT
// Repetitions of one frame: timed as a whole, launch by launch, or counted.
#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "trial/execute.h"
#include "trial/execution.h"

static bool record_span(struct execution *run, int end, struct error *error)
{
    return !run->span[end] || run->device->ops->record(run->device, run->internal.stream, run->span[end], error);
}

// One frame between two clock reads; with `launches`, a pair of events around it and around each launch too.
bool execution_time_frame(struct execution *run, struct measured_repetition *row, struct error *error)
{
    const struct device_ops *ops = run->device->ops;
    const double start = clock_seconds();
    if (!record_span(run, 0, error) || !execution_render(run, error) || !record_span(run, 1, error) ||
        !ops->synchronize(run->device, run->internal.stream, error))
        return false;
    const double end = clock_seconds();
    *row = run->internal.totals;
    row->host_seconds = end - start;
    row->device_seconds = row->gap_seconds = NAN;
    return true;
}

// The stamps are kernels of their own: they are done before the first clock read, and begin after the last.
static bool stamp(struct execution *run, bool end, struct error *error)
{
    const struct device_ops *ops = run->device->ops;
    const enum collection collection = run->request->collection;
    if (!ops->clock_stamp || (collection != COLLECTION_FRAME && collection != COLLECTION_LAUNCHES))
        return true;
    return ops->clock_stamp(run->device, run->internal.stream, end, error) &&
           ops->synchronize(run->device, run->internal.stream, error);
}

static bool read_clock(struct execution *run, struct measured_repetition *row, struct error *error)
{
    const struct device_ops *ops = run->device->ops;
    return !ops->clock_stamp || run->request->collection == COLLECTION_COUNTS ||
           ops->clock_read(run->device, &row->sm_mhz, error);
}

static bool read_events(struct execution *run, struct measured_repetition *row, struct error *error)
{
    double launches;
    if (run->request->collection != COLLECTION_LAUNCHES)
        return true;
    if (!frame_events_read(&run->frame, &launches, error) ||
        !run->device->ops->elapsed(run->device, run->span[0], run->span[1], &row->device_seconds, error))
        return false;
    row->gap_seconds = row->device_seconds - launches;
    return true;
}

static const struct frame_hooks *hooks_of(enum collection collection)
{
    return collection == COLLECTION_COUNTS     ? &frame_count_hooks
           : collection == COLLECTION_LAUNCHES ? &frame_event_hooks
                                               : NULL;
}

static bool render_once(struct execution *run, struct measured_repetition *row, uint32_t repetition,
                        struct error *error)
{
    const enum collection collection = run->request->collection;
    if (!execution_clear(run, error))
        return false;
    frame_begin(&run->frame, hooks_of(collection), collection != COLLECTION_FRAME, repetition);
    if (collection == COLLECTION_COUNTS) {
        const struct bounce_counts *tree = executor_tree_counts(run->executor, error);
        if (!tree)
            return false;
        frame_note(&run->frame, tree);
    }
    return stamp(run, false, error) && execution_time_frame(run, row, error) && stamp(run, true, error) &&
           read_clock(run, row, error) && read_events(run, row, error) && execution_check_values(run, error);
}

bool execution_next_repetition(struct execution *run, struct measured_repetition **row, struct error *error)
{
    struct measurement *measurement = run->measurement;
    if (measurement->repetition_count == run->repetition_room) {
        const size_t room = run->repetition_room ? 2 * run->repetition_room : 16;
        if (!memory_resize(&measurement->repetitions, room, sizeof *measurement->repetitions, error,
                           "for %zu repetitions", room) ||
            !memory_resize(&run->host_seconds, room, sizeof *run->host_seconds, error, "for %zu repetitions", room))
            return false;
        run->repetition_room = room;
    }
    *row = &measurement->repetitions[measurement->repetition_count];
    return true;
}

// Counts are exact, and a device without a clock has nothing to repeat for.
static const char *find_policy(const struct execution *run, struct policy *policy)
{
    *policy = policy_once();
    if (run->request->collection == COLLECTION_COUNTS)
        return "fixed";
    if (!run->properties->times)
        return "untimed";
    *policy = run->request->policy;
    return NULL;
}

// With the launches' hooks, so that their events are made before anything is timed.
static bool warm_up(struct execution *run, const struct policy *policy, struct error *error)
{
    for (uint32_t i = 0; i < policy->warmups; ++i)
        if (!execution_frame(run, hooks_of(run->request->collection), false, error))
            return false;
    return true;
}

bool execution_repeat(struct execution *run, const char **reason, struct error *error)
{
    struct measurement *measurement = run->measurement;
    struct policy policy;
    const char *fixed = find_policy(run, &policy);
    if (!warm_up(run, &policy, error))
        return false;
    for (*reason = NULL; !*reason;) {
        struct measured_repetition *row = NULL;
        if (!execution_next_repetition(run, &row, error) ||
            !render_once(run, row, (uint32_t)measurement->repetition_count, error))
            return false;
        run->host_seconds[measurement->repetition_count++] = row->host_seconds;
        *reason = policy_stop(&policy, run->host_seconds, measurement->repetition_count);
    }
    if (fixed)
        *reason = fixed;
    return true;
}
