// SPDX-License-Identifier: MIT
// Device-wide primitives of the cuda backend.
#include "device/cuda/backend.h"

#include "device/cuda/select.h"

static const char *const select_kernels[] = {"select_count", "select_offsets", "select_scatter"};

// Scratch of the stream, allocated when first needed: two streams may select at once.
static bool take_scratch(struct cuda_device *device, struct device_stream *stream, uint32_t **sums, struct error *error)
{
    cuda_address *scratch = stream ? &stream->scratch : &device->scratch;
    if (!*scratch && !CUDA_CALL(error, memory_alloc, scratch, SELECT_CHUNKS_MAX * sizeof(uint32_t)))
        return false;
    *sums = cuda_pointer(*scratch);
    return true;
}

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return a / b + (a % b != 0);
}

// At least one chunk, so that the count of nothing is written too.
static void divide(struct select_args *args)
{
    const uint32_t rows = divide_up(args->n, SELECT_BLOCK);
    const uint32_t chunk_rows = rows ? divide_up(rows, SELECT_CHUNKS_MAX) : 1;
    args->chunk = chunk_rows * SELECT_BLOCK;
    args->chunks = rows ? divide_up(rows, chunk_rows) : 1;
}

bool cuda_select_flagged(struct device *device, struct device_stream *stream, const uint32_t *in, const uint8_t *flags,
                         uint32_t *out, uint32_t *count, uint32_t n, struct error *error)
{
    struct cuda_device *cuda = cuda_device_of(device);
    struct select_args args = {.in = in, .flags = flags, .out = out, .count = count, .n = n};
    if (!cuda_enter(device, error) || !take_scratch(cuda, stream, &args.sums, error))
        return false;
    if (!cuda->select_program)
        cuda->select_program = cuda_build_source(device, "cuda/select.h", NULL, error);
    if (!cuda->select_program)
        return false;
    divide(&args);
    const struct device_launch shapes[] = {
        {.grid = args.chunks, .block = SELECT_BLOCK, .shared_bytes = sizeof(uint32_t)},
        {.grid = 1, .block = SELECT_CHUNKS_MAX, .shared_bytes = SELECT_CHUNKS_MAX * sizeof(uint32_t)},
        {.grid = args.chunks, .block = SELECT_BLOCK, .shared_bytes = 2 * SELECT_WARPS * sizeof(uint32_t)},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        struct device_launch launch = shapes[i];
        launch.kernel = cuda_kernel(cuda->select_program, select_kernels[i], error);
        launch.args = &args;
        launch.args_size = sizeof args;
        if (!launch.kernel || !cuda_launch(device, stream, &launch, error))
            return false;
    }
    return true;
}

bool cuda_sort_pairs(struct device *device, struct device_stream *stream, const uint32_t *keys_in, uint32_t *keys_out,
                     const uint32_t *values_in, uint32_t *values_out, uint32_t n, uint32_t key_bits,
                     struct error *error)
{
    (void)device, (void)stream, (void)keys_in, (void)keys_out, (void)values_in, (void)values_out, (void)n;
    (void)key_bits;
    return error_set(error, ERROR_UNSUPPORTED, "the cuda device cannot sort pairs yet");
}
