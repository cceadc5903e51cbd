// SPDX-License-Identifier: MIT
// The triangle test of every tree.
#pragma once

#include "trees/ray.h"
#include "trees/triangle_tests.h"

// A load of a tree's nodes, lists or triangles: on a GPU by the read-only path, or a plain one.
#ifdef CONFIG_tree_loads
#define TREE_LOAD(place) (CONFIG(scene, tree_loads) == TREE_LOADS_PLAIN ? *(place) : load_read_only(place))
#else
#define TREE_LOAD(place) (*(place))
#endif

#ifdef CONFIG_triangle_test
#define TRIANGLE_TEST(scene) CONFIG(scene, triangle_test)
#define AFFINE_ORDER(scene) CONFIG(scene, affine_order)
#else
#define TRIANGLE_TEST(scene) ((scene)->triangle_test)
#define AFFINE_ORDER(scene) ((scene)->affine_order)
#endif

// How triangles are kept. The affine test reads maps: of records the first part, else scene_view.maps.
enum { TRIANGLES_WHOLE, TRIANGLES_PADDED, TRIANGLES_SPLIT, TRIANGLES_RECORDS };

struct triangle_record {
    struct affine_map map;
    struct triangle triangle;
};

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
    if (form == TRIANGLES_RECORDS)
        return &((const struct triangle_record *)(const void *)scene->triangles)[slot].triangle;
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

// The corners of a triangle for a test of it, in place or loaded by 16 bytes where they are aligned so. The hardware's
// counters know a step and a triangle test by the one load whose line is tagged as its site.
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
    if (READ_IN_PLACE)
        return triangle_of(scene, slot, form, copy);
    if (form == TRIANGLES_SPLIT) {
        corners_fetch(scene, slot, copy);
        return copy;
    }
    const bool padded = form == TRIANGLES_PADDED;
    const struct float4 *const from =
        padded ? (const struct float4 *)((const struct padded_triangle *)scene->triangles + slot)
               : (const struct float4 *)&scene->triangles[slot];
    const int next = padded ? 2 : 1;
    const struct float4 a = TREE_LOAD(from), // site: triangle
        b = TREE_LOAD(from + next), c = TREE_LOAD(from + 2 * next);
    copy->v0 = vec3_make(a.x, a.y, a.z);
    copy->v1 = vec3_make(b.x, b.y, b.z);
    copy->v2 = vec3_make(c.x, c.y, c.z);
    return copy;
}

DEVICE const struct affine_row *affine_rows(const struct scene_view *scene, uint32_t slot, uint32_t form)
{
    if (form == TRIANGLES_RECORDS)
        return &((const struct triangle_record *)(const void *)scene->triangles)[slot].map.x;
    return &((const struct affine_map *)scene->maps)[slot].x;
}

DEVICE struct affine_row affine_unpack(struct float4 word)
{
    struct affine_row row;
    row.normal = vec3_make(word.x, word.y, word.z);
    row.shift = word.w;
    return row;
}

DEVICE struct affine_row affine_fetch_z(const struct affine_row *rows)
{
    const struct float4 word = TREE_LOAD((const struct float4 *)(rows + 2)); // site: triangle
    return affine_unpack(word);
}

DEVICE struct affine_row affine_fetch(const struct affine_row *row)
{
    return affine_unpack(TREE_LOAD((const struct float4 *)row));
}

// The affine test: all rows are loaded and evaluated, or that of z alone where this tells that there is no hit nearer
// than `t_best`.
DEVICE bool affine_meets(const struct scene_view *scene, uint32_t slot, uint32_t form, const struct ray *ray,
                         float t_best, float *t)
{
    const struct affine_row *const rows = affine_rows(scene, slot, form);
    const struct affine_row z = affine_fetch_z(rows);
    struct meeting meeting;
    meeting.t = meet_affine_plane(&z, ray->origin, ray->direction);
    if (AFFINE_ORDER(scene) == AFFINE_ORDER_Z_FIRST && !(meeting.t > 0.0f && meeting.t <= t_best))
        return false;
    const struct affine_row x = affine_fetch(rows), y = affine_fetch(rows + 1);
    meeting.u = meet_affine_at(&x, ray->origin, ray->direction, meeting.t);
    meeting.v = meet_affine_at(&y, ray->origin, ray->direction, meeting.t);
    *t = meeting.t;
    return meeting_inside(&meeting);
}

DEVICE bool moeller_trumbore_meets(const struct triangle *triangle, const struct ray *ray, float *t)
{
    const struct meeting meeting =
        meet_moeller_trumbore(triangle->v0, triangle->v1, triangle->v2, ray->origin, ray->direction);
    *t = meeting.t;
    return meeting_inside(&meeting);
}

// Whether the ray meets the triangle, by the test that is chosen, and at which t, before any box. *triangle is where its
// corners are, or `copy`.
DEVICE bool triangle_meets(const struct scene_view *scene, uint32_t slot, uint32_t form, const struct ray *ray,
                           const struct box_ray *box, float t_best, float *t, const struct triangle **triangle,
                           struct triangle *copy)
{
    if (TRIANGLE_TEST(scene) == TRIANGLE_TEST_AFFINE) {
        if (!affine_meets(scene, slot, form, ray, t_best, t))
            return false;
        *triangle = triangle_of(scene, slot, form, copy); // for its box
        return true;
    }
    *triangle = triangle_fetch(scene, slot, form, copy);
    if (TRIANGLE_TEST(scene) == TRIANGLE_TEST_MOELLER_TRUMBORE)
        return moeller_trumbore_meets(*triangle, ray, t);
    return meet_watertight((*triangle)->v0, (*triangle)->v1, (*triangle)->v2, ray->origin, ray->direction, box->across,
                           box->upward, t);
}

// Whether triangles were split, so that trees hold fragments. Kernels on a GPU are built for one answer.
#ifdef CONFIG_splits
#define SCENE_SPLIT(scene) (CONFIG(scene, splits) == SPLITS_SPATIAL)
#else
#define SCENE_SPLIT(scene) ((scene)->split != 0)
#endif

// Whether the scene is one of instances. Kernels on a GPU are built for one answer.
#ifdef CONFIG_instances
#define SCENE_TWO_LEVELS(scene) (CONFIG(scene, instances) == INSTANCES_TWO_LEVEL)
#else
#define SCENE_TWO_LEVELS(scene) ((scene)->instances != NULL)
#endif

// Rule 2: settles `t`, where a ray meets a triangle by the triangle test. False where it does not meet its box. By the
// watertight test a triangle that is met behind its box is hit at the exit; by the others it is not, so that one whose t
// is beyond the best can be dropped before its box is looked at, whatever came before.
DEVICE bool triangle_settle(const struct scene_view *scene, const struct triangle *triangle, bool watertight,
                            const struct box_ray *box, float *t)
{
    struct vec3 low, high;
    float entry, exit;
    if (!(*t > 0.0f)) // or NaN
        return false;
    triangle_box(triangle, SCENE_TWO_LEVELS(scene) ? box->pad : scene->box_pad, &low, &high);
    box_interval(box, low, high, &entry, &exit);
    if (!watertight && *t > exit)
        return false;
    *t = minimum_f32(maximum_f32(*t, entry), exit); // edge on, the plane is anywhere
    return entry <= exit;
}

// The same where the triangle was split, through a fragment whose box the ray is in from `entry` to `exit`.
DEVICE bool interval_settle(float entry, float exit, float *t)
{
    const bool within = *t > 0.0f && fmaf(*t, -0x1p-20f, *t) <= exit; // false of NaN
    *t = maximum_f32(*t, entry);
    return within && entry <= exit;
}

DEVICE bool fragment_settle(const struct scene_view *scene, const struct fragment *fragment, const struct box_ray *box,
                            float *t)
{
    struct vec3 low, high;
    float entry, exit;
    fragment_box(fragment, scene->grid_span, &low, &high);
    box_interval(box, low, high, &entry, &exit);
    return interval_settle(entry, exit, t);
}

// On a hit with a lesser (t, triangle id), replaces hit->t and hit->slot. `part`: the fragment, where triangles were split.
DEVICE void triangle_test(const struct scene_view *scene, uint32_t slot, uint32_t form, uint32_t part,
                          const struct ray *ray, const struct box_ray *box, struct hit *hit)
{
    struct triangle copy;
    const struct triangle *triangle;
    float t;
    if (!triangle_meets(scene, slot, form, ray, box, hit->t, &t, &triangle, &copy))
        return;
    if (SCENE_SPLIT(scene)
            ? !fragment_settle(scene, &scene->fragments[part], box, &t)
            : !triangle_settle(scene, triangle, TRIANGLE_TEST(scene) == TRIANGLE_TEST_WATERTIGHT, box, &t))
        return;
    if (SCENE_TWO_LEVELS(scene))
        t = maximum_f32(t, box->entry);
    if (t > hit->t)
        return;
    // The id of the hit so far is not kept: it is wanted here alone, and seldom, and a GPU has few registers.
    if (t == hit->t && hit->slot != HIT_NONE && triangle_id(scene, slot, form) >= triangle_id(scene, hit->slot, form))
        return;
    hit->t = t;
    hit->slot = slot;
}
