// SPDX-License-Identifier: MIT
// The triangle test of every tree.
#pragma once

#include "trees/ray.h"

// Asks for what stands at `place`, soon to be read: a hint to processors that run few lanes at a time.
#ifdef __CUDACC__
#define prefetch(place) ((void)(place))
#else
#define prefetch(place) __builtin_prefetch(place)
#endif

// A triangle of binary_padded: whatever the memory moves in sectors of 32 bytes, of each it is asked for a half.
struct padded_triangle {
    struct vec3 v0;
    uint32_t id, gap0[4];
    struct vec3 v1;
    uint32_t material, gap1[4];
    struct vec3 v2;
    uint32_t unused, gap2[4];
};

// Triangle `slot`, where it stands or, where triangles are padded, in `copy`.
DEVICE const struct triangle *triangle_of(const struct scene_view *scene, uint32_t slot, bool padded,
                                          struct triangle *copy)
{
    if (!padded)
        return &scene->triangles[slot];
    const struct padded_triangle *const from = (const struct padded_triangle *)scene->triangles + slot;
    copy->v0 = from->v0;
    copy->id = from->id;
    copy->v1 = from->v1;
    copy->material = from->material;
    copy->v2 = from->v2;
    copy->unused = from->unused;
    return copy;
}

// The same for a test of it, on GPUs fetched in pieces of 16 bytes: nodes and triangles are 16-byte aligned. The
// hardware's counters know a step and a triangle test by the one load whose line is tagged as its site.
#ifdef __CUDACC__
DEVICE const struct triangle *triangle_fetch(const struct scene_view *scene, uint32_t slot, bool padded,
                                             struct triangle *copy)
{
    const float4 *const from = padded ? (const float4 *)((const struct padded_triangle *)scene->triangles + slot)
                                      : (const float4 *)&scene->triangles[slot];
    const int next = padded ? 2 : 1;
    const float4 a = __ldg(from), // site: triangle
        b = __ldg(from + next), c = __ldg(from + 2 * next);
    copy->v0 = vec3_make(a.x, a.y, a.z);
    copy->id = __float_as_uint(a.w);
    copy->v1 = vec3_make(b.x, b.y, b.z);
    copy->v2 = vec3_make(c.x, c.y, c.z);
    return copy;
}
#else
#define triangle_fetch triangle_of
#endif

// Watertight test after Woop, Benthin and Wald 2013, both sides: the vertices are sheared so that the ray is an axis,
// and the signs of three two-dimensional edge functions tell whether it passes between them. Two triangles that share
// an edge compute the same products for it, so that their signs are opposite and no ray slips through. (With Moeller
// and Trumbore's test about 3 rays in a million left a closed sphere.) On a hit with a lesser (t, triangle id),
// replaces hit->t and hit->slot.
DEVICE void triangle_test(const struct scene_view *scene, uint32_t slot, bool padded, const struct ray *ray,
                          const struct box_ray *box, struct hit *hit)
{
    struct triangle copy, copy_best;
    const struct triangle *triangle = triangle_fetch(scene, slot, padded, &copy);
    const struct vec3 a = vec3_sub(triangle->v0, ray->origin), b = vec3_sub(triangle->v1, ray->origin),
                      c = vec3_sub(triangle->v2, ray->origin);
    const float ax = vec3_dot(a, box->across), ay = vec3_dot(a, box->upward);
    const float bx = vec3_dot(b, box->across), by = vec3_dot(b, box->upward);
    const float cx = vec3_dot(c, box->across), cy = vec3_dot(c, box->upward);
    const float u = cx * by - cy * bx, v = ax * cy - ay * cx, w = bx * ay - by * ax;
    if (minimum_f32(u, minimum_f32(v, w)) < 0.0f && maximum_f32(u, maximum_f32(v, w)) > 0.0f)
        return;
    if (u + v + w == 0.0f)
        return;
    // The distance to the plane keeps digits that weighting the vertices' distances by u, v and w would lose.
    const struct vec3 normal = vec3_cross(vec3_sub(triangle->v1, triangle->v0), vec3_sub(triangle->v2, triangle->v0));
    float t = vec3_dot(normal, a) / vec3_dot(normal, ray->direction);
    if (!(t > 0.0f)) // or NaN
        return;
    struct vec3 low, high;
    float entry, exit;
    triangle_box(triangle, scene->box_pad, &low, &high);
    box_interval(box, low, high, &entry, &exit);
    t = minimum_f32(maximum_f32(t, entry), exit); // edge on, the plane is anywhere
    if (!(entry <= exit) || t > hit->t)
        return;
    // The id of the hit so far is not kept: it is wanted here alone, and seldom, and a GPU has few registers.
    if (t == hit->t && hit->slot != HIT_NONE && triangle->id >= triangle_of(scene, hit->slot, padded, &copy_best)->id)
        return;
    hit->t = t;
    hit->slot = slot;
}
