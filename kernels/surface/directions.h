// SPDX-License-Identifier: MIT
// Directions about a normal, and a direction drawn from a material with its weight.
#pragma once

#include "lib/dielectric.h"
#include "lib/maths.h"
#include "lib/random.h"

// Two vectors that make an orthonormal basis with n (Duff et al. 2017, "Building an orthonormal basis, revisited").
DEVICE void basis_make(struct vec3 n, struct vec3 *s, struct vec3 *t)
{
    const float sign = (f32_bits(n.z) >> 31) ? -1.0f : 1.0f;
    const float a = -1.0f / (sign + n.z), b = n.x * n.y * a;
    *s = vec3_make(fmaf(sign * n.x * n.x, a, 1.0f), sign * b, -sign * n.x);
    *t = vec3_make(b, fmaf(n.y * n.y, a, sign), -n.y);
}

DEVICE struct vec3 basis_direction(struct vec3 n, float x, float y, float z)
{
    struct vec3 s, t;
    basis_make(n, &s, &t);
    return vec3_normalize(vec3_fma(s, x, vec3_fma(t, y, vec3_scale(n, z))));
}

// Density cos / pi around n.
DEVICE struct vec3 cosine_direction(struct vec3 n, float u, float v)
{
    float sine, cosine;
    sincos_turns(v, &sine, &cosine);
    const float radius = sqrtf(u);
    return basis_direction(n, radius * cosine, radius * sine, sqrtf(1.0f - u));
}

// Square of the sine of the angle between n and the half vector; 1 where that is below the surface. Narrow lobes magnify
// its error: the cosine's would be that of n's length, which rounding gives one sign all over a surface.
DEVICE float half_sine2(struct vec3 n, struct vec3 wo, struct vec3 wi)
{
    const struct vec3 halfway = vec3_add(wo, wi), across = vec3_cross(n, halfway);
    const float along = vec3_dot(n, halfway), square = vec3_dot(across, across);
    return along > 0.0f ? square / fmaf(along, along, square) : 1.0f;
}

struct bsdf_sample {
    struct vec3 direction;
    struct vec3 weight; // BRDF times cosine over density
    bool specular, valid;
};

DEVICE void sample_mirror(struct vec3 tint, struct vec3 n, struct vec3 wo, struct bsdf_sample *sample)
{
    sample->direction = mirror_direction(n, wo);
    sample->weight = tint;
    sample->specular = true;
    sample->valid = vec3_dot(sample->direction, n) > 0.0f;
}
