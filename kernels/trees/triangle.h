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

// A load of a tree's nodes, lists or triangles on a GPU: by the read-only path, or a plain one.
#ifdef __CUDACC__
#define TREE_LOAD(place) (CONFIG(scene, tree_loads) ? *(place) : __ldg(place))
#endif

// How triangles are kept.
enum { TRIANGLES_WHOLE, TRIANGLES_PADDED, TRIANGLES_SPLIT };

// Of kd16_soa: what a test reads of a triangle, and what else there is of it.
struct triangle_corners {
    struct vec3 v0, v1, v2;
};

struct triangle_rest {
    uint32_t id, material;
};

// A triangle of binary_padded: whatever the memory moves in sectors of 32 bytes, of each it is asked for a half.
struct padded_triangle {
    struct vec3 v0;
    uint32_t id, gap0[4];
    struct vec3 v1;
    uint32_t material, gap1[4];
    struct vec3 v2;
    uint32_t unused, gap2[4];
};

// Triangle `slot`, where it stands or, where triangles are not kept whole, in `copy`.
DEVICE const struct triangle *triangle_of(const struct scene_view *scene, uint32_t slot, uint32_t form,
                                          struct triangle *copy)
{
    if (form == TRIANGLES_WHOLE)
        return &scene->triangles[slot];
    if (form == TRIANGLES_SPLIT) {
        const struct triangle_corners *const corners = (const struct triangle_corners *)scene->triangles + slot;
        const struct triangle_rest *const rest = (const struct triangle_rest *)scene->triangles_rest + slot;
        copy->v0 = corners->v0;
        copy->id = rest->id;
        copy->v1 = corners->v1;
        copy->material = rest->material;
        copy->v2 = corners->v2;
        copy->unused = 0;
        return copy;
    }
    const struct padded_triangle *const from = (const struct padded_triangle *)scene->triangles + slot;
    copy->v0 = from->v0;
    copy->id = from->id;
    copy->v1 = from->v1;
    copy->material = from->material;
    copy->v2 = from->v2;
    copy->unused = from->unused;
    return copy;
}

DEVICE uint32_t triangle_id(const struct scene_view *scene, uint32_t slot, uint32_t form)
{
    if (form == TRIANGLES_SPLIT)
        return ((const struct triangle_rest *)scene->triangles_rest)[slot].id;
    struct triangle copy;
    return triangle_of(scene, slot, form, &copy)->id;
}

// The corners of a triangle for a test of it, on GPUs fetched in pieces of 16 bytes where they are 16-byte aligned. The
// hardware's counters know a step and a triangle test by the one load whose line is tagged as its site.
#ifdef __CUDACC__
DEVICE void corners_fetch(const struct scene_view *scene, uint32_t slot, struct triangle *copy)
{
    const float *const from = (const float *)((const struct triangle_corners *)scene->triangles + slot);
    copy->v0.x = TREE_LOAD(from); // site: triangle
    copy->v0.y = TREE_LOAD(from + 1);
    copy->v0.z = TREE_LOAD(from + 2);
    copy->v1 = vec3_make(TREE_LOAD(from + 3), TREE_LOAD(from + 4), TREE_LOAD(from + 5));
    copy->v2 = vec3_make(TREE_LOAD(from + 6), TREE_LOAD(from + 7), TREE_LOAD(from + 8));
}

DEVICE const struct triangle *triangle_fetch(const struct scene_view *scene, uint32_t slot, uint32_t form,
                                             struct triangle *copy)
{
    if (form == TRIANGLES_SPLIT) {
        corners_fetch(scene, slot, copy);
        return copy;
    }
    const bool padded = form == TRIANGLES_PADDED;
    const float4 *const from = padded ? (const float4 *)((const struct padded_triangle *)scene->triangles + slot)
                                      : (const float4 *)&scene->triangles[slot];
    const int next = padded ? 2 : 1;
    const float4 a = TREE_LOAD(from), // site: triangle
        b = TREE_LOAD(from + next), c = TREE_LOAD(from + 2 * next);
    copy->v0 = vec3_make(a.x, a.y, a.z);
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
DEVICE void triangle_test(const struct scene_view *scene, uint32_t slot, uint32_t form, const struct ray *ray,
                          const struct box_ray *box, struct hit *hit)
{
    struct triangle copy;
    const struct triangle *triangle = triangle_fetch(scene, slot, form, &copy);
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
    if (t == hit->t && hit->slot != HIT_NONE && triangle_id(scene, slot, form) >= triangle_id(scene, hit->slot, form))
        return;
    hit->t = t;
    hit->slot = slot;
}
