// SPDX-License-Identifier: MIT
// The clock of the multiprocessors over a span: a kernel of one lane a block stores both clocks of each multiprocessor
// at either end.
#include "device/cuda/backend.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "lib/clock.h"

enum {
    SLOTS = 1024,       // multiprocessors told apart, by their numbers
    BLOCKS_EACH = 4,    // blocks per multiprocessor, so that each gets one
    LEAST_STEPS = 1000, // of the shared timer in a span: fewer leave an error over 0.2 percent
};

struct cuda_clock {
    struct device_program *program;
    const struct device_kernel *take;
    struct clock_slot *slots[2]; // on the device: begin, end
    uint64_t serial;
    double step; // nanoseconds between two values of the shared timer: 32 on an H200, 1000 and more on others
};

// The timer's step has to be found out: it is documented nowhere and differs from GPU to GPU.
static bool measure_step(struct device *device, struct cuda_clock *clock, struct error *error)
{
    uint64_t step = 0;
    const struct clock_step_args args = {(uint64_t *)clock->slots[0]};
    const struct device_launch launch = {.kernel = cuda_kernel(clock->program, "clock_step", error),
                                         .grid = 1,
                                         .block = 1,
                                         .args = &args,
                                         .args_size = sizeof args};
    const bool done = launch.kernel && cuda_launch(device, NULL, &launch, error) &&
                      cuda_download(device, NULL, &step, args.step, sizeof step, error);
    clock->step = (double)step;
    return done;
}

static bool clock_init(struct device *device, struct cuda_clock *clock, struct error *error)
{
    const size_t bytes = SLOTS * sizeof(struct clock_slot);
    clock->program = cuda_build_source(device, "lib/clock.h", NULL, error);
    clock->take = clock->program ? cuda_kernel(clock->program, "clock_take", error) : NULL;
    if (!clock->take)
        return false;
    for (int i = 0; i < 2; ++i) {
        clock->slots[i] = cuda_alloc(device, bytes, error);
        if (!clock->slots[i] || !cuda_fill(device, NULL, clock->slots[i], 0, bytes, error))
            return false;
    }
    return measure_step(device, clock, error) && cuda_fill(device, NULL, clock->slots[0], 0, bytes, error);
}

void cuda_clock_finish(struct device *device)
{
    struct cuda_clock *clock = cuda_device_of(device)->clock;
    if (!clock)
        return;
    for (int i = 0; i < 2; ++i)
        cuda_release(device, clock->slots[i]);
    cuda_release_program(device, clock->program);
    free(clock);
    cuda_device_of(device)->clock = NULL;
}

static struct cuda_clock *take_clock(struct device *device, struct error *error)
{
    struct cuda_device *cuda = cuda_device_of(device);
    if (cuda->clock)
        return cuda->clock;
    cuda->clock = memory_new(1, sizeof *cuda->clock);
    if (clock_init(device, cuda->clock, error))
        return cuda->clock;
    cuda_clock_finish(device);
    return NULL;
}

bool cuda_clock_stamp(struct device *device, struct device_stream *stream, bool end, struct error *error)
{
    struct cuda_clock *clock = take_clock(device, error);
    if (!clock)
        return false;
    clock->serial += !end;
    const struct clock_args args = {clock->slots[end], clock->serial, SLOTS};
    const struct device_launch launch = {.kernel = clock->take,
                                         .grid = BLOCKS_EACH * cuda_device_of(device)->properties.multiprocessors,
                                         .block = 1,
                                         .args = &args,
                                         .args_size = sizeof args};
    return cuda_launch(device, stream, &launch, error);
}

static int stamp_compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

// NAN where no multiprocessor was stamped at both ends, or the span is so short that the timer's step blurs it.
static double median_mhz(const struct cuda_clock *clock, const struct clock_slot *begin, const struct clock_slot *end)
{
    double rates[SLOTS];
    size_t count = 0;
    for (size_t i = 0; i < SLOTS; ++i) {
        if (begin[i].serial != clock->serial || end[i].serial != clock->serial)
            continue;
        const double span = (double)(end[i].stamp.nanoseconds - begin[i].stamp.nanoseconds);
        if (span >= LEAST_STEPS * clock->step)
            rates[count++] = (double)(end[i].stamp.cycles - begin[i].stamp.cycles) / span * 1e3;
    }
    qsort(rates, count, sizeof *rates, stamp_compare);
    return count ? rates[count / 2] : NAN;
}

bool cuda_clock_read(struct device *device, double *mhz, struct error *error)
{
    const size_t bytes = SLOTS * sizeof(struct clock_slot);
    const struct cuda_clock *clock = cuda_device_of(device)->clock;
    *mhz = NAN;
    if (!clock)
        return error_set(error, ERROR_USE, "no clock stamp was taken");
    struct clock_slot *here = memory_new(2 * SLOTS, sizeof *here);
    const bool done = cuda_download(device, NULL, here, clock->slots[0], bytes, error) &&
                      cuda_download(device, NULL, here + SLOTS, clock->slots[1], bytes, error);
    if (done)
        *mhz = median_mhz(clock, here, here + SLOTS);
    free(here);
    return done;
}
