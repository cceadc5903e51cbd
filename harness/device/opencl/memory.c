// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/memory.h"
#include "device/opencl/opencl.h"

enum { ALIGNMENT = 256 }; // clSVMAlloc promises no more than 128

void *opencl_alloc(struct device *device, size_t bytes, struct error *error)
{
    struct opencl_device *opencl = opencl_of(device);
    char *base = opencl_load(NULL)->SVMAlloc(opencl->context, CL_MEM_READ_WRITE, bytes + ALIGNMENT, 0);
    if (!base) {
        error_set(error, ERROR_SYSTEM, "OpenCL gives no %zu bytes of shared memory on %s", bytes,
                  opencl->properties.name);
        error_remedy(error, "end other programs, or make the image smaller");
        return NULL;
    }
    char *start = base + (ALIGNMENT - (uintptr_t)base % ALIGNMENT) % ALIGNMENT;
    size_t bases = opencl->block_count;
    *ARRAY_ADD(opencl->bases, bases) = base;
    *ARRAY_ADD(opencl->blocks, opencl->block_count) = (struct opencl_block){base, start};
    ++opencl->allocations;
    return start;
}

void opencl_release(struct device *device, void *memory)
{
    struct opencl_device *opencl = opencl_of(device);
    size_t at = 0;
    if (!memory)
        return;
    while (at < opencl->block_count && opencl->blocks[at].start != memory)
        ++at;
    if (at == opencl->block_count)
        return;
    (void)opencl_synchronize(device, NULL, NULL); // clSVMFree waits for nothing
    opencl_load(NULL)->SVMFree(opencl->context, opencl->blocks[at].base);
    --opencl->block_count;
    opencl->blocks[at] = opencl->blocks[opencl->block_count];
    opencl->bases[at] = opencl->bases[opencl->block_count];
    ++opencl->allocations;
}

static bool opencl_copy(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                        bool wait, struct error *error)
{
    cl_command_queue queue;
    if (bytes == 0)
        return true;
    return opencl_begin(device, stream, &queue, error) &&
           OPENCL_CALL(error, EnqueueSVMMemcpy, queue, wait ? CL_TRUE : CL_FALSE, to, from, bytes, 0, NULL, NULL) &&
           opencl_end(device, stream, error);
}

// Complete on return: the host's memory may change at once.
bool opencl_upload(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                   struct error *error)
{
    return opencl_copy(device, stream, to, from, bytes, true, error);
}

bool opencl_download(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                     struct error *error)
{
    return opencl_copy(device, stream, to, from, bytes, false, error);
}

bool opencl_fill(struct device *device, struct device_stream *stream, void *to, uint8_t value, size_t bytes,
                 struct error *error)
{
    cl_command_queue queue;
    if (bytes == 0)
        return true;
    return opencl_begin(device, stream, &queue, error) &&
           OPENCL_CALL(error, EnqueueSVMMemFill, queue, to, &value, sizeof value, bytes, 0, NULL, NULL) &&
           opencl_end(device, stream, error);
}

// Kernels read such words as any others: see load_texel in kernels/lib/platform_plain.h.
bool opencl_create_texture(struct device *device, const uint32_t *words, uint64_t count, uint64_t *texture,
                           struct error *error)
{
    (void)device, (void)count, (void)error;
    *texture = (uint64_t)(uintptr_t)words;
    return true;
}

void opencl_release_texture(struct device *device, uint64_t texture)
{
    (void)device, (void)texture;
}

// ---- workspaces

uint32_t *opencl_workspace(struct device *device, struct device_stream *stream, size_t words, struct error *error)
{
    struct opencl_workspace *kept = stream ? &stream->workspace : &opencl_of(device)->workspace;
    if (kept->count >= words)
        return kept->words;
    opencl_workspace_finish(device, kept);
    kept->words = opencl_alloc(device, words * sizeof *kept->words, error);
    kept->count = kept->words ? words : 0;
    return kept->words;
}

void opencl_workspace_finish(struct device *device, struct opencl_workspace *workspace)
{
    opencl_release(device, workspace->words);
    *workspace = (struct opencl_workspace){0};
}
