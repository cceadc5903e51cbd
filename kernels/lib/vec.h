// SPDX-License-Identifier: MIT
// Three-component vectors. Every operation is written out, so that both sides round alike.
#pragma once

#include "lib/platform.h"

struct vec3 {
    float x, y, z;
};

DEVICE struct vec3 vec3_make(float x, float y, float z)
{
    struct vec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

DEVICE struct vec3 vec3_splat(float s)
{
    return vec3_make(s, s, s);
}

DEVICE struct vec3 vec3_add(struct vec3 a, struct vec3 b)
{
    return vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

DEVICE struct vec3 vec3_sub(struct vec3 a, struct vec3 b)
{
    return vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

DEVICE struct vec3 vec3_mul(struct vec3 a, struct vec3 b)
{
    return vec3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

DEVICE struct vec3 vec3_scale(struct vec3 a, float s)
{
    return vec3_make(a.x * s, a.y * s, a.z * s);
}

// a * s + b
DEVICE struct vec3 vec3_fma(struct vec3 a, float s, struct vec3 b)
{
    return vec3_make(fmaf(a.x, s, b.x), fmaf(a.y, s, b.y), fmaf(a.z, s, b.z));
}

DEVICE float vec3_dot(struct vec3 a, struct vec3 b)
{
    return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z));
}

DEVICE struct vec3 vec3_cross(struct vec3 a, struct vec3 b)
{
    return vec3_make(fmaf(a.y, b.z, -(a.z * b.y)), fmaf(a.z, b.x, -(a.x * b.z)), fmaf(a.x, b.y, -(a.y * b.x)));
}

DEVICE struct vec3 vec3_negate(struct vec3 a)
{
    return vec3_make(-a.x, -a.y, -a.z);
}

DEVICE struct vec3 vec3_normalize(struct vec3 a)
{
    return vec3_scale(a, 1.0f / sqrtf(vec3_dot(a, a)));
}

DEVICE float vec3_max(struct vec3 a)
{
    return maximum_f32(a.x, maximum_f32(a.y, a.z));
}

// Relative luminance of linear Rec. 709 radiance.
DEVICE float vec3_luminance(struct vec3 a)
{
    return fmaf(0.2126f, a.x, fmaf(0.7152f, a.y, 0.0722f * a.z));
}
