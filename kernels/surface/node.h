// SPDX-License-Identifier: MIT
// What a path meets: the surface at its hit, or the environment where it leaves the scene.
#pragma once

#include "lib/counting.h"
#include "surface/lights.h"
#include "surface/opacity.h"

// Ends an extension: `cause` DEATH_CAUSES = the path lives. Returns whether it does.
DEVICE bool extension_end(const struct frame_args *frame, struct path *path, uint32_t cause)
{
    count_death(frame, path->bounce, cause);
    path->bounce += 1;
    path->generator = generator_next(path->generator);
    return cause == DEATH_CAUSES;
}

struct surface {
    struct vec3 position; // off the surface on the viewer's side, where rays start that stay there
    struct vec3 normal;   // geometric, turned towards the viewer
    struct vec3 viewer;   // unit vector back along the ray
    float through;        // from the position, against the normal, to where rays start on the other side
    bool front;           // the viewer is on the side that the triangle's own normal points to
};

DEVICE struct surface surface_on_ray(const struct frame_args *frame, const struct ray *ray, const struct hit *hit)
{
    const struct hit_point point = scene_hit_point(&frame->scene, ray, hit);
    struct surface surface;
    surface.normal = point.normal;
    surface.viewer = vec3_negate(ray->direction);
    surface.front = vec3_dot(surface.normal, surface.viewer) >= 0.0f;
    if (!surface.front)
        surface.normal = vec3_negate(surface.normal);
    surface.position = hit_point_leave(&point, surface.normal, ray, hit->t, &surface.through);
    return surface;
}

DEVICE struct surface surface_at(const struct frame_args *frame, const struct path *path, const struct hit *hit)
{
    return surface_on_ray(frame, &path->ray, hit);
}

// Origin of a ray that leaves in `direction`. Specular events alone lead through a surface: where there are none, it need not
// be kept how far that is, and GPUs have few registers.
DEVICE struct vec3 surface_leave(const struct surface *surface, struct vec3 direction, bool specular)
{
    if (!specular || vec3_dot(direction, surface->normal) >= 0.0f)
        return surface->position;
    return vec3_fma(surface->normal, -surface->through, surface->position);
}

// Whether light that the path meets by itself counts: where light sampling could not have found it.
DEVICE bool sees_emission(const struct frame_args *frame, const struct path *path)
{
    return path->bounce == 0 || path->after_specular || CONFIG(frame, lighting) != LIGHTING_DIRECT;
}

// Adds the environment's light to a path whose ray has left the scene.
DEVICE void add_environment(const struct frame_args *frame, struct path *path)
{
    if (sees_emission(frame, path))
        path->radiance =
            vec3_add(path->radiance,
                     vec3_mul(path->weight, environment_radiance(&frame->scene.environment, path->ray.direction)));
}

DEVICE void add_emission(const struct frame_args *frame, struct path *path, const struct surface *surface,
                         const struct material *material)
{
    if (surface->front && sees_emission(frame, path))
        path->radiance = vec3_add(path->radiance, vec3_mul(path->weight, material->emission));
}
