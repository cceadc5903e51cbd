// SPDX-License-Identifier: MIT
// A libcuda.so.1 for tests of what is said where a driver is of no use. FAKE_DRIVER: "old" is one of CUDA 11.8 with a
// GPU, "none" sees no GPU, anything else does not start.
#include <stdlib.h>
#include <string.h>

#include "device/cuda/api.h"

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
#define STUB(field, symbol, arguments)                                                                                 \
    int symbol arguments                                                                                               \
    {                                                                                                                  \
        return CUDA_UNKNOWN;                                                                                           \
    }
CUDA_DRIVER_ENTRIES(STUB)
#undef cuInit
#undef cuDriverGetVersion
#undef cuDeviceGetCount

int cuInit(unsigned int flags)
{
    return is("old") ? CUDA_OK : is("none") ? CUDA_NO_DEVICE : CUDA_UNKNOWN;
}

int cuDriverGetVersion(int *version)
{
    *version = 11080;
    return CUDA_OK;
}

int cuDeviceGetCount(int *count)
{
    *count = 1;
    return CUDA_OK;
}
