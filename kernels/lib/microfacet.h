// SPDX-License-Identifier: MIT
// Microfacets with normals distributed as by Trowbridge and Reitz (1975), called GGX by Walter, Marschner, Li and Torrance,
// Microfacet Models for Refraction through Rough Surfaces (2007), section 5: their equations 33 and 34. A cosine is that
// of a direction with the surface's normal.
#pragma once

#include "lib/maths.h"
#include "lib/vec.h"

// Normals per steradian and area of the surface: D; sine2 = 1 - cosine^2.
DEVICE float microfacet_distribution(float alpha, float sine2)
{
    const float square = alpha * alpha, x = fmaf(sine2, 1.0f - square, square);
    return square / (PI_F * x * x);
}

// Smith's factor G1 for one direction, over twice its cosine, which is above 0.
DEVICE float microfacet_shadowing(float alpha, float cosine)
{
    return 1.0f / (cosine + sqrtf(fmaf(alpha * alpha, 1.0f - cosine * cosine, cosine * cosine)));
}

// A normal as `wo` sees them, its density G1(wo) D |wo . m| / |wo . n|; for u, v uniform in [0, 1). wo is a unit vector,
// and so is the result, in coordinates in which the surface's normal is z. (J. Dupuy and A. Benyoub, Sampling Visible GGX
// Normals with Spherical Caps, 2023.)
DEVICE struct vec3 microfacet_visible_normal(float alpha, struct vec3 wo, float u, float v)
{
    const struct vec3 stretched = vec3_normalize(vec3_make(alpha * wo.x, alpha * wo.y, wo.z));
    const float z = fmaf(1.0f - u, 1.0f + stretched.z, -stretched.z);
    const float radius = sqrtf(maximum_f32(fmaf(-z, z, 1.0f), 0.0f));
    float sine, cosine;
    sincos_turns(v, &sine, &cosine);
    const struct vec3 halfway = vec3_add(vec3_make(radius * cosine, radius * sine, z), stretched);
    return vec3_normalize(vec3_make(alpha * halfway.x, alpha * halfway.y, maximum_f32(halfway.z, 0.0f)));
}
