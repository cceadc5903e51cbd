// SPDX-License-Identifier: MIT
// The OpenCL side of platform.h, of three kinds: NVIDIA GPUs, with warps of 32 lanes (opencl_nv.h); devices whose sub-groups are
// warps of OPENCL_WARPS lanes (opencl_subgroups.h), which the harness defines for those alone; and devices whose private, local and
// global memory are one flat address space, as CPUs' are, with warps of one lane. Pointers without a qualifier lead to any
// memory; where OpenCL C wants a qualifier, they are cast by way of their address. The harness puts all of a kernel's files into one text
// (harness/device/opencl/sources.h), with a `#define CONFIG_field (value)` for every field of config.def before them.
#pragma once

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

typedef uchar uint8_t;
typedef char int8_t;
typedef ushort uint16_t;
typedef short int16_t;
typedef uint uint32_t;
typedef int int32_t;
typedef ulong uint64_t;
typedef long int64_t;

#define DEVICE static inline __attribute__((always_inline, unused))
// A copy for each caller costs this compiler less than a call: a barrier in a function that it does not inline is lost.
#define DEVICE_ONCE DEVICE
#define LANE_LOCAL_ARRAY
#define VECTOR_BODIES 0
#ifndef OPENCL_WARPS
#define OPENCL_WARPS 0
#endif
#ifdef __NV_CL_C_VERSION // defined by NVIDIA's compiler
#define OPENCL_NV 1
#define READ_IN_PLACE 0
#else
#define OPENCL_NV 0
#define READ_IN_PLACE 1
#endif
#if OPENCL_NV || OPENCL_WARPS
#define UNROLLED _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#else
#define UNROLLED
#define ROLLED
#endif
#ifdef OPENCL_CHOOSES_WARPS // the device has sub-groups of several widths
#define OPENCL_ENTRY __kernel __attribute__((intel_reqd_sub_group_size(OPENCL_WARPS)))
#else
#define OPENCL_ENTRY __kernel
#endif

#if OPENCL_WARPS > 32
typedef uint64_t lanemask;
#else
typedef uint32_t lanemask;
#endif

#define thread_index() ((uint32_t)get_local_id(0))
#define block_index() ((uint32_t)get_group_id(0))
#define block_size() ((uint32_t)get_local_size(0))
#define grid_size() ((uint32_t)get_num_groups(0))

// ---- warps

DEVICE uint32_t lanemask_count(lanemask mask)
{
    return (uint32_t)popcount(mask);
}

DEVICE uint32_t lanemask_lowest(lanemask m)
{
    return (uint32_t)(sizeof m * 8u - 1u - clz(m & (0u - m)));
}

DEVICE lanemask lanemask_below(uint32_t lane)
{
    return ((lanemask)1 << lane) - 1u;
}

#if OPENCL_NV
#include "lib/opencl_nv.h"
#elif OPENCL_WARPS
#include "lib/opencl_subgroups.h"
#else
#include "lib/one_lane.h"
#define opencl_generic(place) ((void *)(uintptr_t)(place))
#endif

#define block_sync() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
// pocl 3.1 gives lanes behind such a branch wrong values of what was set in it: of 308 paths, 512 were traced.
#define block_join() block_sync()
// Never reached: the device refuses cooperative launches, because OpenCL promises nowhere that all blocks run at once. Compilers
// that make SPIR-V of it have no trap.
#if OPENCL_WARPS
#define grid_sync() block_sync()
#else
#define grid_sync() __builtin_trap()
#endif
#define grid_yield() ((void)0)
#define lane_number_again() (block_index() * block_size() + thread_index())
#define launch_dependents() ((void)0) // launches run one after the other
#define launch_wait() ((void)0)
// A parameter of the kernel's body; functions that want shared memory are given it.
#define block_shared() opencl_shared

// ---- atomics

#if !OPENCL_NV && !OPENCL_WARPS

#define GLOBAL_U32(place) ((volatile __global uint *)(uintptr_t)(place))
#define GLOBAL_U64(place) ((volatile __global ulong *)(uintptr_t)(place))

DEVICE uint32_t atomic_add_u32(uint32_t *place, uint32_t value)
{
    return atomic_add(GLOBAL_U32(place), value);
}

DEVICE uint64_t atomic_add_u64(uint64_t *place, uint64_t value)
{
    return atom_add(GLOBAL_U64(place), value);
}

DEVICE uint32_t atomic_max_u32(uint32_t *place, uint32_t value)
{
    return atomic_max(GLOBAL_U32(place), value);
}

DEVICE uint64_t atomic_max_u64(uint64_t *place, uint64_t value)
{
    return atom_max(GLOBAL_U64(place), value);
}

DEVICE uint32_t atomic_exchange_u32(uint32_t *place, uint32_t value)
{
    return atomic_xchg(GLOBAL_U32(place), value);
}

DEVICE uint32_t atomic_load_u32(const uint32_t *place)
{
    return *GLOBAL_U32(place);
}

DEVICE void atomic_store_u32(uint32_t *place, uint32_t value)
{
    *GLOBAL_U32(place) = value;
}

DEVICE void memory_fence(void)
{
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

#endif

// ---- floats. OpenCL's names have no suffix.

#define fmaf(a, b, c) fma((float)(a), (float)(b), (float)(c))
#define sqrtf(x) sqrt((float)(x))
#define fabsf(x) fabs((float)(x))
#define rintf(x) rint((float)(x))
#define floorf(x) floor((float)(x))

#if !OPENCL_NV
DEVICE float minimum_f32(float a, float b)
{
    return a < b ? a : b;
}

DEVICE float maximum_f32(float a, float b)
{
    return a > b ? a : b;
}
#endif

DEVICE uint32_t f32_bits(float x)
{
    return as_uint(x);
}

DEVICE float f32_from_bits(uint32_t bits)
{
    return as_float(bits);
}

#include "lib/platform_plain.h"

#define prefetch(place) ((void)(place))
#define keep_branch() ((void)0)

#include "lib/no_lockstep.h"

// The arguments of a launch: by value on NVIDIA GPUs, where a buffer made for each launch takes longer than a short kernel, as words
// because OpenCL C allows no pointers in them; elsewhere in a buffer, as they may be longer than what a device takes by value.
#if OPENCL_NV
#define KERNEL_ENTRY(name, args_type)                                                                                  \
    struct name##_words {                                                                                              \
        ulong2 word[(sizeof(args_type) + sizeof(ulong2) - 1) / sizeof(ulong2)];                                        \
    };                                                                                                                 \
    __kernel void name(const struct name##_words opencl_args, __local ulong2 *opencl_local)                            \
    {                                                                                                                  \
        name##_body((const args_type *)&opencl_args, opencl_generic(opencl_local));                                    \
    }
#else
#define KERNEL_ENTRY(name, args_type)                                                                                  \
    OPENCL_ENTRY void name(__global const ulong2 *opencl_args, __local ulong2 *opencl_local)                           \
    {                                                                                                                  \
        name##_body((const args_type *)(uintptr_t)opencl_args, opencl_generic(opencl_local));                          \
    }
#endif

#define KERNEL(name, args_type)                                                                                        \
    static inline __attribute__((always_inline)) void name##_body(const args_type *args, void *opencl_shared);         \
    KERNEL_ENTRY(name, args_type)                                                                                      \
    static inline __attribute__((always_inline)) void name##_body(const args_type *args, void *opencl_shared)

#define CONFIG(frame, field) CONFIG_##field
