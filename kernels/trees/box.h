// SPDX-License-Identifier: MIT
// The test of one box.
#pragma once

#include "trees/ray.h"

DEVICE int32_t minimum_s32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

DEVICE int32_t maximum_s32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// t of a plane, as the integer that its bits make. Such integers are ordered like the numbers, but for two negative
// ones, and which of those is taken changes nothing: an entry is 0 then, an exit negative, before the ray. GPUs have an
// integer minimum of three, and no such thing for numbers.
DEVICE int32_t plane_order(float plane, float inverse, float shift)
{
    return (int32_t)f32_bits(fmaf(plane, inverse, shift));
}

// box_interval, and whether the box is met no farther than t_best.
DEVICE bool box_test(const struct box_ray *ray, struct vec3 low, struct vec3 high, float t_best, float *entry)
{
    const int32_t x0 = plane_order(low.x, ray->inverse.x, ray->shift.x);
    const int32_t x1 = plane_order(high.x, ray->inverse.x, ray->shift.x);
    const int32_t y0 = plane_order(low.y, ray->inverse.y, ray->shift.y);
    const int32_t y1 = plane_order(high.y, ray->inverse.y, ray->shift.y);
    const int32_t z0 = plane_order(low.z, ray->inverse.z, ray->shift.z);
    const int32_t z1 = plane_order(high.z, ray->inverse.z, ray->shift.z);
    const int32_t near =
        maximum_s32(maximum_s32(maximum_s32(minimum_s32(x0, x1), minimum_s32(y0, y1)), minimum_s32(z0, z1)), 0);
    const int32_t far = minimum_s32(minimum_s32(maximum_s32(x0, x1), maximum_s32(y0, y1)),
                                    minimum_s32(maximum_s32(z0, z1), (int32_t)f32_bits(t_best)));
    *entry = f32_from_bits((uint32_t)near);
    return near <= far;
}
