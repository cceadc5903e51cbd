// SPDX-License-Identifier: MIT
// When a lane is where. Only CUDA lets kernels read a timer that all multiprocessors share; elsewhere both are 0.
#pragma once

#include "lib/platform.h"

#ifdef __CUDACC__

DEVICE uint64_t shared_nanoseconds(void)
{
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now) : : "memory");
    return now;
}

DEVICE uint32_t multiprocessor_number(void)
{
    uint32_t number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
}

#else

DEVICE uint64_t shared_nanoseconds(void)
{
    return 0;
}

DEVICE uint32_t multiprocessor_number(void)
{
    return 0;
}

#endif
