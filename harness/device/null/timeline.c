// SPDX-License-Identifier: MIT
// A timeline of what never ran: a clock that kernels alone move on, each by as much as its name says.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/null/null.h"

enum {
    GAP = 1000,        // nanoseconds before each kernel
    CYCLES_TWICE = 3,  // of a multiprocessor in two nanoseconds
    INSTRUCTIONS = 2,  // in a nanosecond of a kernel
    WARPS = 16,        // of a multiprocessor, in a kernel
    DRAM_BYTES = 1000, // in a nanosecond of a kernel
    IDLE = 3,          // samples before and after the work
    COARSE = 10000,    // nanoseconds
    SHORT = 7000,
    SLOW = 20000000,
};

struct null_timeline {
    uint64_t clock, begun, interval;
    bool running;
    struct device_timeline_kernel *kernels;
    uint32_t *lanes; // at work in each
    struct device_timeline_sample *samples;
    size_t kernel_count, sample_count;
};

void null_timeline_kernel(struct null_device *null, const char *name)
{
    struct null_timeline *timeline = null->timeline;
    if (!timeline)
        return;
    const uint64_t lasts = (null_pretends("slow", 1) ? SLOW : SHORT) + 10 * strlen(name);
    const uint64_t start = timeline->clock + GAP;
    timeline->clock = start + lasts;
    size_t count = timeline->kernel_count;
    *ARRAY_ADD(timeline->lanes, count) = strlen(name) % 2 ? 8 : 32;
    *ARRAY_ADD(timeline->kernels, timeline->kernel_count) = (struct device_timeline_kernel){start, timeline->clock};
}

bool null_timeline_open(struct device *device, struct error *error)
{
    struct null_device *null = null_of(device);
    if (null->timeline)
        return error_set(error, ERROR_USE, "a timeline is opened twice");
    null->timeline = memory_new(1, sizeof *null->timeline);
    null->timeline->clock = 1000000;
    return true;
}

void null_timeline_close(struct device *device)
{
    struct null_device *null = null_of(device);
    if (!null->timeline)
        return;
    free(null->timeline->kernels);
    free(null->timeline->lanes);
    free(null->timeline->samples);
    free(null->timeline);
    null->timeline = NULL;
}

bool null_timeline_prepare(struct device *device, uint64_t interval, uint64_t longest, struct error *error)
{
    struct null_timeline *timeline = null_of(device)->timeline;
    if (!timeline || timeline->interval || !longest)
        return error_set(error, ERROR_USE, "a timeline is prepared before it is opened, twice, or for no time");
    if (null_pretends("coarse", 1) && interval < COARSE)
        return error_set(error, ERROR_UNSUPPORTED, "the null device takes no samples so often (WARPSTUDY_NULL=coarse)");
    timeline->interval = interval;
    return true;
}

bool null_timeline_begin(struct device *device, bool sample, struct error *error)
{
    struct null_timeline *timeline = null_of(device)->timeline;
    if (!timeline || timeline->running || (sample && !timeline->interval))
        return error_set(error, ERROR_USE, "a timeline begins unopened, unprepared, or twice");
    timeline->running = sample;
    timeline->begun = timeline->clock;
    timeline->clock += sample ? IDLE * timeline->interval : 0;
    timeline->kernel_count = timeline->sample_count = 0;
    return true;
}

// What of the kernel lies in the sample.
static void add_overlap(const struct null_device *null, size_t kernel, struct device_timeline_sample *sample)
{
    const struct device_timeline_kernel *ran = &null->timeline->kernels[kernel];
    const uint64_t from = ran->start > sample->start ? ran->start : sample->start;
    const uint64_t to = ran->end < sample->end ? ran->end : sample->end;
    if (from >= to)
        return;
    const uint64_t cycles = (to - from) * CYCLES_TWICE / 2, instructions = (to - from) * INSTRUCTIONS;
    sample->active_cycles += cycles * null->properties.multiprocessors;
    sample->instructions += instructions;
    sample->thread_instructions += instructions * null->timeline->lanes[kernel];
    sample->warp_cycles += cycles * null->properties.multiprocessors * WARPS;
    sample->least_warp_cycles += cycles * (WARPS - 1);
    sample->most_warp_cycles += cycles * (WARPS + 1);
    sample->dram_bytes += (to - from) * DRAM_BYTES;
}

static void take_samples(struct null_device *null)
{
    struct null_timeline *timeline = null->timeline;
    const uint64_t step = timeline->interval, end = timeline->clock + IDLE * step;
    for (uint64_t start = timeline->begun; start < end; start += step) {
        struct device_timeline_sample *sample = ARRAY_ADD(timeline->samples, timeline->sample_count);
        *sample = (struct device_timeline_sample){.start = start, .end = start + step};
        sample->cycles = step * CYCLES_TWICE / 2 * null->properties.multiprocessors;
        for (size_t i = 0; i < timeline->kernel_count; ++i)
            add_overlap(null, i, sample);
    }
    timeline->clock = end;
}

bool null_timeline_end(struct device *device, struct device_timeline *taken, struct error *error)
{
    struct null_device *null = null_of(device);
    struct null_timeline *timeline = null->timeline;
    if (!timeline)
        return error_set(error, ERROR_USE, "a timeline ends that was not opened");
    if (timeline->running && null_pretends("overflow", ++null->windows))
        return error_set(error, ERROR_FAILED, "samples were lost (WARPSTUDY_NULL=overflow)");
    if (timeline->running)
        take_samples(null);
    timeline->running = false;
    *taken =
        (struct device_timeline){timeline->samples, timeline->kernels, timeline->sample_count, timeline->kernel_count};
    return true;
}
