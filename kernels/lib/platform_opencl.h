// SPDX-License-Identifier: MIT
// The OpenCL side of platform.h, for a warp of one lane: devices without sub-groups whose private, local and global memory
// are one flat address space, as processors' are. Pointers without a qualifier lead to any memory; where OpenCL C wants a
// qualifier, they are cast by way of their address. The harness puts all of a kernel's files into one text
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
#define UNROLLED
#define ROLLED
#define VECTOR_BODIES 0
#define READ_IN_PLACE 1

typedef uint32_t lanemask;

#define thread_index() ((uint32_t)get_local_id(0))
#define block_index() ((uint32_t)get_group_id(0))
#define block_size() ((uint32_t)get_local_size(0))
#define grid_size() ((uint32_t)get_num_groups(0))

// ---- a warp of one lane

#define warp_width() 1u
#define lane_index() 0u
#define warp_mask() ((lanemask)1)
#define warp_ballot(mask, predicate) ((void)(mask), (lanemask)((predicate) != 0))
#define warp_staying(predicate) warp_ballot(warp_mask(), (predicate))
#define warp_any(mask, predicate) ((void)(mask), (predicate) != 0)
#define warp_shuffle_u32(mask, value, lane) ((void)(mask), (void)(lane), (uint32_t)(value))
#define warp_broadcast_u32(mask, value, lane) ((void)(mask), (void)(lane), (uint32_t)(value))
#define warp_shuffle_up_u32(mask, value, distance) ((void)(mask), (void)(distance), (uint32_t)(value))
#define warp_sum_u32(mask, value) ((void)(mask), (uint32_t)(value))
#define warp_max_u32(mask, value) ((void)(mask), (uint32_t)(value))

#define block_sync() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
// Never reached: the device refuses cooperative launches, because OpenCL promises nowhere that all blocks run at once.
#define grid_sync() __builtin_trap()
#define grid_yield() ((void)0)
// A parameter of the kernel's body; functions that want shared memory are given it.
#define block_shared() opencl_shared

DEVICE uint32_t lanemask_count(lanemask mask)
{
    return popcount(mask);
}

DEVICE uint32_t lanemask_lowest(lanemask m)
{
    return 31u - clz(m & (0u - m));
}

DEVICE lanemask lanemask_below(uint32_t lane)
{
    return (1u << lane) - 1u;
}

// ---- atomics

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

// ---- floats. OpenCL's names have no suffix.

#define fmaf(a, b, c) fma((float)(a), (float)(b), (float)(c))
#define sqrtf(x) sqrt((float)(x))
#define fabsf(x) fabs((float)(x))
#define rintf(x) rint((float)(x))
#define floorf(x) floor((float)(x))

DEVICE float minimum_f32(float a, float b)
{
    return a < b ? a : b;
}

DEVICE float maximum_f32(float a, float b)
{
    return a > b ? a : b;
}

DEVICE uint32_t f32_bits(float x)
{
    return as_uint(x);
}

DEVICE float f32_from_bits(uint32_t bits)
{
    return as_float(bits);
}

// As in platform_c.h: the product is exact in a double, and so are the sum and what its rounding loses.
DEVICE int fmaf_compare(float nearest, float a, float b, float c) // the sign of `nearest` less the exact value
{
    const double product = (double)a * (double)b, sum = product + (double)c, part = sum - product;
    const double lost = (product - (sum - part)) + ((double)c - part), value = (double)nearest;
    if (value != sum)
        return value > sum ? 1 : -1;
    return (lost < 0.0) - (lost > 0.0);
}

// The next float below (towards minus infinity); of 0 the least negative one.
DEVICE float f32_below(float x)
{
    const uint32_t bits = f32_bits(x);
    if (x == 0.0f)
        return f32_from_bits(0x80000001u);
    return f32_from_bits(bits >> 31 ? bits + 1u : bits - 1u);
}

DEVICE float fmaf_down(float a, float b, float c)
{
    const float nearest = fmaf(a, b, c);
    return fmaf_compare(nearest, a, b, c) > 0 ? f32_below(nearest) : nearest;
}

DEVICE float fmaf_up(float a, float b, float c)
{
    return -fmaf_down(-a, b, -c);
}

// ---- memory

// A struct of other types is read and written through them too, wherever it stands.
struct __attribute__((may_alias)) float4 {
    float x, y, z, w;
};

struct __attribute__((may_alias)) uint4 {
    uint32_t x, y, z, w;
};

struct __attribute__((may_alias)) uint2 {
    uint32_t x, y;
};

DEVICE struct float4 make_float4(float x, float y, float z, float w)
{
    return (struct float4){x, y, z, w};
}

DEVICE struct uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return (struct uint4){x, y, z, w};
}

DEVICE struct uint2 make_uint2(uint32_t x, uint32_t y)
{
    return (struct uint2){x, y};
}

#define load_read_only(place) (*(place))
#define load_once(place) (*(place))
#define store_once(place, value) ((void)(*(place) = (value)))
#define load_texel(to, texture, at) ((void)((to)[0] = ((const uint32_t *)(uintptr_t)(texture))[at]))
#define prefetch(place) ((void)(place))
#define place_behind(place, a, b) ((void)(a), (void)(b), (place))

// ---- bytes. A half is the number of bits below it.

DEVICE uint32_t half_make(bool upper)
{
    return upper ? 16u : 0u;
}

DEVICE uint32_t half_other(uint32_t one)
{
    return one ^ 16u;
}

DEVICE float half_f32(uint32_t word, uint32_t which)
{
    return f32_from_bits(0x3F000000u | (word >> which & 0xFFFFu) << 8);
}

DEVICE uint32_t with_byte(uint32_t word, uint32_t bytes, uint32_t i)
{
    return (word & 0xFFFFFF00u) | (bytes >> 8u * i & 0xFFu);
}

#define extension_mark() ((void)0)
#define keep_branch() ((void)0)
#define lockstep_begin(kind, bounce) ((void)(kind), (void)(bounce))
#define lockstep_node(place) ((void)(place))
#define lockstep_answers(answers) ((void)(answers))
#define lockstep_test(place) ((void)(place))
#define lockstep_round(inner_steps, triangle_tests) ((void)(inner_steps), (void)(triangle_tests))
#define lockstep_end() ((void)0)

#define KERNEL(name, args_type)                                                                                        \
    static inline __attribute__((always_inline)) void name##_body(const args_type *args, void *opencl_shared);         \
    __kernel void name(__global const ulong2 *opencl_args, __local ulong2 *opencl_local)                               \
    {                                                                                                                  \
        name##_body((const args_type *)(uintptr_t)opencl_args, (void *)(uintptr_t)opencl_local);                       \
    }                                                                                                                  \
    static inline __attribute__((always_inline)) void name##_body(const args_type *args, void *opencl_shared)

#define CONFIG(frame, field) CONFIG_##field
