// SPDX-License-Identifier: MIT
// A smooth boundary of a dielectric: Fresnel's equations, and the two directions in which light goes on. `n` is the normal
// on the viewer's side, `wo` points to the viewer; both unit vectors.
#pragma once

#include "lib/vec.h"

// Unpolarised Fresnel reflectance of a dielectric; eta = index behind the surface over index in front.
DEVICE float fresnel_dielectric(float cosine, float eta)
{
    const float sine2 = (1.0f - cosine * cosine) / (eta * eta);
    if (sine2 >= 1.0f)
        return 1.0f;
    const float inner = sqrtf(1.0f - sine2);
    const float parallel = (eta * cosine - inner) / (eta * cosine + inner);
    const float perpendicular = (cosine - eta * inner) / (cosine + eta * inner);
    return 0.5f * fmaf(parallel, parallel, perpendicular * perpendicular);
}

DEVICE struct vec3 mirror_direction(struct vec3 n, struct vec3 wo)
{
    return vec3_normalize(vec3_sub(vec3_scale(n, 2.0f * vec3_dot(n, wo)), wo));
}

// Behind the surface, by Snell's law; `cosine` is that of wo with n. Only where not all light is reflected.
DEVICE struct vec3 refracted_direction(struct vec3 n, struct vec3 wo, float cosine, float eta)
{
    const float inner = sqrtf(maximum_f32(1.0f - (1.0f - cosine * cosine) / (eta * eta), 0.0f));
    return vec3_normalize(vec3_fma(n, cosine / eta - inner, vec3_scale(wo, -1.0f / eta)));
}
