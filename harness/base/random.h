// SPDX-License-Identifier: MIT
// Numbers that look random and are the same on every machine: from a counter by mixing, or one after the other.
#pragma once

#include <stdint.h>

// An invertible mix of 64 bits (S. Vigna, splitmix64).
static inline uint64_t random_mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

// The next state of a linear congruential generator (D. Knuth, MMIX), any number being a first one. The upper bits are good.
static inline uint64_t random_next(uint64_t *state)
{
    return *state = *state * 6364136223846793005u + 1442695040888963407u;
}

static inline uint32_t random_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)((random_next(state) >> 32) * bound >> 32);
}

// In [0, 1), in steps of 2^-53.
static inline double random_fraction(uint64_t *state)
{
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

// In [-1, 1), in steps of 2^-23: a float holds it exactly.
static inline float random_signed(uint64_t *state)
{
    return (float)(random_next(state) >> 40) * 0x1p-23f - 1.0f;
}

// `order` becomes 0 ... count - 1 in random order, the first `fixed` where they are.
static inline void random_order(uint64_t state, uint32_t *order, uint32_t count, uint32_t fixed)
{
    for (uint32_t i = 0; i < count; ++i)
        order[i] = i;
    for (uint32_t i = count; i > fixed + 1; --i) {
        const uint32_t other = fixed + random_below(&state, i - fixed), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}
