// SPDX-License-Identifier: MIT
// Camera rays.
#pragma once

#include "lib/frame.h"
#include "lib/maths.h"

// Through a point of a pixel, x | y << 16: (0, 0) its upper left corner, (1, 1) the lower right.
DEVICE struct vec3 camera_through(const struct frame_args *frame, uint32_t pixel, float within_x, float within_y)
{
    const struct camera *camera = &frame->camera;
    const float x = (float)(pixel & 0xFFFFu) + within_x, y = (float)(pixel >> 16) + within_y;
    const float sx = fmaf(2.0f, x / (float)frame->width, -1.0f), sy = fmaf(-2.0f, y / (float)frame->height, 1.0f);
    return vec3_fma(camera->right, sx, vec3_fma(camera->up, sy, camera->forward));
}

DEVICE struct ray camera_pinhole_ray(const struct camera *camera, struct vec3 through)
{
    struct ray ray;
    ray.origin = camera->position;
    ray.direction = vec3_normalize(through);
    return ray;
}

// From a point of the lens.
DEVICE struct ray camera_lens_ray(const struct camera *camera, struct vec3 through, float u, float v)
{
    float sine, cosine;
    sincos_turns(v, &sine, &cosine);
    const float radius = camera->lens_radius * sqrtf(u);
    const struct vec3 offset =
        vec3_fma(camera->lens_right, radius * cosine, vec3_scale(camera->lens_up, radius * sine));
    struct ray ray;
    ray.origin = vec3_add(camera->position, offset);
    ray.direction = vec3_normalize(vec3_sub(vec3_scale(through, camera->focus_distance), offset));
    return ray;
}
