// SPDX-License-Identifier: MIT
// Where a ray met a triangle, and from where the next one may start so that it does not meet the same triangle again.
//
// A new origin is moved off the triangle by a bound of the rounding that a triangle test can suffer there, after Pharr,
// Jakob and Humphreys (Physically Based Rendering, 4th edition, 6.8): it follows the coordinates near the hit, not the
// extent of the scene. A test subtracts the origin p from a corner v0 and projects on the unit normal N, so that it is off
// by a few units in the last place of |p| and of sum |N_i| |v0_i - p_i|, which is 0 for a large triangle in an axis' plane.
// Within its plane a point keeps away from edges, where rounding could put it behind the triangle beside.
#pragma once

#include "trees/traverse.h"

// A unit in the last place is 2^-23 at most. The tests of triangle_tests.h are off by three of them.
#define OFFSET_SHARE 0x1p-20f
// The distance from edges, in offsets: a ray that starts at a fold of atan(1/8), 7 degrees, stays inside it.
#define EDGE_OFFSETS 8.0f

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

// Sum of the magnitudes of the components, which is at least the length.
DEVICE float vec3_span(struct vec3 a)
{
    return fabsf(a.x) + fabsf(a.y) + fabsf(a.z);
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

// Moves `position` along the plane, so that its distances from the edges that face v0, v1 and v2, each times that edge's
// length, are at least EDGE_OFFSETS offsets, or a quarter of the triangle's height. `from_edge`: what they are.
DEVICE struct vec3 position_inside(const struct placed_triangle *triangle, struct vec3 position, struct vec3 from_edge,
                                   float twice_area, float offset)
{
    const float away = EDGE_OFFSETS * offset, most = 0.25f * twice_area;
    const struct vec3 least =
        vec3_make(minimum_f32(away * vec3_span(vec3_sub(triangle->e2, triangle->e1)), most),
                  minimum_f32(away * vec3_span(triangle->e2), most), minimum_f32(away * vec3_span(triangle->e1), most));
    const struct vec3 spare =
        vec3_make(maximum_f32(from_edge.x - least.x, 0.0f), maximum_f32(from_edge.y - least.y, 0.0f),
                  maximum_f32(from_edge.z - least.z, 0.0f));
    const float share = (twice_area - (least.x + least.y + least.z)) / (spare.x + spare.y + spare.z);
    const float inverse = 1.0f / twice_area;
    const float along_e1 = (fmaf(spare.y, share, least.y) - from_edge.y) * inverse,
                along_e2 = (fmaf(spare.z, share, least.z) - from_edge.z) * inverse;
    return vec3_fma(triangle->e1, along_e1, vec3_fma(triangle->e2, along_e2, position));
}

// The point of a hit, on the triangle's plane: there rounding along the ray, however far it came, is no longer seen.
DEVICE struct hit_point scene_hit_point(const struct scene_view *scene, const struct ray *ray, const struct hit *hit)
{
    const struct placed_triangle triangle = scene_placed_triangle(scene, hit->slot);
    const struct vec3 cross = vec3_cross(triangle.e1, triangle.e2);
    const float twice_area = sqrtf(vec3_dot(cross, cross));
    struct hit_point point;
    point.normal = vec3_scale(cross, 1.0f / twice_area);
    const struct vec3 met = vec3_fma(ray->direction, hit->t, ray->origin);
    const struct vec3 from_corner = vec3_sub(met, triangle.v0);
    point.position = vec3_fma(point.normal, -vec3_dot(point.normal, from_corner), met);
    point.offset = offset_at(point.position, point.normal, from_corner, triangle.reach);
    // Distances from the edges, times their lengths, of which none is longer than the sum of two edges.
    const struct vec3 turned = vec3_cross(point.normal, from_corner);
    struct vec3 from_edge;
    from_edge.y = vec3_dot(turned, triangle.e2);
    from_edge.z = -vec3_dot(turned, triangle.e1);
    from_edge.x = twice_area - from_edge.y - from_edge.z;
    const float nearest = minimum_f32(from_edge.x, minimum_f32(from_edge.y, from_edge.z));
    if (nearest < EDGE_OFFSETS * point.offset * (vec3_span(triangle.e1) + vec3_span(triangle.e2)))
        point.position = position_inside(&triangle, point.position, from_edge, twice_area, point.offset);
    return point;
}
