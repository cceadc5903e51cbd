// SPDX-License-Identifier: MIT
// Directions after a collision: all equally likely, or by Henyey and Greenstein's phase function (1941), whose mean cosine
// is the volume's asymmetry g.
#pragma once

#include "lib/environment.h"
#include "volume/path.h"

DEVICE struct vec3 isotropic_direction(struct pair pair)
{
    const float y = fmaf(-2.0f, pair.u, 1.0f);
    return polar_direction(pair.v, y, sqrtf(maximum_f32(1.0f - y * y, 0.0f)));
}

// Cosine of the deflection for a uniform u: the usual inverse (1 + g^2 - ((1 - g^2) / (1 + g s))^2) / 2g with s = 2u - 1,
// multiplied out so that nothing is divided by g.
DEVICE float deflection_cosine(float g, float u)
{
    const float s = fmaf(2.0f, u, -1.0f), square = g * g, below = fmaf(g, s, 1.0f);
    const float above = fmaf(s, 1.0f + square, 0.5f * g * fmaf(s * s, 1.0f + square, 3.0f - square));
    return minimum_f32(maximum_f32(above / (below * below), -1.0f), 1.0f);
}

// A direction at an angle of that cosine to `along`, a unit vector, at `turns` around it. The two axes across are those of
// Duff et al., Building an Orthonormal Basis, Revisited (2017).
DEVICE struct vec3 direction_about(struct vec3 along, float cosine, float turns)
{
    const float sign = along.z < 0.0f ? -1.0f : 1.0f, a = -1.0f / (sign + along.z), b = along.x * along.y * a;
    const struct vec3 first = vec3_make(fmaf(sign * along.x * along.x, a, 1.0f), sign * b, -sign * along.x);
    const struct vec3 second = vec3_make(b, fmaf(along.y * along.y, a, sign), -along.y);
    const float sine = sqrtf(maximum_f32(fmaf(-cosine, cosine, 1.0f), 0.0f));
    float across_sine, across_cosine;
    sincos_turns(turns, &across_sine, &across_cosine);
    const struct vec3 across = vec3_fma(first, across_cosine, vec3_scale(second, across_sine));
    return vec3_normalize(vec3_fma(along, cosine, vec3_scale(across, sine)));
}

// Of a path that came along `along`, a unit vector.
DEVICE struct vec3 phase_direction(const struct frame_args *frame, struct vec3 along, struct pair pair)
{
    const float g = frame->scene.volume.asymmetry;
    if (g == 0.0f)
        return isotropic_direction(pair);
    return direction_about(along, deflection_cosine(g, pair.u), pair.v);
}
