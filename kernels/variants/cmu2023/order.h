// SPDX-License-Identifier: MIT
// Orders of the samples in a queue.
#pragma once

#include "lib/random.h"

// Where item i of 0 .. count-1 comes in a random order, another for each seed: a permutation, without a table. Steps that
// can be undone mix the numbers below the next power of two; what falls beyond `count` is mixed again.
DEVICE uint32_t order_shuffled(uint32_t i, uint32_t count, uint32_t seed)
{
    uint32_t mask = count - 1u, shift = 1u;
    for (uint32_t step = 1u; step < 32u; step *= 2u)
        mask |= mask >> step;
    while (shift < 16u && mask >> 2u * shift != 0u)
        ++shift;
    do {
        for (uint32_t round = 0u; round < 4u; ++round) {
            const uint32_t key = mix32(seed * 4u + round);
            i = (i * (key | 1u) + (key >> 7)) & mask;
            i ^= i >> shift;
        }
    } while (i >= count);
    return i;
}
