// SPDX-License-Identifier: MIT
// Commands are complete when they return, so a stream holds nothing, and an event is a reading of the host's clock.
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "device/emulator/emulator.h"

struct device_stream {
    struct device *device;
};

struct device_event {
    bool recorded;
    struct timespec time;
};

struct device_stream *emulator_create_stream(struct device *device, struct error *error)
{
    (void)error;
    struct device_stream *stream = memory_new(1, sizeof *stream);
    stream->device = device;
    return stream;
}

void emulator_destroy_stream(struct device *device, struct device_stream *stream)
{
    (void)device;
    free(stream);
}

bool emulator_synchronize(struct device *device, struct device_stream *stream, struct error *error)
{
    (void)device, (void)stream, (void)error;
    return true;
}

struct device_event *emulator_create_event(struct device *device, struct error *error)
{
    (void)device, (void)error;
    return memory_new(1, sizeof(struct device_event));
}

void emulator_destroy_event(struct device *device, struct device_event *event)
{
    (void)device;
    free(event);
}

bool emulator_record(struct device *device, struct device_stream *stream, struct device_event *event,
                     struct error *error)
{
    (void)device, (void)stream;
    if (clock_gettime(CLOCK_MONOTONIC, &event->time) != 0)
        return error_set_errno(error, "read", "the monotonic clock");
    event->recorded = true;
    return true;
}

bool emulator_elapsed(struct device *device, struct device_event *from, struct device_event *to, double *seconds,
                      struct error *error)
{
    (void)device;
    if (!from->recorded || !to->recorded)
        return error_set(error, ERROR_USE, "the time between two events is asked for before both were recorded");
    *seconds = (double)(to->time.tv_sec - from->time.tv_sec) + 1e-9 * (double)(to->time.tv_nsec - from->time.tv_nsec);
    return true;
}
