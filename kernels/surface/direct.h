// SPDX-License-Identifier: MIT
// Light sampling: one light, and what it sends to the viewer where nothing stands between.
#pragma once

#include "surface/node.h"

// A sampled light. wanted: it could send light, so that a shadow ray is to be traced.
struct direct {
    struct light_sample light;
    bool wanted;
};

DEVICE struct direct direct_sample(const struct frame_args *frame, const struct path *path,
                                   const struct surface *surface, const struct material *material)
{
    struct direct direct;
    direct.light = light_sample_nothing();
    if (CONFIG(frame, lighting) == LIGHTING_DIRECT && !material_is_specular(frame, material))
        direct.light =
            light_sample_direction(frame, path, surface->position, path_random(frame, path, DIMENSION_LIGHT_KIND));
    direct.wanted = direct.light.density > 0.0f && vec3_dot(direct.light.direction, surface->normal) > 0.0f;
    return direct;
}

// Whether lanes trace a shadow ray, where there is a choice. All lanes of `group`, which are at surfaces, call this together.
DEVICE void count_wanted(const struct frame_args *frame, uint32_t bounce, const struct direct *direct, lanemask group)
{
    if (CONFIG(frame, lighting) == LIGHTING_DIRECT)
        count_branch(frame, BRANCH_SHADOW, bounce, direct->wanted, group);
}

DEVICE struct ray shadow_ray(const struct surface *surface, const struct light_sample *light)
{
    struct ray ray;
    ray.origin = surface->position;
    ray.direction = light->direction;
    return ray;
}

// What the light sends to the viewer, unless something stands between.
DEVICE struct vec3 reflected_light(const struct frame_args *frame, const struct path *path,
                                   const struct surface *surface, const struct material *material,
                                   const struct light_sample *light)
{
    const float cosine = vec3_dot(light->direction, surface->normal);
    const struct vec3 brdf = bsdf_evaluate(frame, material, surface->normal, surface->viewer, light->direction);
    return vec3_mul(vec3_mul(path->weight, brdf), vec3_scale(light->radiance, cosine / light->density));
}
