// SPDX-License-Identifier: MIT
// The emulator's side of platform.h. The scheduler in harness/device/emulator runs each lane as a fiber and keeps
// `emulator_lane` pointing at the lane that runs now; a block stays on one operating-system thread.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Without optimisation all locals of what is inlined would stand in one frame, larger than a lane's stack.
#ifdef __OPTIMIZE__
#define DEVICE static inline __attribute__((always_inline, unused))
#else
#define DEVICE static inline __attribute__((unused))
#endif
// Of functions with many callers: one copy a kernel, since copies triple the time that a compiler takes.
#define DEVICE_ONCE static __attribute__((noinline, unused))
#define LANE_LOCAL_ARRAY
#define UNROLLED
#define ROLLED
#define READ_IN_PLACE 1
#if !defined(PLATFORM_SCALAR) && defined(__AVX2__) && defined(__FMA__)
#define VECTOR_BODIES 1
#else
#define VECTOR_BODIES 0
#endif

typedef uint64_t lanemask;

// What a kernel may read of the lane that runs now. The scheduler owns it.
struct emulator_lane {
    uint32_t thread_index, block_index, block_size, grid_size;
    uint32_t warp_width, lane_index;
    lanemask warp_mask;
    void *shared;
    struct emulator_recorder *recorder; // NULL where the lockstep model is not being recorded
};
extern _Thread_local struct emulator_lane *emulator_lane;

// Provided by the emulator; `site` tells one textual barrier from another.
void emulator_block_sync(uint32_t site);
uint64_t emulator_ballot(uint64_t mask, bool predicate, uint32_t site);
uint32_t emulator_shuffle(uint64_t mask, uint32_t value, uint32_t source, uint32_t site);
uint32_t emulator_sum(uint64_t mask, uint32_t value, uint32_t site);
uint32_t emulator_max(uint64_t mask, uint32_t value, uint32_t site);
void emulator_grid_sync(uint32_t site);
void emulator_grid_yield(void);
void emulator_record_traversal(struct emulator_recorder *recorder, uint32_t kind, uint32_t bounce);
void emulator_record_node(struct emulator_recorder *recorder, uint32_t place);
void emulator_record_answers(struct emulator_recorder *recorder, uint32_t answers);
void emulator_record_test(struct emulator_recorder *recorder, uint32_t place);
void emulator_record_round(struct emulator_recorder *recorder, uint32_t inner_steps, uint32_t triangle_tests);
void emulator_record_end(struct emulator_recorder *recorder);

// Of a vote or barrier, by its place in the text.
#ifndef PLATFORM_FIRST_SITE
#define PLATFORM_FIRST_SITE 1u
#endif
#define PLATFORM_SITE (__COUNTER__ + PLATFORM_FIRST_SITE)

#define thread_index() (emulator_lane->thread_index)
#define block_index() (emulator_lane->block_index)
#define block_size() (emulator_lane->block_size)
#define grid_size() (emulator_lane->grid_size)
#define warp_width() (emulator_lane->warp_width)
#define lane_index() (emulator_lane->lane_index)
#define warp_mask() (emulator_lane->warp_mask)
#define warp_ballot(mask, predicate) emulator_ballot((mask), (predicate) != 0, PLATFORM_SITE)
#define warp_staying(predicate) warp_ballot(warp_mask(), (predicate))
#define warp_any(mask, predicate) (emulator_ballot((mask), (predicate) != 0, PLATFORM_SITE) != 0)
#define warp_shuffle_u32(mask, value, lane) emulator_shuffle((mask), (value), (lane), PLATFORM_SITE)
#define warp_broadcast_u32(mask, value, lane) emulator_shuffle((mask), (value), (lane), PLATFORM_SITE)
#define warp_shuffle_up_u32(mask, value, distance)                                                                     \
    warp_shuffle_u32((mask), (value), lane_index() >= (distance) ? lane_index() - (distance) : lane_index())
#define warp_sum_u32(mask, value) emulator_sum((mask), (value), PLATFORM_SITE)
#define warp_max_u32(mask, value) emulator_max((mask), (value), PLATFORM_SITE)
#define block_sync() emulator_block_sync(PLATFORM_SITE)
#define grid_sync() emulator_grid_sync(PLATFORM_SITE)
#define grid_yield() emulator_grid_yield()
#define block_shared() (emulator_lane->shared)

DEVICE uint32_t lanemask_count(lanemask mask)
{
    return (uint32_t)__builtin_popcountll(mask);
}

DEVICE uint32_t lanemask_lowest(lanemask m)
{
    return (uint32_t)__builtin_ctzll(m);
}

DEVICE lanemask lanemask_below(uint32_t lane)
{
    return ((lanemask)1 << lane) - 1;
}

DEVICE uint32_t atomic_add_u32(uint32_t *place, uint32_t value)
{
    return __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
}

DEVICE uint64_t atomic_add_u64(uint64_t *place, uint64_t value)
{
    return __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
}

DEVICE uint32_t atomic_max_u32(uint32_t *place, uint32_t value)
{
    uint32_t old = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (old < value && !__atomic_compare_exchange_n(place, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return old;
}

DEVICE uint64_t atomic_max_u64(uint64_t *place, uint64_t value)
{
    uint64_t old = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (old < value && !__atomic_compare_exchange_n(place, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return old;
}

DEVICE uint32_t atomic_exchange_u32(uint32_t *place, uint32_t value)
{
    return __atomic_exchange_n(place, value, __ATOMIC_RELAXED);
}

DEVICE uint32_t atomic_load_u32(const uint32_t *place)
{
    return __atomic_load_n(place, __ATOMIC_RELAXED);
}

DEVICE void atomic_store_u32(uint32_t *place, uint32_t value)
{
    __atomic_store_n(place, value, __ATOMIC_RELAXED);
}

DEVICE void memory_fence(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

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
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

DEVICE float f32_from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

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

// ---- memory

// A struct of other types is read and written through them too, wherever it stands.
#ifndef __VECTOR_TYPES_H__ // CUDA's own header, where a file of the cuda backend has included it
struct __attribute__((may_alias)) float4 {
    float x, y, z, w;
};

struct __attribute__((may_alias)) uint4 {
    uint32_t x, y, z, w;
};

struct __attribute__((may_alias)) uint2 {
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

#define load_read_only(place) (*(place))
#define load_once(place) (*(place))
#define store_once(place, value) ((void)(*(place) = (value)))
#define load_texel(to, texture, at) ((void)((to)[0] = ((const uint32_t *)(uintptr_t)(texture))[at]))
#define prefetch(place) __builtin_prefetch(place)
#define place_behind(place, a, b) ((void)(a), (void)(b), (place))

// ---- bytes. A half is the number of bits below it, which trees/wide4_avx.h takes for granted.

DEVICE uint32_t half_make(bool upper)
{
    return upper ? 16 : 0;
}

DEVICE uint32_t half_other(uint32_t half)
{
    return half ^ 16u;
}

DEVICE float half_f32(uint32_t word, uint32_t half)
{
    return f32_from_bits(0x3F000000u | (word >> half & 0xFFFFu) << 8);
}

DEVICE uint32_t with_byte(uint32_t word, uint32_t bytes, uint32_t i)
{
    return (word & 0xFFFFFF00u) | (bytes >> 8 * i & 0xFFu);
}

#define extension_mark() ((void)0)
#define keep_branch() __asm__ volatile("")

// kind: 0 closest hit, 1 any hit. A traversal is a sequence of rounds: inner-node steps, then triangle tests.
#if COUNTING
#define lockstep_begin(kind, bounce)                                                                                   \
    do {                                                                                                               \
        if (emulator_lane->recorder)                                                                                   \
            emulator_record_traversal(emulator_lane->recorder, (kind), (bounce));                                      \
    } while (0)
#define lockstep_node(place)                                                                                           \
    do {                                                                                                               \
        if (emulator_lane->recorder)                                                                                   \
            emulator_record_node(emulator_lane->recorder, (place));                                                    \
    } while (0)
#define lockstep_answers(answers)                                                                                      \
    do {                                                                                                               \
        if (emulator_lane->recorder)                                                                                   \
            emulator_record_answers(emulator_lane->recorder, (answers));                                               \
    } while (0)
#define lockstep_test(place)                                                                                           \
    do {                                                                                                               \
        if (emulator_lane->recorder)                                                                                   \
            emulator_record_test(emulator_lane->recorder, (place));                                                    \
    } while (0)
#define lockstep_round(inner_steps, triangle_tests)                                                                    \
    do {                                                                                                               \
        if (emulator_lane->recorder)                                                                                   \
            emulator_record_round(emulator_lane->recorder, (inner_steps), (triangle_tests));                           \
    } while (0)
#define lockstep_end()                                                                                                 \
    do {                                                                                                               \
        if (emulator_lane->recorder)                                                                                   \
            emulator_record_end(emulator_lane->recorder);                                                              \
    } while (0)
#else
#define lockstep_begin(kind, bounce) ((void)(kind), (void)(bounce))
#define lockstep_node(place) ((void)(place))
#define lockstep_answers(answers) ((void)(answers))
#define lockstep_test(place) ((void)(place))
#define lockstep_round(inner_steps, triangle_tests) ((void)(inner_steps), (void)(triangle_tests))
#define lockstep_end() ((void)0)
#endif

// One object file holds the kernels of one variant, built several times: clean and counting, for this processor and for
// any. EMULATOR_BUILD tells them apart in the symbol table.
// Without EMULATOR_BUILD (a host file that wants the argument structs) a kernel is declared as an unused function.
#ifdef EMULATOR_BUILD
#define EMULATOR_PASTE(a, b) a##_##b
#define EMULATOR_SYMBOL(a, b) EMULATOR_PASTE(a, b)
#define KERNEL(name, args_type)                                                                                        \
    static inline void name##_body(const args_type *args);                                                             \
    void EMULATOR_SYMBOL(name, EMULATOR_BUILD)(const void *args);                                                      \
    void EMULATOR_SYMBOL(name, EMULATOR_BUILD)(const void *args)                                                       \
    {                                                                                                                  \
        name##_body((const args_type *)args);                                                                          \
    }                                                                                                                  \
    static inline void name##_body(const args_type *args)
#else
#define KERNEL(name, args_type) static inline __attribute__((unused)) void name##_body(const args_type *args)
#endif

#define CONFIG(frame, field) ((frame)->config.field)
