// SPDX-License-Identifier: MIT
// Light sampling: the environment by luminance times solid angle through an alias table, emissive triangles by area
// (variants.md 1.3, LIGHT-ENV and LIGHT-AREA).
#pragma once

#include "lib/maths.h"
#include "lib/path.h"

enum { LIGHTING_DIRECT, LIGHTING_HITS };

#define RAY_FOREVER 1e30f

// Radiance that arrives from `direction`, constant on a texel.
DEVICE struct vec3 environment_radiance(const struct environment *environment, struct vec3 direction)
{
    if (environment->width == 0)
        return vec3_splat(0.0f);
    const float polar = arccosine(direction.y) / PI_F;
    float turns = arctangent2(direction.z, direction.x) / (2.0f * PI_F);
    turns = turns < 0.0f ? turns + 1.0f : turns;
    uint32_t row = (uint32_t)(polar * (float)environment->height);
    uint32_t column = (uint32_t)(turns * (float)environment->width);
    row = row < environment->height ? row : environment->height - 1;
    column = column < environment->width ? column : environment->width - 1;
    return environment->radiance[row * environment->width + column];
}

struct light_sample {
    struct vec3 direction; // unit vector from the point to the light
    float distance;        // to the far end of the shadow ray
    struct vec3 radiance;
    float density; // per steradian; 0 = nothing was found
};

DEVICE uint32_t alias_choose(const struct alias_entry *table, uint32_t count, float u, float v)
{
    uint32_t cell = (uint32_t)(u * (float)count);
    cell = cell < count ? cell : count - 1;
    return v < table[cell].probability ? cell : table[cell].alias;
}

// A cell of the grid, then a direction uniform over its solid angle.
DEVICE void sample_environment(const struct frame_args *frame, const struct path *path, struct light_sample *light)
{
    const struct environment *environment = &frame->scene.environment;
    const uint32_t cells = environment->cell_width * environment->cell_height;
    const uint32_t cell = alias_choose(environment->alias, cells, path_random(frame, path, DIMENSION_LIGHT_CELL),
                                       path_random(frame, path, DIMENSION_LIGHT_ALIAS));
    const uint32_t row = cell / environment->cell_width, column = cell - row * environment->cell_width;
    const float turns = ((float)column + path_random(frame, path, DIMENSION_LIGHT_U)) / (float)environment->cell_width;
    const float top = environment->row_cosine[row], bottom = environment->row_cosine[row + 1];
    const float y = fmaf(path_random(frame, path, DIMENSION_LIGHT_V), bottom - top, top);
    const float radius = sqrtf(maximum_f32(1.0f - y * y, 0.0f));
    float sine, cosine;
    sincos_turns(turns, &sine, &cosine);
    light->direction = vec3_make(radius * cosine, y, radius * sine);
    light->distance = RAY_FOREVER;
    light->radiance = environment_radiance(environment, light->direction);
    light->density = environment->cell_density[cell] * frame->scene.environment_share;
}

// A triangle by area, then a point uniform on it.
DEVICE void sample_area_light(const struct frame_args *frame, const struct path *path, struct vec3 from,
                              struct light_sample *light)
{
    const struct scene_view *scene = &frame->scene;
    const struct area_light *triangle = &scene->lights[alias_choose(scene->light_alias, scene->light_count,
                                                                    path_random(frame, path, DIMENSION_LIGHT_CELL),
                                                                    path_random(frame, path, DIMENSION_LIGHT_ALIAS))];
    const float root = sqrtf(path_random(frame, path, DIMENSION_LIGHT_U));
    const float b = root * path_random(frame, path, DIMENSION_LIGHT_V), a = 1.0f - root;
    const struct vec3 point = vec3_fma(triangle->e1, a, vec3_fma(triangle->e2, b, triangle->v0));
    const struct vec3 to = vec3_sub(point, from);
    const float distance2 = vec3_dot(to, to), distance = sqrtf(distance2);
    if (!(distance > 0.0f))
        return;
    light->direction = vec3_scale(to, 1.0f / distance);
    const float cosine = -vec3_dot(vec3_normalize(vec3_cross(triangle->e1, triangle->e2)), light->direction);
    if (!(cosine > 1e-6f))
        return;
    light->distance = distance * 0.9999f;
    light->radiance = triangle->radiance;
    light->density = distance2 / (cosine * scene->light_area) * (1.0f - scene->environment_share);
}

DEVICE struct light_sample light_sample_direction(const struct frame_args *frame, const struct path *path,
                                                  struct vec3 from)
{
    struct light_sample light;
    light.direction = vec3_make(0.0f, 1.0f, 0.0f);
    light.distance = 0.0f;
    light.radiance = vec3_splat(0.0f);
    light.density = 0.0f;
    const float share = frame->scene.environment_share;
    const bool choose_environment = path_random(frame, path, DIMENSION_LIGHT_KIND) < share;
    if (choose_environment && frame->scene.environment.cell_width > 0)
        sample_environment(frame, path, &light);
    else if (!choose_environment && frame->scene.light_count > 0)
        sample_area_light(frame, path, from, &light);
    return light;
}
