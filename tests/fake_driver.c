// SPDX-License-Identifier: MIT
// A libcuda.so.1 for tests of what is said where a driver is of no use. FAKE_DRIVER: "old" is one of CUDA 11.8 with a
// GPU, "none" sees no GPU, "memory" has the host's memory for a GPU's, anything else does not start.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda/driver_entries.h"

enum { SUCCESS = 0, NO_DEVICE = 100, UNKNOWN = 999 }; // of CUresult

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static bool is(const char *kind)
{
    const char *wished = getenv("FAKE_DRIVER");
    return wished && strcmp(wished, kind) == 0;
}

// Every entry fails, but for those that tell what there is.
#define cuInit other_init
#define cuDriverGetVersion other_version
#define cuDeviceGetCount other_count
#define cuMemAlloc_v2 other_alloc
#define cuMemFree_v2 other_free
#define cuMemcpyHtoDAsync_v2 other_upload
#define cuMemcpyDtoHAsync_v2 other_download
#define cuStreamSynchronize other_synchronize
#define STUB(field, symbol)                                                                                            \
    int symbol(void)                                                                                                   \
    {                                                                                                                  \
        return UNKNOWN;                                                                                                \
    }
CUDA_DRIVER_ENTRIES(STUB)
#undef cuInit
#undef cuDriverGetVersion
#undef cuDeviceGetCount
#undef cuMemAlloc_v2
#undef cuMemFree_v2
#undef cuMemcpyHtoDAsync_v2
#undef cuMemcpyDtoHAsync_v2
#undef cuStreamSynchronize

int cuInit(unsigned int flags)
{
    return is("old") ? SUCCESS : is("none") ? NO_DEVICE : UNKNOWN;
}

int cuDriverGetVersion(int *version)
{
    *version = 11080;
    return SUCCESS;
}

int cuDeviceGetCount(int *count)
{
    *count = 1;
    return SUCCESS;
}

// ---- of "memory"; addresses are aligned as a GPU's

int cuMemAlloc_v2(uintptr_t *memory, size_t size)
{
    void *const there = is("memory") ? aligned_alloc(256, (size + 255) / 256 * 256) : NULL;
    *memory = (uintptr_t)there;
    return there ? SUCCESS : UNKNOWN;
}

int cuMemFree_v2(uintptr_t memory)
{
    free((void *)memory);
    return SUCCESS;
}

int cuMemcpyHtoDAsync_v2(uintptr_t to, const void *from, size_t size, void *stream)
{
    memcpy((void *)to, from, size);
    return SUCCESS;
}

int cuMemcpyDtoHAsync_v2(void *to, uintptr_t from, size_t size, void *stream)
{
    memcpy(to, (const void *)from, size);
    return SUCCESS;
}

int cuStreamSynchronize(void *stream)
{
    return is("memory") ? SUCCESS : UNKNOWN;
}
