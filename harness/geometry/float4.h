// SPDX-License-Identifier: MIT
// Four floats at once, for builders: the compiler's own vectors, and the least and greatest of them by SSE where there is such.
#pragma once

#include <stdbool.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef float float4 __attribute__((vector_size(16)));

static inline float4 float4_splat(float x)
{
    return (float4){x, x, x, x};
}

// Of three; the fourth is 0.
static inline float4 float4_of(const float from[3])
{
    return (float4){from[0], from[1], from[2], 0.0f};
}

static inline void float4_store(float4 from, float to[3])
{
    for (int i = 0; i < 3; ++i)
        to[i] = from[i];
}

// Of numbers, none of them NaN.
#ifdef __SSE2__
static inline float4 float4_min(float4 a, float4 b)
{
    return (float4)_mm_min_ps((__m128)a, (__m128)b);
}

static inline float4 float4_max(float4 a, float4 b)
{
    return (float4)_mm_max_ps((__m128)a, (__m128)b);
}

// Whether one of the first three is greater than the other's.
static inline bool float4_any_greater(float4 a, float4 b)
{
    return (_mm_movemask_ps(_mm_cmpgt_ps((__m128)a, (__m128)b)) & 7) != 0;
}
#else
static inline float4 float4_min(float4 a, float4 b)
{
    for (int i = 0; i < 4; ++i)
        a[i] = a[i] < b[i] ? a[i] : b[i];
    return a;
}

static inline float4 float4_max(float4 a, float4 b)
{
    for (int i = 0; i < 4; ++i)
        a[i] = a[i] > b[i] ? a[i] : b[i];
    return a;
}

static inline bool float4_any_greater(float4 a, float4 b)
{
    return a[0] > b[0] || a[1] > b[1] || a[2] > b[2];
}
#endif

// A box; empty where a lower end is above the upper one.
struct box4 {
    float4 low, high;
};

static inline struct box4 box4_empty(void)
{
    return (struct box4){float4_splat(__builtin_inff()), float4_splat(-__builtin_inff())};
}

static inline struct box4 box4_of(const float low[3], const float high[3])
{
    return (struct box4){float4_of(low), float4_of(high)};
}

static inline struct box4 box4_both(struct box4 a, struct box4 b) // the least that holds both
{
    return (struct box4){float4_min(a.low, b.low), float4_max(a.high, b.high)};
}

static inline struct box4 box4_common(struct box4 a, struct box4 b)
{
    return (struct box4){float4_max(a.low, b.low), float4_min(a.high, b.high)};
}

static inline bool box4_is_empty(struct box4 box)
{
    return float4_any_greater(box.low, box.high);
}

// Half the surface area; 0 of an empty box.
static inline float box4_area(struct box4 box)
{
    const float4 size = box.high - box.low;
    return box4_is_empty(box) ? 0.0f : size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}
