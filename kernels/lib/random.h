// SPDX-License-Identifier: MIT
// Random numbers of a path. They depend on seed, pixel, index of the path in its pixel, bounce and dimension only:
// never on the lane that draws them.
#pragma once

#include "lib/frame.h"

// What a number is used for. A new use takes a new row; every bounce has all of them.
enum dimension {
    DIMENSION_LIGHT_KIND,
    DIMENSION_LIGHT_CELL,
    DIMENSION_LIGHT_ALIAS,
    DIMENSION_LIGHT_U,
    DIMENSION_LIGHT_V,
    DIMENSION_LOBE,
    DIMENSION_DIRECTION_U,
    DIMENSION_DIRECTION_V,
    DIMENSION_ROULETTE,
    DIMENSION_FILM_X,
    DIMENSION_FILM_Y,
    DIMENSION_LENS_U,
    DIMENSION_LENS_V,
    DIMENSIONS
};

// An invertible mix of 32 bits (C. Wellons, "lowbias32").
DEVICE uint32_t mix32(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7FEB352Du;
    x ^= x >> 15;
    x *= 0x846CA68Bu;
    x ^= x >> 16;
    return x;
}

// An invertible mix of 64 bits (S. Vigna, splitmix64's finaliser).
DEVICE uint64_t mix64(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9ull;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBull;
    x ^= x >> 31;
    return x;
}

// [0, 1) in steps of 2^-24
DEVICE float unit_from_bits(uint32_t bits)
{
    return (float)(bits >> 8) * 5.9604644775390625e-8f;
}

// First state of a path's generator (`sampler: padded`): a word that differs from pixel to pixel and seed to seed.
DEVICE uint32_t generator_begin(uint32_t seed, uint32_t pixel)
{
    return mix32(pixel ^ mix32(seed + 0x9E3779B9u));
}

// Once a bounce (Numerical Recipes' linear congruential generator).
DEVICE uint32_t generator_next(uint32_t state)
{
    return state * 1664525u + 1013904223u;
}

DEVICE uint32_t halton_base(uint32_t dimension)
{
    const uint8_t primes[DIMENSIONS] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41};
    return primes[dimension];
}

// Radical inverse; exact in float32 because base^digits stays below 2^24 for index < 65536.
DEVICE float halton(uint32_t base, uint32_t index)
{
    uint32_t digits = 0, scale = 1;
    while (index > 0) {
        digits = digits * base + index % base;
        scale *= base;
        index /= base;
    }
    return (float)digits / (float)scale;
}

// The number of `dimension` at `bounce` of path `sample` of `pixel`, in [0, 1). `generator` is used by the padded
// sampler.
DEVICE float random_unit(const struct frame_args *frame, uint32_t pixel, uint32_t sample, uint32_t generator,
                         uint32_t bounce, uint32_t dimension)
{
    if (CONFIG(frame, sampler) == SAMPLER_PADDED) {
        const float shift = unit_from_bits(mix32(generator + dimension * 0x9E3779B9u));
        const float sum = halton(halton_base(dimension), sample) + shift;
        return sum >= 1.0f ? sum - 1.0f : sum;
    }
    const uint32_t path = mix32(sample + mix32(frame->seed + 0x9E3779B9u));
    const uint32_t counter = mix32((bounce * (uint32_t)DIMENSIONS + dimension) * 0x9E3779B9u + path);
    return unit_from_bits(mix32(counter ^ mix32(pixel ^ path)));
}

// The number that lets a ray pass a surface of an opacity below 1, in [0, 1), of both samplers. `layer` 0: the path's own
// ray at `bounce`; k: the k-th surface that the shadow ray from there meets. It is no row of enum dimension, because every
// other number depends on how many rows that has.
DEVICE float random_pass(const struct frame_args *frame, uint32_t pixel, uint32_t sample, uint32_t bounce,
                         uint32_t layer)
{
    const uint32_t path = mix32(sample + mix32(pixel ^ mix32(frame->seed + 0x6A09E667u)));
    return unit_from_bits(mix32(layer * 0x9E3779B9u + mix32(bounce + path)));
}
