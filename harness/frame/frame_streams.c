// SPDX-License-Identifier: MIT
// Streams of a frame: made when first chosen, forked from stream 0 and joined to it with one event each.
#include "frame/frame_parts.h"

static bool make(struct frame_internal *internal, uint32_t stream, struct error *error)
{
    struct device *device = internal->device;
    if (!internal->streams[stream])
        internal->streams[stream] = device->ops->create_stream(device, error);
    if (internal->streams[stream] && !internal->marks[stream])
        internal->marks[stream] = device->ops->create_event(device, error);
    return internal->marks[stream] != NULL;
}

// What follows on `to` begins after what `from` holds now.
static bool order(struct frame_internal *internal, uint32_t from, uint32_t to, struct error *error)
{
    struct device *device = internal->device;
    return make(internal, from, error) && make(internal, to, error) &&
           device->ops->record(device, internal->streams[from], internal->marks[from], error) &&
           device->ops->wait(device, internal->streams[to], internal->marks[from], error);
}

static bool has_one_stream(const struct frame_internal *internal)
{
    return internal->hooks || !internal->device->ops->wait;
}

bool frame_stream(struct frame *frame, uint32_t stream, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    const uint64_t bit = (uint64_t)1 << stream;
    if (stream >= FRAME_STREAMS)
        return error_set(error, ERROR_FAILED, "stream %u: a frame has %d", stream, FRAME_STREAMS);
    if (has_one_stream(internal))
        return true;
    if (stream && !(internal->forked & bit)) {
        if (!order(internal, 0, stream, error))
            return false;
        internal->forked |= bit;
    }
    internal->stream = internal->streams[stream];
    return true;
}

bool frame_follow(struct frame *frame, uint32_t from, uint32_t to, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    return frame_stream(frame, from, error) && frame_stream(frame, to, error) &&
           (has_one_stream(internal) || order(internal, from, to, error));
}

bool frame_join(struct frame *frame, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    for (uint32_t stream = 1; stream < FRAME_STREAMS; ++stream)
        if (internal->forked >> stream & 1 && !order(internal, stream, 0, error))
            return false;
    internal->forked = 0;
    internal->stream = internal->streams[0];
    return true;
}

void frame_streams_close(struct frame *frame)
{
    struct frame_internal *internal = frame->internal;
    for (uint32_t stream = 0; stream < FRAME_STREAMS; ++stream) {
        if (internal->marks[stream])
            internal->device->ops->destroy_event(internal->device, internal->marks[stream]);
        if (internal->streams[stream])
            internal->device->ops->destroy_stream(internal->device, internal->streams[stream]);
    }
}
