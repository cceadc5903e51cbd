// SPDX-License-Identifier: MIT
// Streams are queues that run their commands in order; events are markers, whose times the queue records.
#include <stdlib.h>

#include "base/memory.h"
#include "device/opencl/opencl.h"

struct device_event {
    cl_event marker; // NULL before it is first recorded
};

static bool finish_streams(struct opencl_device *opencl, struct error *error)
{
    for (struct device_stream *stream = opencl->streams; stream; stream = stream->next)
        if (!OPENCL_CALL(error, Finish, stream->queue))
            return false;
    return true;
}

bool opencl_begin(struct device *device, const struct device_stream *stream, cl_command_queue *queue,
                  struct error *error)
{
    struct opencl_device *opencl = opencl_of(device);
    *queue = stream ? stream->queue : opencl->queue;
    return stream || finish_streams(opencl, error);
}

bool opencl_end(struct device *device, const struct device_stream *stream, struct error *error)
{
    return stream ? OPENCL_CALL(error, Flush, stream->queue) : OPENCL_CALL(error, Finish, opencl_of(device)->queue);
}

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

bool opencl_synchronize(struct device *device, struct device_stream *stream, struct error *error)
{
    struct opencl_device *opencl = opencl_of(device);
    if (stream)
        return OPENCL_CALL(error, Finish, stream->queue);
    return finish_streams(opencl, error) && OPENCL_CALL(error, Finish, opencl->queue);
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
