// SPDX-License-Identifier: MIT
// The collection `timeline`: samples of the whole device at equal intervals while a frame runs, and when each launch ran.
//
// A frame is rendered again and again: undisturbed, for its time and image; with a look at each launch, to learn how
// many kernels it is made of (libraries launch several); traced, to learn when its launches run; and once for each
// window that the traced one is cut into. Frames are equal bit for bit, so windows of different repeats fit together.
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/path.h"
#include "device/counters.h"
#include "trial/execute.h"
#include "trial/execution.h"

enum { PLAIN_FRAMES = 5 };

struct window {
    uint32_t first, last; // launches
    int64_t gap;          // before the first, in the traced frame
};

struct timeline {
    struct execution *run;
    uint32_t launches;
    uint32_t *kernels;           // of each launch
    struct measured_span *spans; // of each launch in the traced frame, then as sampled
    struct window *windows;
    size_t window_count, window; // of all; the one that is sampled
    int64_t end;                 // of the last launch that was sampled
    double start, seconds;       // on the host's clock: of this window; of all until now
};

static const struct device_counter_ops *counters_of(const struct timeline *timeline)
{
    return timeline->run->device->ops->counters;
}

// ---- frames without samples

static bool time_frames(struct execution *run, struct error *error)
{
    for (uint32_t i = 0; i < PLAIN_FRAMES; ++i) {
        struct measured_repetition *row = NULL;
        if (!execution_next_repetition(run, &row, error) || !execution_clear(run, error))
            return false;
        frame_begin(&run->frame, NULL, false, i);
        if (!execution_time_frame(run, row, error))
            return false;
        run->measurement->repetition_count += 1;
    }
    return true;
}

static bool begin_look(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    struct device *device = frame->internal->device;
    (void)launch, (void)index;
    return device->ops->counters->timeline_begin(device, false, error);
}

static bool end_look(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    struct timeline *timeline = frame->internal->hook_context;
    struct device_timeline taken;
    (void)launch;
    if (!counters_of(timeline)->timeline_end(timeline->run->device, &taken, error))
        return false;
    if (index >= timeline->launches)
        return error_set(error, ERROR_FAILED, "the frame had %u launches in one repeat and more in another",
                         timeline->launches);
    timeline->kernels[index] = (uint32_t)taken.kernel_count;
    return true;
}

static const struct frame_hooks look_hooks = {.before = begin_look, .after = end_look};

// ---- when launches run

// Spans of the launches of a window out of the kernels that ran in it, by its own clock from `from` on.
static bool find_spans(struct timeline *timeline, const struct window *window, const struct device_timeline *taken,
                       int64_t from, struct error *error)
{
    size_t kernel = 0, expected = 0;
    int64_t latest = from;
    for (uint32_t i = window->first; i <= window->last; ++i)
        expected += timeline->kernels[i];
    if (expected != taken->kernel_count)
        return error_set(error, ERROR_FAILED, "launches %u to %u ran %zu kernels in one repeat and %zu in another",
                         window->first, window->last, expected, taken->kernel_count);
    for (uint32_t i = window->first; i <= window->last; ++i) {
        struct measured_span *span = &timeline->spans[i];
        *span = (struct measured_span){i, (uint32_t)timeline->window, latest, latest};
        for (uint32_t k = 0; k < timeline->kernels[i]; ++k, ++kernel) {
            const int64_t start = (int64_t)(taken->kernels[kernel].start - taken->kernels[0].start) + from;
            const int64_t end = (int64_t)(taken->kernels[kernel].end - taken->kernels[0].start) + from;
            span->start = k ? span->start : start;
            span->end = end > span->end ? end : span->end;
        }
        latest = span->end;
    }
    return true;
}

// Seconds on the device of what spans tell.
static void add_times(const struct timeline *timeline, struct measured_repetition *row)
{
    row->device_seconds = row->gap_seconds = 0;
    if (timeline->launches)
        row->gap_seconds = row->device_seconds = 1e-9 * (double)timeline->spans[timeline->launches - 1].end;
    for (uint32_t i = 0; i < timeline->launches; ++i)
        row->gap_seconds -= 1e-9 * (double)(timeline->spans[i].end - timeline->spans[i].start);
}

static bool trace(struct timeline *timeline, struct error *error)
{
    struct execution *run = timeline->run;
    const struct window whole = {.last = timeline->launches - 1};
    struct measured_repetition *row = NULL;
    struct device_timeline taken;
    if (!execution_frame(run, &look_hooks, false, error) || !execution_next_repetition(run, &row, error) ||
        !execution_clear(run, error) || !counters_of(timeline)->timeline_begin(run->device, false, error))
        return false;
    frame_begin(&run->frame, NULL, false, PLAIN_FRAMES);
    if (!execution_time_frame(run, row, error) || !counters_of(timeline)->timeline_end(run->device, &taken, error) ||
        !find_spans(timeline, &whole, &taken, 0, error))
        return false;
    add_times(timeline, row);
    run->measurement->repetition_count += 1;
    return true;
}

// ---- windows

static bool too_long(const struct timeline *timeline, uint32_t launch, struct error *error)
{
    const struct measured_launch *row = &timeline->run->internal.rows.launches[launch];
    error_set(error, ERROR_UNSUPPORTED, "timeline: a launch of %s takes %.3g ms, longer than the window of %.3g ms",
              row->kernel, 1e-6 * (double)(timeline->spans[launch].end - timeline->spans[launch].start),
              1e-6 * (double)timeline->run->request->timeline.window);
    return error_remedy(error, "give a longer window (see `timeline` in %s), or render fewer paths",
                        path_shipped("docs/experiments.md"));
}

// Each as long as it may be. *longest: of them, in nanoseconds.
static bool cut(struct timeline *timeline, uint64_t *longest, struct error *error)
{
    const int64_t most = (int64_t)timeline->run->request->timeline.window;
    struct window *window = NULL;
    *longest = 1;
    for (uint32_t i = 0; i < timeline->launches; ++i) {
        const struct measured_span *span = &timeline->spans[i];
        if (span->end - span->start > most)
            return too_long(timeline, i, error);
        if (!window || span->end - timeline->spans[window->first].start > most) {
            window = ARRAY_ADD(timeline->windows, timeline->window_count);
            *window = (struct window){.first = i, .gap = i ? span->start - timeline->spans[i - 1].end : 0};
        }
        window->last = i;
        const uint64_t length = (uint64_t)(span->end - timeline->spans[window->first].start);
        *longest = length > *longest ? length : *longest;
    }
    return true;
}

// Samples that have a part in the window's launches, of which the first ran at `from`.
static void keep_samples(struct timeline *timeline, const struct device_timeline *taken, int64_t from)
{
    struct measurement *measurement = timeline->run->measurement;
    for (size_t i = 0; i < taken->sample_count; ++i) {
        const struct device_timeline_sample *sample = &taken->samples[i];
        const int64_t start = (int64_t)(sample->start - taken->kernels[0].start) + from;
        const int64_t end = (int64_t)(sample->end - taken->kernels[0].start) + from;
        if (end > from && start < timeline->end)
            *ARRAY_ADD(measurement->samples, measurement->sample_count) =
                (struct measured_sample){(uint32_t)timeline->window, start, end, *sample};
    }
}

static bool begin_window(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    struct timeline *timeline = frame->internal->hook_context;
    (void)launch;
    if (index != timeline->windows[timeline->window].first)
        return true;
    if (!counters_of(timeline)->timeline_begin(timeline->run->device, true, error))
        return false;
    timeline->start = clock_seconds();
    return true;
}

// A window begins as long after the one before as its first launch did in the traced frame.
static bool end_window(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    struct timeline *timeline = frame->internal->hook_context;
    const struct window *window = &timeline->windows[timeline->window];
    struct device *device = timeline->run->device;
    struct device_timeline taken;
    (void)launch;
    if (index != window->last)
        return true;
    if (!device->ops->synchronize(device, frame->internal->stream, error))
        return false;
    timeline->seconds += clock_seconds() - timeline->start;
    const int64_t from = timeline->end + window->gap;
    if (!counters_of(timeline)->timeline_end(device, &taken, error) ||
        !find_spans(timeline, window, &taken, from, error))
        return false;
    timeline->end = timeline->spans[window->last].end;
    if (taken.kernel_count)
        keep_samples(timeline, &taken, from);
    return true;
}

static const struct frame_hooks window_hooks = {.before = begin_window, .after = end_window};

static bool execute_timeline_sample(struct timeline *timeline, struct error *error)
{
    struct execution *run = timeline->run;
    uint64_t longest;
    struct measured_repetition *row = NULL;
    if (!cut(timeline, &longest, error) ||
        !counters_of(timeline)->timeline_prepare(run->device, run->request->timeline.interval, longest, error) ||
        !execution_frame(run, NULL, false, error) || !execution_next_repetition(run, &row, error))
        return false;
    for (; timeline->window < timeline->window_count; ++timeline->window)
        if (!execution_frame(run, &window_hooks, false, error))
            return false;
    *row = run->internal.totals;
    row->host_seconds = timeline->seconds;
    add_times(timeline, row);
    run->measurement->repetition_count += 1;
    for (uint32_t i = 0; i < timeline->launches; ++i)
        *ARRAY_ADD(run->measurement->spans, run->measurement->span_count) = timeline->spans[i];
    return true;
}

// ---- the whole

static bool execute_timeline_gather(struct timeline *timeline, struct error *error)
{
    const struct device_counter_ops *counters = counters_of(timeline);
    struct execution *run = timeline->run;
    if (!counters->timeline_open(run->device, error))
        return false;
    run->internal.hook_context = timeline;
    const bool done = trace(timeline, error) && execute_timeline_sample(timeline, error);
    run->internal.hook_context = NULL;
    counters->end(run->device);
    return done;
}

bool execution_timeline(struct execution *run, const char **reason, struct error *error)
{
    struct hash first;
    *reason = "fixed";
    if (!execution_frame(run, NULL, true, error) || !execution_hash_film(run, &first, NULL, error))
        return false;
    struct timeline timeline = {.run = run, .launches = run->internal.launch_index};
    timeline.kernels = memory_new(timeline.launches, sizeof *timeline.kernels);
    timeline.spans = memory_new(timeline.launches, sizeof *timeline.spans);
    const bool done = time_frames(run, error) && (!timeline.launches || execute_timeline_gather(&timeline, error)) &&
                      execution_same_film(run, first, "the sampling of a timeline", error);
    free(timeline.kernels);
    free(timeline.spans);
    free(timeline.windows);
    return done;
}
