// SPDX-License-Identifier: MIT
// The film: Q31.32 per channel, so that sums have no order.
#pragma once

#include "lib/counting.h"

// Rounded once. False where the value does not fit.
DEVICE bool film_quantise(float value, int64_t *fixed)
{
    if (!(fabsf(value) < 1073741824.0f)) // 2^30, so that sums have room; also catches NaN
        return false;
    *fixed = (int64_t)rintf(value * 4294967296.0f);
    return true;
}

// Counts the radiance of a path, which fits, and its square.
DEVICE void film_count(const struct frame_args *frame, struct vec3 radiance)
{
#if COUNTING
    const float sum = radiance.x + radiance.y + radiance.z;
    const float squares = radiance.x * radiance.x + radiance.y * radiance.y + radiance.z * radiance.z;
    count_total(frame, radiance, (int64_t)rintf(sum * 16777216.0f));
    count_total(frame, squares, rintf(minimum_f32(squares, 274877906944.0f) * 16777216.0f)); // at most 2^38 each
#else
    (void)frame;
    (void)radiance;
#endif
}

// Adds the radiance of a path of `length` extensions to its pixel, x | y << 16: once per path. The length of a pixel's
// last sample is kept, whichever of its paths ends last.
DEVICE void film_add(const struct frame_args *frame, uint32_t pixel, uint32_t sample, struct vec3 radiance,
                     uint32_t length)
{
    const uint64_t place = (uint64_t)(pixel >> 16) * frame->film_width + (pixel & 0xFFFFu);
    int64_t r, g, b;
    if (!film_quantise(radiance.x, &r) || !film_quantise(radiance.y, &g) || !film_quantise(radiance.z, &b)) {
        atomic_add_u32(frame->bad_values + BAD_RADIANCE, 1u);
        return;
    }
    atomic_add_u64(&frame->film[3 * place], (uint64_t)r);
    atomic_add_u64(&frame->film[3 * place + 1], (uint64_t)g);
    atomic_add_u64(&frame->film[3 * place + 2], (uint64_t)b);
    film_count(frame, radiance);
#if COUNTING
    if (frame->path_length && sample + 1u == frame->samples)
        frame->path_length[(uint64_t)(pixel >> 16) * frame->width + (pixel & 0xFFFFu)] = length;
#else
    (void)sample;
    (void)length;
#endif
}
