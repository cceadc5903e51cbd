// SPDX-License-Identifier: MIT
// The collection `stalls`: why warps waited, sampled over one frame, per launch and reason and per source line.
#include <stdlib.h>
#include <string.h>

#include "device/counters.h"
#include "trial/execute.h"
#include "trial/execution.h"

// Samples on their way into the measurement.
struct sampling {
    struct measurement *measurement;
    size_t room;
    uint32_t launch;
    bool failed; // no memory
};

// ---- rows

static int compare_places(const void *left, const void *right)
{
    const struct measured_stall *a = left, *b = right;
    int order = (a->launch > b->launch) - (a->launch < b->launch);
    order = order ? order : strcmp(a->kernel, b->kernel);
    order = order ? order : strcmp(a->file, b->file);
    order = order ? order : (a->line > b->line) - (a->line < b->line);
    return order ? order : strcmp(a->reason, b->reason);
}

// Sums what belongs together: afterwards no two rows have launch, kernel, line and reason in common.
static void merge(struct measurement *measurement)
{
    struct measured_stall *rows = measurement->stalls;
    size_t kept = 0;
    if (measurement->stall_count)
        qsort(rows, measurement->stall_count, sizeof *rows, compare_places);
    for (size_t i = 0; i < measurement->stall_count; ++i)
        if (kept && !compare_places(&rows[kept - 1], &rows[i]))
            rows[kept - 1].samples += rows[i].samples;
        else
            rows[kept++] = rows[i];
    measurement->stall_count = kept;
}

// Merges first: a frame of many launches visits the same lines again and again.
static bool make_room(struct sampling *sampling)
{
    enum { FIRST = 4096 };
    struct measurement *measurement = sampling->measurement;
    if (measurement->stall_count < sampling->room)
        return true;
    merge(measurement);
    if (2 * measurement->stall_count < sampling->room)
        return true;
    const size_t room = sampling->room ? 2 * sampling->room : FIRST;
    void *stalls = realloc(measurement->stalls, room * sizeof *measurement->stalls);
    if (!stalls)
        return false;
    measurement->stalls = stalls;
    sampling->room = room;
    return true;
}

static void add_row(struct sampling *sampling, uint32_t launch, const struct device_stall *sample, bool line)
{
    struct measurement *measurement = sampling->measurement;
    if (sampling->failed || !make_room(sampling)) {
        sampling->failed = true;
        return;
    }
    struct measured_stall *row = &measurement->stalls[measurement->stall_count++];
    *row = (struct measured_stall){.launch = launch, .line = line ? sample->line : 0, .samples = sample->samples};
    snprintf(row->kernel, sizeof row->kernel, "%s", sample->kernel);
    snprintf(row->reason, sizeof row->reason, "%s", sample->reason);
    snprintf(row->file, sizeof row->file, "%s", line ? sample->file : "");
}

static void visit(void *context, const struct device_stall *sample)
{
    struct sampling *sampling = context;
    add_row(sampling, sampling->launch, sample, false);
    add_row(sampling, MEASURED_FRAME, sample, true);
}

// ---- sampling

static bool take_samples(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    struct sampling *sampling = frame->internal->hook_context;
    struct device *device = frame->internal->device;
    uint64_t dropped = 0;
    (void)launch;
    sampling->launch = index;
    if (!device->ops->counters->stalls_take(device, visit, sampling, &dropped, error))
        return false;
    sampling->measurement->dropped += dropped;
    return !sampling->failed || error_memory(error, "for the samples of stalls");
}

static const struct frame_hooks stall_hooks = {.after = take_samples};

static bool execute_stalls_sample(struct execution *run, struct error *error)
{
    const struct device_counter_ops *counters = run->device->ops->counters;
    struct sampling sampling = {.measurement = run->measurement};
    if (!counters->stalls_begin(run->device, error))
        return false;
    run->internal.hook_context = &sampling;
    const bool done = execution_frame(run, &stall_hooks, false, error);
    run->internal.hook_context = NULL;
    counters->end(run->device);
    merge(run->measurement);
    return done;
}

bool execution_stalls(struct execution *run, const char **reason, struct error *error)
{
    struct hash first;
    *reason = "fixed";
    return execution_frame(run, NULL, true, error) && execution_hash_film(run, &first, NULL, error) &&
           execute_stalls_sample(run, error) && execution_same_film(run, first, "the sampling of stalls", error);
}
