// SPDX-License-Identifier: MIT
// Where a ray met a triangle, and from where the next one may start so that it does not meet the same triangle again.
//
// A new origin is moved off the triangle by a bound of the rounding that a triangle test can suffer there, after Pharr,
// Jakob and Humphreys (Physically Based Rendering, 4th edition, 6.8): it follows the coordinates near the hit, not the
// extent of the scene. A test subtracts the origin p from a corner v0 and projects on the unit normal N, so that it is off
// by a few units in the last place of |p| and of sum |N_i| |v0_i - p_i|, which is 0 for a large triangle in an axis' plane.
// It is also moved back along the ray that came: what that has passed is free, and rounding in the triangle's plane could
// put the point behind the triangle beside. (In a closed cube 10,000 half edges from the origin 1 path in 900 to 2,400 was
// lost so; of 3 million none is now.)
#pragma once

#include "trees/traverse.h"

// A unit in the last place is 2^-23 of a number at most. By 2^-22 no ray met its own triangle (tests/test_offsets.c), by
// 2^-23 some did. The closer to it rays start, the more leaves they visit around it: by 2^-20 their warps took 1.6 to 2.8 %
// more triangle steps than by 10^-5 of the scene's diagonal, by 2^-18 0.7 to 1.1 % (forest, 640x384, 8 bounces).
#define OFFSET_SHARE 0x1p-18f
#define OFFSETS_BACK 4.0f

// A triangle in the world. reach: how far out the coordinates are that it was made from, where it is of an instance.
struct placed_triangle {
    struct vec3 v0, e1, e2;
    float reach;
};

struct hit_point {
    struct vec3 position;
    struct vec3 normal; // unit vector, by the order of the corners
    float offset;       // from the triangle to where rays start, in scene units
};

// Largest magnitude of a component.
DEVICE float vec3_reach(struct vec3 a)
{
    return maximum_f32(fabsf(a.x), maximum_f32(fabsf(a.y), fabsf(a.z)));
}

DEVICE struct placed_triangle scene_placed_triangle(const struct scene_view *scene, uint32_t slot)
{
    struct triangle copy;
    const struct triangle *const triangle = scene_triangle(scene, slot, &copy);
    struct placed_triangle placed;
    placed.v0 = triangle->v0;
    placed.e1 = vec3_sub(triangle->v1, triangle->v0);
    placed.e2 = vec3_sub(triangle->v2, triangle->v0);
    placed.reach = 0.0f;
    if (SCENE_TWO_LEVELS(scene) && !scene_instance(scene, slot)->identity) {
        const struct instance *const instance = scene_instance(scene, slot);
        const struct vec3 turned = instance_turn(instance->to_world, placed.v0);
        placed.reach = vec3_reach(turned) + vec3_reach(instance->position);
        placed.v0 = vec3_add(turned, instance->position);
        placed.e1 = instance_turn(instance->to_world, placed.e1);
        placed.e2 = instance_turn(instance->to_world, placed.e2);
    }
    return placed;
}

// Sum of |n_i| |v_i|.
DEVICE float vec3_weigh(struct vec3 n, struct vec3 v)
{
    return fmaf(fabsf(n.x), fabsf(v.x), fmaf(fabsf(n.y), fabsf(v.y), fabsf(n.z) * fabsf(v.z)));
}

// The offset at `position` on a triangle with a corner at position - `from_corner`.
DEVICE float offset_at(struct vec3 position, struct vec3 normal, struct vec3 from_corner, float reach)
{
    return OFFSET_SHARE * (vec3_reach(position) + reach + vec3_weigh(normal, from_corner));
}

// The point of a hit, on the triangle's plane: there rounding along the ray, however far it came, is no longer seen.
DEVICE struct hit_point scene_hit_point(const struct scene_view *scene, const struct ray *ray, const struct hit *hit)
{
    const struct placed_triangle triangle = scene_placed_triangle(scene, hit->slot);
    struct hit_point point;
    point.normal = vec3_normalize(vec3_cross(triangle.e1, triangle.e2));
    const struct vec3 met = vec3_fma(ray->direction, hit->t, ray->origin);
    const struct vec3 from_corner = vec3_sub(met, triangle.v0);
    point.position = vec3_fma(point.normal, -vec3_dot(point.normal, from_corner), met);
    point.offset = offset_at(point.position, point.normal, from_corner, triangle.reach);
    return point;
}

// Where rays start that stay on the side that `ray` came from: `normal` points there. *through: how far behind that, along
// the normal, those start that go on to the other side.
DEVICE struct vec3 hit_point_leave(const struct hit_point *point, struct vec3 normal, const struct ray *ray, float t,
                                   float *through)
{
    const float back = minimum_f32(OFFSETS_BACK * point->offset, 0.5f * t);
    *through = fmaf(-back, vec3_dot(normal, ray->direction), 2.0f * point->offset);
    return vec3_fma(ray->direction, -back, vec3_fma(normal, point->offset, point->position));
}
