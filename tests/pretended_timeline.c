// SPDX-License-Identifier: MIT
// A timeline of what never ran: a clock that kernels alone move on, each by as much as its name says.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pretended_gpu.h"

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

struct pretended_timeline {
    uint64_t clock, begun, interval;
    bool running;
    struct device_timeline_kernel *kernels;
    uint32_t *lanes; // at work in each
    struct device_timeline_sample *samples;
    size_t kernel_count, sample_count;
};

void pretended_timeline_kernel(struct pretended_gpu *gpu, const char *name)
{
    struct pretended_timeline *timeline = gpu->timeline;
    if (!timeline)
        return;
    const uint64_t lasts = (pretends("slow", 1) ? SLOW : SHORT) + 10 * strlen(name);
    const uint64_t start = timeline->clock + GAP;
    timeline->clock = start + lasts;
    size_t count = timeline->kernel_count;
    *ARRAY_ADD(timeline->lanes, count) = strlen(name) % 2 ? 8 : 32;
    *ARRAY_ADD(timeline->kernels, timeline->kernel_count) = (struct device_timeline_kernel){start, timeline->clock};
}

bool pretended_timeline_open(struct device *device, struct error *error)
{
    struct pretended_gpu *gpu = pretended_of(device);
    if (gpu->timeline)
        return error_set(error, ERROR_USE, "a timeline is opened twice");
    gpu->timeline = memory_new(1, sizeof *gpu->timeline);
    gpu->timeline->clock = 1000000;
    return true;
}

void pretended_timeline_close(struct device *device)
{
    struct pretended_gpu *gpu = pretended_of(device);
    if (!gpu->timeline)
        return;
    free(gpu->timeline->kernels);
    free(gpu->timeline->lanes);
    free(gpu->timeline->samples);
    free(gpu->timeline);
    gpu->timeline = NULL;
}

bool pretended_timeline_prepare(struct device *device, uint64_t interval, uint64_t longest, struct error *error)
{
    struct pretended_timeline *timeline = pretended_of(device)->timeline;
    if (!timeline || timeline->interval || !longest)
        return error_set(error, ERROR_USE, "a timeline is prepared before it is opened, twice, or for no time");
    if (pretends("coarse", 1) && interval < COARSE)
        return error_set(error, ERROR_UNSUPPORTED, "the null device takes no samples so often (WARPSTUDY_NULL=coarse)");
    timeline->interval = interval;
    return true;
}

bool pretended_timeline_begin(struct device *device, bool sample, struct error *error)
{
    struct pretended_timeline *timeline = pretended_of(device)->timeline;
    if (!timeline || timeline->running || (sample && !timeline->interval))
        return error_set(error, ERROR_USE, "a timeline begins unopened, unprepared, or twice");
    timeline->running = sample;
    timeline->begun = timeline->clock;
    timeline->clock += sample ? IDLE * timeline->interval : 0;
    timeline->kernel_count = timeline->sample_count = 0;
    return true;
}

// What of the kernel lies in the sample.
static void add_overlap(const struct pretended_gpu *gpu, size_t kernel, struct device_timeline_sample *sample)
{
    const struct device_timeline_kernel *ran = &gpu->timeline->kernels[kernel];
    const uint64_t from = ran->start > sample->start ? ran->start : sample->start;
    const uint64_t to = ran->end < sample->end ? ran->end : sample->end;
    if (from >= to)
        return;
    const uint64_t cycles = (to - from) * CYCLES_TWICE / 2, instructions = (to - from) * INSTRUCTIONS;
    sample->active_cycles += cycles * gpu->null.properties.multiprocessors;
    sample->instructions += instructions;
    sample->thread_instructions += instructions * gpu->timeline->lanes[kernel];
    sample->warp_cycles += cycles * gpu->null.properties.multiprocessors * WARPS;
    sample->least_warp_cycles += cycles * (WARPS - 1);
    sample->most_warp_cycles += cycles * (WARPS + 1);
    sample->dram_bytes += (to - from) * DRAM_BYTES;
}

static void take_samples(struct pretended_gpu *gpu)
{
    struct pretended_timeline *timeline = gpu->timeline;
    const uint64_t step = timeline->interval, end = timeline->clock + IDLE * step;
    for (uint64_t start = timeline->begun; start < end; start += step) {
        struct device_timeline_sample *sample = ARRAY_ADD(timeline->samples, timeline->sample_count);
        *sample = (struct device_timeline_sample){.start = start, .end = start + step};
        sample->cycles = step * CYCLES_TWICE / 2 * gpu->null.properties.multiprocessors;
        for (size_t i = 0; i < timeline->kernel_count; ++i)
            add_overlap(gpu, i, sample);
    }
    timeline->clock = end;
}

bool pretended_timeline_end(struct device *device, struct device_timeline *taken, struct error *error)
{
    struct pretended_gpu *gpu = pretended_of(device);
    struct pretended_timeline *timeline = gpu->timeline;
    if (!timeline)
        return error_set(error, ERROR_USE, "a timeline ends that was not opened");
    if (timeline->running && pretends("overflow", ++gpu->windows))
        return error_set(error, ERROR_FAILED, "samples were lost (WARPSTUDY_NULL=overflow)");
    if (timeline->running)
        take_samples(gpu);
    timeline->running = false;
    *taken =
        (struct device_timeline){timeline->samples, timeline->kernels, timeline->sample_count, timeline->kernel_count};
    return true;
}
