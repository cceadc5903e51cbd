// SPDX-License-Identifier: MIT
// Light sampling: the environment, and emissive triangles by area.
#pragma once

#include "surface/environment.h"
#include "trees/hit_point.h"

#define RAY_FOREVER 1e30f
#define LIGHT_NONE 0xFFFFFFFFu
#define LIGHT_ENVIRONMENT 0xFFFFFFFEu

struct light_sample {
    struct vec3 direction; // unit vector from the point to the light
    float distance;        // to the far end of the shadow ray
    struct vec3 radiance;
    float density;   // per steradian, of this light alone; 0 = nothing was found
    uint32_t source; // index of the area light, LIGHT_ENVIRONMENT or LIGHT_NONE
};

DEVICE struct light_sample light_sample_nothing(void)
{
    struct light_sample light;
    light.direction = vec3_make(0.0f, 1.0f, 0.0f);
    light.distance = 0.0f;
    light.radiance = vec3_splat(0.0f);
    light.density = 0.0f;
    light.source = LIGHT_NONE;
    return light;
}

DEVICE void sample_environment(const struct frame_args *frame, const struct path *path, struct light_sample *light)
{
    const struct environment_sample sample = environment_sample_direction(frame, path);
    light->direction = sample.direction;
    light->distance = RAY_FOREVER;
    light->radiance = environment_radiance(&frame->scene.environment, light->direction);
    light->density = sample.density * frame->scene.environment_share;
    light->source = LIGHT_ENVIRONMENT;
}

// A triangle by area, then a point uniform on it. The shadow ray ends before the light by as much as rays start off a
// surface, by the larger coordinates of its two ends: it is not stopped by the light itself, however near or far that is.
DEVICE void sample_area_light(const struct frame_args *frame, const struct path *path, struct vec3 from,
                              struct light_sample *light)
{
    const struct scene_view *scene = &frame->scene;
    const uint32_t source =
        alias_choose(scene->light_alias, scene->light_count, path_random(frame, path, DIMENSION_LIGHT_CELL),
                     path_random(frame, path, DIMENSION_LIGHT_ALIAS));
    const struct area_light *triangle = &scene->lights[source];
    const float root = sqrtf(path_random(frame, path, DIMENSION_LIGHT_U));
    const float b = root * path_random(frame, path, DIMENSION_LIGHT_V), a = 1.0f - root;
    const struct vec3 inside = vec3_fma(triangle->e1, a, vec3_scale(triangle->e2, b));
    const struct vec3 point = vec3_add(triangle->v0, inside);
    const struct vec3 normal = vec3_normalize(vec3_cross(triangle->e1, triangle->e2));
    const float offset = offset_at(point, normal, inside, triangle->reach + vec3_reach(from));
    const struct vec3 to = vec3_sub(vec3_fma(normal, offset, point), from);
    const float distance2 = vec3_dot(to, to), distance = sqrtf(distance2);
    if (!(distance > 0.0f))
        return;
    light->direction = vec3_scale(to, 1.0f / distance);
    const float cosine = -vec3_dot(normal, light->direction);
    if (!(cosine > 1e-6f))
        return;
    light->distance = distance;
    light->radiance = triangle->radiance;
    light->density = distance2 / (cosine * scene->light_area) * (1.0f - scene->environment_share);
    light->source = source;
}

// One light and a direction to it from `from`; `kind`, a random number in [0, 1), chooses between the environment and
// the triangles.
DEVICE_ONCE struct light_sample light_sample_direction(const struct frame_args *frame, const struct path *path,
                                                       struct vec3 from, float kind)
{
    struct light_sample light = light_sample_nothing();
    const bool choose_environment = kind < frame->scene.environment_share;
    if (choose_environment && frame->scene.environment.cell_width > 0)
        sample_environment(frame, path, &light);
    else if (!choose_environment && frame->scene.light_count > 0)
        sample_area_light(frame, path, from, &light);
    return light;
}

// ---- densities of a given direction

// Density per steradian of `direction` among directions to points uniform by area on the triangle's front, times the
// triangle's area; 0 where the ray misses it.
DEVICE float area_light_density(const struct area_light *light, struct vec3 from, struct vec3 direction)
{
    const struct vec3 p = vec3_cross(direction, light->e2), s = vec3_sub(from, light->v0);
    const float determinant = vec3_dot(light->e1, p); // length of the normal e1 x e2 times the cosine at the light
    const struct vec3 normal = vec3_cross(light->e1, light->e2);
    const float length = sqrtf(vec3_dot(normal, normal));
    if (!(determinant > 1e-6f * length))
        return 0.0f;
    const struct vec3 q = vec3_cross(s, light->e1);
    const float u = vec3_dot(s, p) / determinant, v = vec3_dot(direction, q) / determinant;
    const float distance = vec3_dot(light->e2, q) / determinant;
    if (!(u >= 0.0f && v >= 0.0f && u + v <= 1.0f && distance > 0.0f))
        return 0.0f;
    return distance * distance * length / determinant;
}

// Density with which light_sample_direction() draws `direction` from any light but `source`, summed over all that a ray
// from `from` would meet, whatever stands between. (The part of the light that it was drawn from is in the sample:
// found anew it could be lost to rounding at an edge.) Each emissive triangle is tested: the time is linear in them.
DEVICE_ONCE float light_density_besides(const struct frame_args *frame, struct vec3 from, struct vec3 direction,
                                        uint32_t source)
{
    const struct scene_view *scene = &frame->scene;
    float density = 0.0f;
    if (source != LIGHT_ENVIRONMENT && scene->environment_share > 0.0f)
        density = environment_density(frame, direction) * scene->environment_share;
    for (uint32_t i = 0; i < scene->light_count; ++i)
        if (i != source)
            density += area_light_density(&scene->lights[i], from, direction) / scene->light_area *
                       (1.0f - scene->environment_share);
    return density;
}
