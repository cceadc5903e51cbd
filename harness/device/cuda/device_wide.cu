// SPDX-License-Identifier: MIT
#include "device/cuda/device_wide.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

// CUB reports the last error of the runtime; one that a call before left there is not its own.
static cudaStream_t begin(void *stream)
{
    (void)cudaGetLastError();
    return static_cast<cudaStream_t>(stream);
}

extern "C" int cuda_wide_select(void *workspace, size_t *bytes, const uint32_t *in, const uint8_t *flags, uint32_t *out,
                                uint32_t *count, int32_t n, void *stream)
{
    if (in)
        return cub::DeviceSelect::Flagged(workspace, *bytes, in, flags, out, count, n, begin(stream));
    const thrust::counting_iterator<uint32_t> indices(0);
    return cub::DeviceSelect::Flagged(workspace, *bytes, indices, flags, out, count, n, begin(stream));
}

extern "C" int cuda_wide_sort(void *workspace, size_t *bytes, const uint32_t *keys_in, uint32_t *keys_out,
                              const uint32_t *values_in, uint32_t *values_out, int32_t n, int32_t key_bits, void *stream)
{
    return cub::DeviceRadixSort::SortPairs(workspace, *bytes, keys_in, keys_out, values_in, values_out, n, 0, key_bits,
                                           begin(stream));
}

extern "C" int cuda_wide_too_small(int result)
{
    return result == cudaErrorInvalidValue;
}

extern "C" void cuda_wide_words(int result, const char **name, const char **words)
{
    *name = cudaGetErrorName(static_cast<cudaError_t>(result));
    *words = cudaGetErrorString(static_cast<cudaError_t>(result));
}
