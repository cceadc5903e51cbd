// SPDX-License-Identifier: MIT
// Lengths that follow from a scene's size.
#pragma once

#include <math.h>

// How far out vertices may lie. Inverses of directions are at most 2^80 (safe_inverse), and their products with the extent of
// a scene are to be finite, with room to add them: an infinite one less another is no number.
#define SCENE_REACH 0x1p45f

// By how much every box is widened (scene_view.box_pad), from the bounds of all vertices: a few units in the last place
// of the largest coordinate, which covers the rounding of box tests for origins up to a few scene sizes away.
static inline float scene_box_pad(const float low[3], const float high[3])
{
    float largest = 0.0f;
    for (int axis = 0; axis < 3; ++axis)
        largest = fmaxf(largest, fmaxf(fabsf(low[axis]), fabsf(high[axis])));
    return largest * 0x1p-20f;
}

// scene_view.diagonal.
static inline float scene_diagonal(const float low[3], const float high[3])
{
    const double x = (double)high[0] - (double)low[0], y = (double)high[1] - (double)low[1],
                 z = (double)high[2] - (double)low[2];
    return (float)sqrt(x * x + y * y + z * z);
}
