// SPDX-License-Identifier: MIT
// Device-wide primitives of the cuda backend: CUB's, in a workspace per stream that grows until no call needs more.
#include "device/cuda/backend.h"

#include <stdio.h>

#include "device/cuda/device_wide.h"

// One call of either primitive, ready to be made with any workspace.
struct wide_call {
    const char *name;
    const uint32_t *in, *values_in;
    const uint8_t *flags;
    uint32_t *out, *values_out, *count;
    int32_t n, key_bits;
    void *stream;
    int (*run)(const struct wide_call *call, void *workspace, size_t *bytes);
};

static int run_select(const struct wide_call *call, void *workspace, size_t *bytes)
{
    return cuda_wide_select(workspace, bytes, call->in, call->flags, call->out, call->count, call->n, call->stream);
}

static int run_sort(const struct wide_call *call, void *workspace, size_t *bytes)
{
    return cuda_wide_sort(workspace, bytes, call->in, call->out, call->values_in, call->values_out, call->n,
                          call->key_bits, call->stream);
}

static bool check_wide(int result, const struct wide_call *call, struct error *error)
{
    if (result == CUDA_SUCCESS)
        return true;
    const char *name, *words;
    char place[64];
    snprintf(place, sizeof place, "CUB's %s of %d elements", call->name, (int)call->n);
    cuda_wide_words(result, &name, &words);
    cuda_report(result, name, words, place, error);
    if (result == CUDA_ERROR_NO_BINARY_FOR_GPU)
        error_remedy(error, "build the module for this GPU: meson configure build -Dgpu_architectures=...");
    return false;
}

// At least doubled, so that calls of many sizes soon need no more.
static bool grow(struct cuda_workspace *workspace, size_t bytes, CUstream stream, struct error *error)
{
    enum { LEAST = 1 << 16 };
    const size_t doubled = workspace->bytes * 2 > LEAST ? workspace->bytes * 2 : LEAST;
    CUdeviceptr larger;
    if (!CUDA_CALL(error, stream_synchronize, stream) || // what runs may still use the old one
        !CUDA_CALL(error, memory_alloc, &larger, bytes > doubled ? bytes : doubled))
        return false;
    cuda_workspace_finish(workspace);
    *workspace = (struct cuda_workspace){larger, bytes > doubled ? bytes : doubled};
    return true;
}

// A workspace that is too small is told by the call itself: in the steady state there is one call and no question.
static bool primitives_run(struct device *device, struct device_stream *stream, struct wide_call *call,
                           struct error *error)
{
    struct cuda_workspace *workspace = stream ? &stream->workspace : &cuda_device_of(device)->workspace;
    call->stream = cuda_stream_of(stream);
    int result = CUDA_SUCCESS;
    if (workspace->bytes) {
        size_t bytes = workspace->bytes;
        result = call->run(call, cuda_pointer(workspace->memory), &bytes);
        if (!cuda_wide_too_small(result))
            return check_wide(result, call, error);
    }
    size_t wanted = 0;
    const int asked = call->run(call, NULL, &wanted);
    if (asked != CUDA_SUCCESS || (workspace->bytes && wanted <= workspace->bytes))
        return check_wide(asked != CUDA_SUCCESS ? asked : result, call, error);
    if (!grow(workspace, wanted, call->stream, error))
        return false;
    size_t bytes = workspace->bytes;
    return check_wide(call->run(call, cuda_pointer(workspace->memory), &bytes), call, error);
}

static bool check_size(uint32_t n, const char *what, struct error *error)
{
    return n <= INT32_MAX ||
           error_set(error, ERROR_UNSUPPORTED, "%s of %u elements: the most is %d", what, (unsigned)n, INT32_MAX);
}

bool cuda_select_flagged(struct device *device, struct device_stream *stream, const uint32_t *in, const uint8_t *flags,
                         uint32_t *out, uint32_t *count, uint32_t n, struct error *error)
{
    struct wide_call call = {
        .name = "select", .in = in, .flags = flags, .out = out, .count = count, .n = (int32_t)n, .run = run_select};
    if (!cuda_enter(device, error) || !check_size(n, "selection", error))
        return false;
    if (n == 0)
        return CUDA_CALL(error, memory_fill, cuda_address_of(count), 0, sizeof *count, cuda_stream_of(stream));
    return primitives_run(device, stream, &call, error);
}

bool cuda_sort_pairs(struct device *device, struct device_stream *stream, const uint32_t *keys_in, uint32_t *keys_out,
                     const uint32_t *values_in, uint32_t *values_out, uint32_t n, uint32_t key_bits,
                     struct error *error)
{
    enum { KEY_BITS = 32 };
    struct wide_call call = {
        .name = "sort",
        .in = keys_in,
        .out = keys_out,
        .values_in = values_in,
        .values_out = values_out,
        .n = (int32_t)n,
        .key_bits = (int32_t)(key_bits < KEY_BITS ? key_bits : KEY_BITS),
        .run = run_sort,
    };
    if (!cuda_enter(device, error) || !check_size(n, "sort", error))
        return false;
    const size_t bytes = (size_t)n * sizeof *keys_in;
    CUstream handle = cuda_stream_of(stream);
    if (n == 0)
        return true;
    if (key_bits == 0) // all keys are equal, and the order stays
        return CUDA_CALL(error, memory_copy, cuda_address_of(keys_out), cuda_address_of(keys_in), bytes, handle) &&
               CUDA_CALL(error, memory_copy, cuda_address_of(values_out), cuda_address_of(values_in), bytes, handle);
    return primitives_run(device, stream, &call, error);
}
