// SPDX-License-Identifier: MIT
// Memory, streams and events of the cuda backend.
#include "device/cuda/backend.h"

#include <stdlib.h>

void *cuda_alloc(struct device *device, size_t bytes, struct error *error)
{
    cuda_address address = 0;
    // The driver refuses to allocate nothing, and aligns to 256 bytes by itself.
    if (!cuda_enter(device, error) || !CUDA_CALL(error, memory_alloc, &address, bytes ? bytes : 1))
        return NULL;
    return cuda_pointer(address);
}

void cuda_release(struct device *device, void *memory)
{
    if (memory && cuda_enter(device, NULL))
        (void)CUDA_CALL(NULL, memory_free, cuda_address_of(memory));
}

// A command on the default stream is complete on return.
static bool finish_default(struct device_stream *stream, struct error *error)
{
    return stream || CUDA_CALL(error, stream_synchronize, NULL);
}

bool cuda_upload(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                 struct error *error)
{
    return cuda_enter(device, error) &&
           CUDA_CALL(error, memory_upload, cuda_address_of(to), from, bytes, cuda_stream_of(stream)) &&
           finish_default(stream, error);
}

bool cuda_download(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                   struct error *error)
{
    return cuda_enter(device, error) &&
           CUDA_CALL(error, memory_download, to, cuda_address_of(from), bytes, cuda_stream_of(stream)) &&
           finish_default(stream, error);
}

bool cuda_fill(struct device *device, struct device_stream *stream, void *to, uint8_t value, size_t bytes,
               struct error *error)
{
    return cuda_enter(device, error) &&
           CUDA_CALL(error, memory_fill, cuda_address_of(to), value, bytes, cuda_stream_of(stream)) &&
           finish_default(stream, error);
}

struct device_stream *cuda_create_stream(struct device *device, struct error *error)
{
    enum { STREAM_DEFAULT = 0 }; // ordered with the default stream
    struct device_stream *stream = calloc(1, sizeof *stream);
    if (!stream) {
        error_set(error, ERROR_SYSTEM, "no memory for a stream");
        return NULL;
    }
    if (!cuda_enter(device, error) || !CUDA_CALL(error, stream_create, &stream->handle, STREAM_DEFAULT)) {
        free(stream);
        return NULL;
    }
    return stream;
}

void cuda_destroy_stream(struct device *device, struct device_stream *stream)
{
    if (!stream)
        return;
    if (cuda_enter(device, NULL)) {
        (void)CUDA_CALL(NULL, stream_synchronize, stream->handle);
        if (stream->scratch)
            (void)CUDA_CALL(NULL, memory_free, stream->scratch);
        (void)CUDA_CALL(NULL, stream_destroy, stream->handle);
    }
    free(stream);
}

bool cuda_synchronize(struct device *device, struct device_stream *stream, struct error *error)
{
    if (!cuda_enter(device, error))
        return false;
    const bool done =
        stream ? CUDA_CALL(error, stream_synchronize, stream->handle) : CUDA_CALL(error, context_synchronize, );
    if (!done)
        error_remedy(error, "compute-sanitizer, put before the same command, names the kernel and the line");
    return done;
}

struct device_event *cuda_create_event(struct device *device, struct error *error)
{
    enum { EVENT_DEFAULT = 0 }; // with timing
    struct device_event *event = calloc(1, sizeof *event);
    if (!event) {
        error_set(error, ERROR_SYSTEM, "no memory for an event");
        return NULL;
    }
    if (!cuda_enter(device, error) || !CUDA_CALL(error, event_create, &event->handle, EVENT_DEFAULT)) {
        free(event);
        return NULL;
    }
    return event;
}

void cuda_destroy_event(struct device *device, struct device_event *event)
{
    if (event && cuda_enter(device, NULL))
        (void)CUDA_CALL(NULL, event_destroy, event->handle);
    free(event);
}

bool cuda_record(struct device *device, struct device_stream *stream, struct device_event *event, struct error *error)
{
    return cuda_enter(device, error) && CUDA_CALL(error, event_record, event->handle, cuda_stream_of(stream));
}

bool cuda_elapsed(struct device *device, struct device_event *from, struct device_event *to, double *seconds,
                  struct error *error)
{
    float milliseconds = 0;
    if (!cuda_enter(device, error) || !CUDA_CALL(error, event_synchronize, to->handle) ||
        !CUDA_CALL(error, event_elapsed, &milliseconds, from->handle, to->handle))
        return false;
    *seconds = (double)milliseconds * 1e-3;
    return true;
}
