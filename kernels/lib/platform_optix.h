// SPDX-License-Identifier: MIT
// The GPU's side of platform.h where OptiX traverses the tree. A program is then compiled twice: TRACE_KERNELs become
// ray-generation programs (PLATFORM_OPTIX is 1), all others stay what they are (0). OptiX promises nothing about which lanes run
// together, so in a ray-generation program a warp is one lane, as in platform_alone.h.
#pragma once

#define TRACED_BODY(name, args_type)                                                                                   \
    static __device__ __forceinline__ __attribute__((unused)) void name##_body(const args_type *args)

#if PLATFORM_OPTIX

#include "optix.h"
#if OPTIX_VERSION != PLATFORM_OPTIX_VERSION
#error "these headers of OptiX are of another version than those that the program was built with"
#endif
#include "lib/optix_launch.h"

extern "C" {
__constant__ struct optix_launch optix_launch;
}

#undef thread_index
#undef block_index
#undef block_size
#undef grid_size
#define thread_index() (optixGetLaunchIndex().x % optix_launch.block)
#define block_index() (optixGetLaunchIndex().x / optix_launch.block)
#define block_size() optix_launch.block
#define grid_size() optix_launch.grid
#include "lib/one_lane.h"
// No lane can wait for another: what would, is refused before it is launched (execute_tree_suits).
#undef block_sync
#undef block_shared
#define block_sync() asm volatile("trap;")
#define block_shared() ((void *)0)

#undef extension_mark
#define extension_mark() ((void)0)

#undef KERNEL
#define KERNEL(name, args_type) TRACED_BODY(name, args_type)
#define TRACE_KERNEL(name, args_type)                                                                                  \
    TRACED_BODY(name, args_type);                                                                                      \
    extern "C" __global__ void __raygen__##name()                                                                      \
    {                                                                                                                  \
        name##_body((const args_type *)optix_launch.arguments);                                                        \
    }                                                                                                                  \
    static __device__ __forceinline__ void name##_body(const args_type *args)

#else

#define TRACE_KERNEL(name, args_type) TRACED_BODY(name, args_type)

#endif
