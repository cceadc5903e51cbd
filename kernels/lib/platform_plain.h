// SPDX-License-Identifier: MIT
// What C and OpenCL C do alike: directed rounding, loads and bytes without instructions of their own. The side that includes it has
// defined DEVICE and f32_bits, and where it has instructions (opencl_nv.h), OPENCL_NV.
#pragma once

#if !OPENCL_NV

// The product is exact in a double, and so are the sum and what its rounding loses (Knuth's two-sum). `nearest` is a
// double as well, so that it compares with the rounded sum as with the exact one, unless the two are equal.
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
#endif

#if OPENCL_NV // which loads them at once
#define PLAIN_VECTOR(bytes) __attribute__((may_alias, aligned(bytes)))
#else
#define PLAIN_VECTOR(bytes) __attribute__((may_alias))
#endif

// A struct of other types is read and written through them too, wherever it stands.
#ifndef __VECTOR_TYPES_H__ // CUDA's own header, where a file of the cuda backend has included it
struct PLAIN_VECTOR(16) float4 {
    float x, y, z, w;
};

struct PLAIN_VECTOR(16) uint4 {
    uint32_t x, y, z, w;
};

struct PLAIN_VECTOR(8) uint2 {
    uint32_t x, y;
};
#endif

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

#define load_texel(to, texture, at) ((void)((to)[0] = ((const uint32_t *)(uintptr_t)(texture))[at]))

#if OPENCL_NV
#include "lib/opencl_nv_memory.h"
#else
#define load_read_only(place) (*(place))
#define load_once(place) (*(place))
#define store_once(place, value) ((void)(*(place) = (value)))
#define place_behind(place, a, b) ((void)(a), (void)(b), (place))

// ---- bytes. A half is the number of bits below it, which trees/wide4_avx.h takes for granted.

DEVICE uint32_t half_make(bool upper)
{
    return upper ? 16u : 0u;
}

DEVICE uint32_t half_other(uint32_t which)
{
    return which ^ 16u;
}

DEVICE float half_f32(uint32_t word, uint32_t which)
{
    return f32_from_bits(0x3F000000u | (word >> which & 0xFFFFu) << 8);
}

DEVICE uint32_t with_byte(uint32_t word, uint32_t bytes, uint32_t i)
{
    return (word & 0xFFFFFF00u) | (bytes >> 8u * i & 0xFFu);
}

DEVICE uint32_t signs_over_byte(uint32_t word, uint32_t bytes, uint32_t i)
{
    return with_byte(0u - (word >> 31), bytes, i);
}
#endif

#define extension_mark() ((void)0)
