// SPDX-License-Identifier: MIT
#include "device/opencl/opencl.h"

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

bool opencl_synchronize(struct device *device, struct device_stream *stream, struct error *error)
{
    struct opencl_device *opencl = opencl_of(device);
    if (stream)
        return OPENCL_CALL(error, Finish, stream->queue);
    return finish_streams(opencl, error) && OPENCL_CALL(error, Finish, opencl->queue);
}
