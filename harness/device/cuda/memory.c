// SPDX-License-Identifier: MIT
// Memory, streams and events of the cuda backend.
#include "device/cuda/backend.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MIB = 1 << 20 };

// Names what was wanted beside what there is.
static bool say_full(const struct cuda_device *device, size_t bytes, struct error *error)
{
    size_t left = 0, all = 0;
    if (!error || !CUDA_CALL(NULL, memory_info, &left, &all))
        return false; // the driver's words stay
    const struct error cause = *error;
    error_set(error, cause.kind, "%s has no memory for %.1f MiB more: %.1f of its %.1f MiB are free (%s)",
              device->properties.name, (double)bytes / MIB, (double)left / MIB, (double)all / MIB, cause.message);
    return error_remedy(error, "%s", cause.remedy);
}

void *cuda_alloc(struct device *device, size_t bytes, struct error *error)
{
    CUdeviceptr address = 0;
    if (!cuda_enter(device, error))
        return NULL;
    // The driver refuses to allocate nothing, and aligns to 256 bytes by itself.
    if (CUDA_CALL(error, memory_alloc, &address, bytes ? bytes : 1))
        return cuda_pointer(address);
    if (error && error->kind == ERROR_SYSTEM)
        say_full(cuda_device_of(device), bytes, error);
    return NULL;
}

void *cuda_alloc_host(struct device *device, size_t bytes, struct error *error)
{
    void *memory = NULL;
    if (!cuda_enter(device, error) || !CUDA_CALL(error, host_alloc, &memory, bytes ? bytes : 1, 0))
        return NULL;
    return memory;
}

void cuda_release_host(struct device *device, void *memory)
{
    if (memory && cuda_enter(device, NULL))
        (void)CUDA_CALL(NULL, host_free, memory);
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

// ---- textures

bool cuda_create_texture(struct device *device, const uint32_t *words, uint64_t count, uint64_t *texture,
                         struct error *error)
{
    const struct cuda_device *cuda = cuda_device_of(device);
    const CUDA_TEXTURE_DESC description = {
        .addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP},
        .filterMode = CU_TR_FILTER_MODE_POINT,
        .flags = CU_TRSF_READ_AS_INTEGER};
    const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR,
                                         .res.linear = {.devPtr = cuda_address_of(words),
                                                        .format = CU_AD_FORMAT_UNSIGNED_INT32,
                                                        .numChannels = 1,
                                                        .sizeInBytes = count * sizeof *words}};
    CUtexObject handle = 0;
    int most = 0;
    *texture = 0;
    if (!cuda_enter(device, error) ||
        !CUDA_CALL(error, device_attribute, &most, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH, cuda->handle))
        return false;
    if (count > (uint64_t)most) {
        error_set(error, ERROR_UNSUPPORTED, "a texture of %llu words: those of %s have at most %d",
                  (unsigned long long)count, cuda->properties.name, most);
        return error_remedy(error, "choose other loads, or fewer bits");
    }
    if (!CUDA_CALL(error, texture_create, &handle, &resource, &description, NULL))
        return false;
    *texture = handle;
    return true;
}

void cuda_release_texture(struct device *device, uint64_t texture)
{
    if (texture && cuda_enter(device, NULL))
        (void)CUDA_CALL(NULL, texture_destroy, texture);
}

// ---- small downloads

// A copy into pageable memory makes the driver wait and copy twice. Small ones, such as the list lengths that are read
// within a frame, land in pinned memory instead and are handed over when the stream is synchronised. Copy and
// synchronisation of 4 bytes on an H200: 6.1 us, and 6.6 into pageable memory.
enum { STAGED_MOST = 256, STAGED_PENDING = 16 };

struct cuda_staging {
    unsigned char (*slots)[STAGED_MOST]; // pinned
    struct {
        void *to;
        size_t bytes;
    } pending[STAGED_PENDING];
    size_t count;
};

static struct cuda_staging *create_staging(void)
{
    struct cuda_staging *staging = calloc(1, sizeof *staging);
    void *slots = NULL;
    if (staging && CUDA_CALL(NULL, host_alloc, &slots, (size_t)STAGED_PENDING * STAGED_MOST, 0)) {
        staging->slots = slots;
        return staging;
    }
    free(staging);
    return NULL;
}

static void destroy_staging(struct cuda_staging *staging)
{
    if (staging)
        (void)CUDA_CALL(NULL, host_free, staging->slots);
    free(staging);
}

// What has arrived goes where it belongs; the stream is idle.
static void hand_over(struct cuda_staging *staging)
{
    for (size_t i = 0; staging && i < staging->count; ++i)
        memcpy(staging->pending[i].to, staging->slots[i], staging->pending[i].bytes);
    if (staging)
        staging->count = 0;
}

static bool finish_stream(struct device_stream *stream, struct error *error)
{
    if (CUDA_CALL(error, stream_synchronize, stream->handle)) {
        hand_over(stream->staging);
        return true;
    }
    if (stream->staging)
        stream->staging->count = 0;
    return false;
}

static bool download_staged(struct device_stream *stream, void *to, const void *from, size_t bytes, struct error *error)
{
    struct cuda_staging *staging = stream->staging;
    if (staging->count == STAGED_PENDING && !finish_stream(stream, error))
        return false;
    if (!CUDA_CALL(error, memory_download, staging->slots[staging->count], cuda_address_of(from), bytes,
                   stream->handle))
        return false;
    staging->pending[staging->count].to = to;
    staging->pending[staging->count++].bytes = bytes;
    return true;
}

bool cuda_download(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                   struct error *error)
{
    if (!cuda_enter(device, error))
        return false;
    if (stream && bytes <= STAGED_MOST) {
        if (!stream->staging)
            stream->staging = create_staging();
        if (stream->staging)
            return download_staged(stream, to, from, bytes, error);
    }
    // One that is still pending must not overwrite this one later.
    if (stream && stream->staging && stream->staging->count && !finish_stream(stream, error))
        return false;
    return CUDA_CALL(error, memory_download, to, cuda_address_of(from), bytes, cuda_stream_of(stream)) &&
           finish_default(stream, error);
}

bool cuda_fill(struct device *device, struct device_stream *stream, void *to, uint8_t value, size_t bytes,
               struct error *error)
{
    return cuda_enter(device, error) &&
           CUDA_CALL(error, memory_fill, cuda_address_of(to), value, bytes, cuda_stream_of(stream)) &&
           finish_default(stream, error);
}

// ---- streams

struct device_stream *cuda_create_stream(struct device *device, struct error *error)
{
    enum { STREAM_DEFAULT = 0 }; // ordered with the default stream
    struct device_stream *stream = memory_new(1, sizeof *stream);
    if (!cuda_enter(device, error) || !CUDA_CALL(error, stream_create, &stream->handle, STREAM_DEFAULT)) {
        free(stream);
        return NULL;
    }
    stream->next = cuda_device_of(device)->streams;
    cuda_device_of(device)->streams = stream;
    return stream;
}

void cuda_destroy_stream(struct device *device, struct device_stream *stream)
{
    if (!stream)
        return;
    struct device_stream **place = &cuda_device_of(device)->streams;
    while (*place != stream)
        place = &(*place)->next;
    *place = stream->next;
    if (cuda_enter(device, NULL)) {
        finish_stream(stream, NULL);
        cuda_workspace_finish(&stream->workspace);
        cuda_workspace_finish(&stream->arguments);
        destroy_staging(stream->staging);
        (void)CUDA_CALL(NULL, stream_destroy, stream->handle);
    }
    free(stream);
}

static bool finish_all(struct cuda_device *device, struct error *error)
{
    const bool done = CUDA_CALL(error, context_synchronize, );
    for (struct device_stream *stream = device->streams; stream; stream = stream->next) {
        if (done)
            hand_over(stream->staging);
        else if (stream->staging)
            stream->staging->count = 0;
    }
    return done;
}

bool cuda_synchronize(struct device *device, struct device_stream *stream, struct error *error)
{
    return cuda_enter(device, error) &&
           (stream ? finish_stream(stream, error) : finish_all(cuda_device_of(device), error));
}

// ---- events

struct device_event *cuda_create_event(struct device *device, struct error *error)
{
    enum { EVENT_DEFAULT = 0 }; // with timing
    struct device_event *event = memory_new(1, sizeof *event);
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

bool cuda_wait(struct device *device, struct device_stream *stream, struct device_event *event, struct error *error)
{
    return cuda_enter(device, error) && CUDA_CALL(error, stream_wait, cuda_stream_of(stream), event->handle, 0);
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
