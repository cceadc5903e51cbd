// SPDX-License-Identifier: MIT
// CUB's device-wide primitives behind C functions: device_wide.cu, the only source that nvcc compiles. All are
// asynchronous on the stream (a CUstream, NULL = the default one) and work in the context that is current, which must
// be the device's primary one. They return a CUDA result, 0 where all is well.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// With `workspace` NULL nothing is enqueued and *bytes becomes the size that is needed. With a workspace, *bytes is its
// size; cuda_wide_too_small() tells the result of one that is too small (nothing was enqueued then).
int cuda_wide_select(void *workspace, size_t *bytes, const uint32_t *in, const uint8_t *flags, uint32_t *out,
                     uint32_t *count, int32_t n, void *stream);
int cuda_wide_sort(void *workspace, size_t *bytes, const uint32_t *keys_in, uint32_t *keys_out,
                   const uint32_t *values_in, uint32_t *values_out, int32_t n, int32_t key_bits, void *stream);
int cuda_wide_too_small(int result);
void cuda_wide_words(int result, const char **name, const char **words);

#ifdef __cplusplus
}
#endif
