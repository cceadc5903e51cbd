// SPDX-License-Identifier: MIT
// A libcuda.so.1 for tests of what is said where a driver is of no use. FAKE_DRIVER: "old" is one of CUDA 11.8 with a
// GPU, "none" sees no GPU, anything else does not start.
#include <stdbool.h>
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
#define STUB(field, symbol)                                                                                            \
    int symbol(void)                                                                                                   \
    {                                                                                                                  \
        return UNKNOWN;                                                                                                \
    }
CUDA_DRIVER_ENTRIES(STUB)
#undef cuInit
#undef cuDriverGetVersion
#undef cuDeviceGetCount

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
