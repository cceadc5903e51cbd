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
#define block_join() ((void)0)
#define grid_sync() emulator_grid_sync(PLATFORM_SITE)
#define grid_yield() emulator_grid_yield()
#define block_shared() (emulator_lane->shared)
#define lane_number_again() (block_index() * block_size() + thread_index())
#define launch_dependents() ((void)0) // launches run one after the other
#define launch_wait() ((void)0)

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

#include "lib/platform_plain.h"

#define prefetch(place) __builtin_prefetch(place)
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
#include "lib/no_lockstep.h"
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
