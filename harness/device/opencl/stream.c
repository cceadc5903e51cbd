// SPDX-License-Identifier: MIT
// Streams are queues that run their commands in order; events are markers, whose times the queue records.
#include <stdlib.h>

#include "base/memory.h"
#include "device/opencl/opencl.h"

struct device_event {
    cl_event marker; // NULL before it is first recorded
};

struct device_stream *opencl_create_stream(struct device *device, struct error *error)
{
    struct opencl_device *opencl = opencl_of(device);
    static const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int result;
    cl_command_queue queue =
        opencl_load(NULL)->CreateCommandQueueWithProperties(opencl->context, opencl->id, properties, &result);
    if (!opencl_check(result, "clCreateCommandQueueWithProperties", error))
        return NULL;
    struct device_stream *stream = memory_new(1, sizeof *stream);
    *stream = (struct device_stream){.next = opencl->streams, .queue = queue};
    opencl->streams = stream;
    return stream;
}

void opencl_destroy_stream(struct device *device, struct device_stream *stream)
{
    struct device_stream **link = &opencl_of(device)->streams;
    if (!stream)
        return;
    while (*link && *link != stream)
        link = &(*link)->next;
    if (*link)
        *link = stream->next;
    (void)OPENCL_CALL(NULL, Finish, stream->queue);
    opencl_workspace_finish(device, &stream->workspace);
    (void)OPENCL_CALL(NULL, ReleaseCommandQueue, stream->queue);
    free(stream);
}

// ---- events

struct device_event *opencl_create_event(struct device *device, struct error *error)
{
    (void)device, (void)error;
    return memory_new(1, sizeof(struct device_event));
}

static void forget(struct device_event *event)
{
    if (event->marker)
        (void)OPENCL_CALL(NULL, ReleaseEvent, event->marker);
    event->marker = NULL;
}

void opencl_destroy_event(struct device *device, struct device_event *event)
{
    (void)device;
    if (event)
        forget(event);
    free(event);
}

bool opencl_record(struct device *device, struct device_stream *stream, struct device_event *event, struct error *error)
{
    cl_command_queue queue;
    forget(event);
    return opencl_begin(device, stream, &queue, error) &&
           OPENCL_CALL(error, EnqueueMarkerWithWaitList, queue, 0, NULL, &event->marker) &&
           opencl_end(device, stream, error);
}

static bool time_of(const struct device_event *event, cl_ulong *nanoseconds, struct error *error)
{
    if (!event->marker)
        return error_set(error, ERROR_USE, "OpenCL: an event is read that was never recorded");
    return OPENCL_CALL(error, GetEventProfilingInfo, event->marker, CL_PROFILING_COMMAND_END, sizeof *nanoseconds,
                       nanoseconds, NULL);
}

bool opencl_elapsed(struct device *device, struct device_event *from, struct device_event *to, double *seconds,
                    struct error *error)
{
    cl_ulong begin, end;
    (void)device;
    if (!time_of(from, &begin, error) || !time_of(to, &end, error))
        return false;
    *seconds = ((double)end - (double)begin) * 1e-9;
    return true;
}

bool opencl_wait(struct device *device, struct device_stream *stream, struct device_event *event, struct error *error)
{
    cl_command_queue queue;
    return !event->marker || (opencl_begin(device, stream, &queue, error) &&
                              OPENCL_CALL(error, EnqueueBarrierWithWaitList, queue, 1, &event->marker, NULL) &&
                              opencl_end(device, stream, error));
}
