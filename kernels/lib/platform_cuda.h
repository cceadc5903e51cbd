// SPDX-License-Identifier: MIT
// The GPU's side of platform.h, compiled by NVRTC with --fmad=false. Every field of config.def arrives as
// -DCONFIG_field=value.
#pragma once

typedef unsigned char uint8_t;
typedef signed char int8_t;
typedef unsigned short uint16_t;
typedef short int16_t;
typedef unsigned int uint32_t;
typedef int int32_t;
typedef unsigned long long uint64_t;
typedef long long int64_t;

#define DEVICE static __device__ __forceinline__
#define DEVICE_ONCE DEVICE
#define LANE_LOCAL_ARRAY
#define UNROLLED _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#define VECTOR_BODIES 0
#define READ_IN_PLACE 0

typedef uint32_t lanemask;

#define thread_index() ((uint32_t)threadIdx.x)
#define block_index() ((uint32_t)blockIdx.x)
#define block_size() ((uint32_t)blockDim.x)
#define grid_size() ((uint32_t)gridDim.x)
#define warp_width() 32u
#define lane_index() ((uint32_t)(threadIdx.x & 31u))
#define warp_ballot(mask, predicate) __ballot_sync((mask), (predicate))
#define warp_staying(predicate) ((void)(predicate), 0xFFFFFFFFu)
#define warp_any(mask, predicate) (__ballot_sync((mask), (predicate)) != 0u)
#define warp_shuffle_u32(mask, value, lane) __shfl_sync((mask), (uint32_t)(value), (int)(lane))
#define warp_broadcast_u32(mask, value, lane) __shfl_sync((mask), (uint32_t)(value), (int)(lane))
#define warp_shuffle_up_u32(mask, value, distance) __shfl_up_sync((mask), (uint32_t)(value), (distance))
#define block_sync() __syncthreads()
#define block_join() ((void)0)

extern __shared__ uint4 cuda_dynamic_shared[];
#define block_shared() ((void *)cuda_dynamic_shared)

DEVICE lanemask warp_mask(void)
{
    const uint32_t rest = blockDim.x - (threadIdx.x & ~31u);
    return rest >= 32u ? 0xFFFFFFFFu : (1u << rest) - 1u;
}

#if __CUDA_ARCH__ >= 800
#define warp_sum_u32(mask, value) __reduce_add_sync((mask), (value))
#define warp_max_u32(mask, value) __reduce_max_sync((mask), (value))
#else
// Of the lanes after this one; lanes of `mask` are the lowest of the warp.
DEVICE uint32_t warp_reduce_u32(lanemask mask, uint32_t value, bool maximum)
{
    for (uint32_t distance = 16u; distance > 0u; distance /= 2u) {
        const uint32_t other = __shfl_down_sync(mask, value, distance);
        if ((threadIdx.x & 31u) + distance < (uint32_t)__popc(mask))
            value = !maximum ? value + other : value > other ? value : other;
    }
    return __shfl_sync(mask, value, 0);
}
#define warp_sum_u32(mask, value) warp_reduce_u32((mask), (value), false)
#define warp_max_u32(mask, value) warp_reduce_u32((mask), (value), true)
#endif

DEVICE uint32_t lanemask_count(lanemask mask)
{
    return (uint32_t)__popc(mask);
}

DEVICE uint32_t lanemask_lowest(lanemask m)
{
    return (uint32_t)__ffs((int)m) - 1u;
}

DEVICE lanemask lanemask_below(uint32_t lane)
{
    return (1u << lane) - 1u;
}

DEVICE uint32_t atomic_add_u32(uint32_t *place, uint32_t value)
{
    return atomicAdd(place, value);
}

DEVICE uint64_t atomic_add_u64(uint64_t *place, uint64_t value)
{
    return atomicAdd(place, value);
}

DEVICE uint32_t atomic_max_u32(uint32_t *place, uint32_t value)
{
    return atomicMax(place, value);
}

DEVICE uint64_t atomic_max_u64(uint64_t *place, uint64_t value)
{
    return atomicMax(place, value);
}

DEVICE uint32_t atomic_exchange_u32(uint32_t *place, uint32_t value)
{
    return atomicExch(place, value);
}

DEVICE uint32_t atomic_load_u32(const uint32_t *place)
{
    return *(const volatile uint32_t *)place;
}

DEVICE void atomic_store_u32(uint32_t *place, uint32_t value)
{
    *(volatile uint32_t *)place = value;
}

DEVICE void memory_fence(void)
{
    __threadfence();
}

// `arrived` is 0 when the module is loaded. Each block adds 1, but the first one what is missing to 2^31: so its highest
// bit changes when the last one comes, and the bits below are 0 again. One cooperative launch of a module at a time.
DEVICE void grid_sync(void)
{
    static __device__ uint32_t arrived;
    __syncthreads();
    if (threadIdx.x == 0u) {
        __threadfence();
        const uint32_t before = atomicAdd(&arrived, blockIdx.x == 0u ? 0x80000000u - (gridDim.x - 1u) : 1u);
        while (((before ^ *(volatile uint32_t *)&arrived) & 0x80000000u) == 0u)
            ;
        __threadfence();
    }
    __syncthreads();
}

#define grid_yield() ((void)0)

DEVICE uint32_t lane_number_again(void)
{
    uint32_t block, lane;
    asm volatile("mov.u32 %0, %%ctaid.x;\n\tmov.u32 %1, %%tid.x;" : "=r"(block), "=r"(lane));
    return block * blockDim.x + lane;
}

#if __CUDA_ARCH__ >= 900
#define launch_dependents() asm volatile("griddepcontrol.launch_dependents;")
#define launch_wait() asm volatile("griddepcontrol.wait;" ::: "memory")
#else
#define launch_dependents() ((void)0)
#define launch_wait() ((void)0)
#endif

DEVICE float minimum_f32(float a, float b)
{
    return fminf(a, b);
}

DEVICE float maximum_f32(float a, float b)
{
    return fmaxf(a, b);
}

DEVICE uint32_t f32_bits(float x)
{
    return __float_as_uint(x);
}

DEVICE float f32_from_bits(uint32_t bits)
{
    return __uint_as_float(bits);
}

DEVICE float fmaf_down(float a, float b, float c)
{
    return __fmaf_rd(a, b, c);
}

DEVICE float fmaf_up(float a, float b, float c)
{
    return __fmaf_ru(a, b, c);
}

// ---- memory. Macros, so that the line of a load is the line that asks for it: see device/counters.h.

#define load_read_only(place) __ldg(place)
#define load_once(place) __ldcs(place)
#define store_once(place, value) __stcs((place), (value))
#define prefetch(place) ((void)(place))

// NVRTC's tex1Dfetch() is the same instruction, but on some architectures its line is not that of its call.
#define load_texel(to, texture, at)                                                                                    \
    asm("tex.1d.v4.u32.s32 {%0, %1, %2, %3}, [%4, {%5}];"                                                              \
        : "=r"((to)[0]), "=r"((to)[1]), "=r"((to)[2]), "=r"((to)[3])                                                   \
        : "l"((uint64_t)(texture)), "r"((int32_t)(at)))

// ---- bytes

#define nv_permute(low, high, which) __byte_perm((low), (high), (which)) // ignores bit 3 of each digit

DEVICE uint32_t nv_permute_signs(uint32_t low, uint32_t high, uint32_t which)
{
    uint32_t bytes;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(which));
    return bytes;
}

#include "lib/nv_bytes.h"

// Volatile, so that what is read there is not read before.
DEVICE uint32_t place_behind(uint32_t place, float a, float b)
{
    asm volatile("" : "+r"(place) : "f"(a), "f"(b));
    return place;
}

#define extension_mark() __prof_trigger(0)
#define keep_branch() ((void)0)

#include "lib/no_lockstep.h"

#define KERNEL(name, args_type)                                                                                        \
    static __device__ __forceinline__ void name##_body(const args_type *args);                                         \
    extern "C" __global__ void name(const __grid_constant__ args_type args)                                            \
    {                                                                                                                  \
        name##_body(&args);                                                                                            \
    }                                                                                                                  \
    static __device__ __forceinline__ void name##_body(const args_type *args)

#define CONFIG(frame, field) CONFIG_##field

#ifdef PLATFORM_OPTIX
#include "lib/platform_optix.h"
#endif
