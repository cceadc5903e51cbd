// SPDX-License-Identifier: MIT
// Closest-hit and any-hit traversal of the binary tree: while-while and speculative while-while (Aila and Laine 2009;
// Wald 2011, section 4.2.6).
//
// The hit does not depend on the tree or on the order of visits, because of three rules that hold exactly in floating
// point:
//  1. a box interval is computed with monotone operations only, so a box that contains another has an interval that
//     contains the other's;
//  2. a triangle counts as hit only where the ray also meets the triangle's own box (widened like every box), and its t
//     is raised to the entry of that box: then t >= entry of every box above it, and a box is culled only when
//     entry > best t;
//  3. the closest hit is the least (t, triangle id).
#pragma once

#include "lib/count.h"
#include "lib/scene.h"

struct hit {
    float t;       // distance along the ray's direction; unchanged from t_max where nothing was hit
    uint32_t slot; // index into scene_view.triangles, HIT_NONE where nothing was hit
    uint32_t id;   // triangle id, HIT_NONE alike
};

#define HIT_NONE 0xFFFFFFFFu

enum { TRAVERSAL_WHILE_WHILE, TRAVERSAL_SPECULATIVE };
enum { TRAVERSAL_CLOSEST, TRAVERSAL_ANY };

// The ray as the box test wants it: t = plane * inverse + shift.
struct box_ray {
    struct vec3 inverse, shift;
    struct vec3 across, upward; // rows of the shear in which the ray is an axis: for the triangle test
};

// 1/d, kept finite so that no product below is ever NaN.
DEVICE float safe_inverse(float d)
{
    const float smallest = 8.2718061e-25f; // 2^-80
    const float magnitude = maximum_f32(fabsf(d), smallest);
    return 1.0f / (f32_bits(d) >> 31 ? -magnitude : magnitude);
}

// Rows of the shear that turns the ray into the axis of its largest component (Woop, Benthin and Wald 2013).
DEVICE void shear_make(struct vec3 d, struct vec3 *across, struct vec3 *upward)
{
    const float x = fabsf(d.x), y = fabsf(d.y), z = fabsf(d.z);
    if (z >= x && z >= y) {
        const float inverse = 1.0f / d.z;
        *across = vec3_make(1.0f, 0.0f, -d.x * inverse);
        *upward = vec3_make(0.0f, 1.0f, -d.y * inverse);
    } else if (y >= x) {
        const float inverse = 1.0f / d.y;
        *across = vec3_make(1.0f, -d.x * inverse, 0.0f);
        *upward = vec3_make(0.0f, -d.z * inverse, 1.0f);
    } else {
        const float inverse = 1.0f / d.x;
        *across = vec3_make(-d.y * inverse, 1.0f, 0.0f);
        *upward = vec3_make(-d.z * inverse, 0.0f, 1.0f);
    }
}

DEVICE struct box_ray box_ray_make(const struct ray *ray)
{
    struct box_ray box;
    box.inverse =
        vec3_make(safe_inverse(ray->direction.x), safe_inverse(ray->direction.y), safe_inverse(ray->direction.z));
    // Taken from zero, a shift is never -0, and so no t of a plane is.
    box.shift = vec3_make(0.0f - ray->origin.x * box.inverse.x, 0.0f - ray->origin.y * box.inverse.y,
                          0.0f - ray->origin.z * box.inverse.z);
    shear_make(ray->direction, &box.across, &box.upward);
    return box;
}

// Interval of a ray in one box, from t = 0: entry <= exit where they meet.
DEVICE void box_interval(const struct box_ray *ray, struct vec3 low, struct vec3 high, float *entry, float *exit)
{
    const float x0 = fmaf(low.x, ray->inverse.x, ray->shift.x), x1 = fmaf(high.x, ray->inverse.x, ray->shift.x);
    const float y0 = fmaf(low.y, ray->inverse.y, ray->shift.y), y1 = fmaf(high.y, ray->inverse.y, ray->shift.y);
    const float z0 = fmaf(low.z, ray->inverse.z, ray->shift.z), z1 = fmaf(high.z, ray->inverse.z, ray->shift.z);
    *entry = maximum_f32(maximum_f32(minimum_f32(x0, x1), minimum_f32(y0, y1)), maximum_f32(minimum_f32(z0, z1), 0.0f));
    *exit = minimum_f32(minimum_f32(maximum_f32(x0, x1), maximum_f32(y0, y1)), maximum_f32(z0, z1));
}

#if !defined(__CUDACC__) && !defined(PLATFORM_SCALAR) && defined(__AVX2__) && defined(__FMA__)
#include "trees/two_box_avx.h"
#else
DEVICE int32_t minimum_s32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

DEVICE int32_t maximum_s32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// t of a plane, as the integer that its bits make. Such integers are ordered like the numbers, but for two negative
// ones, and which of those is taken changes nothing: an entry is 0 then, an exit negative, before the ray. GPUs have an
// integer minimum of three, and no such thing for numbers.
DEVICE int32_t plane_order(float plane, float inverse, float shift)
{
    return (int32_t)f32_bits(fmaf(plane, inverse, shift));
}

// box_interval, and whether the box is met no farther than t_best.
DEVICE bool box_test(const struct box_ray *ray, struct vec3 low, struct vec3 high, float t_best, float *entry)
{
    const int32_t x0 = plane_order(low.x, ray->inverse.x, ray->shift.x);
    const int32_t x1 = plane_order(high.x, ray->inverse.x, ray->shift.x);
    const int32_t y0 = plane_order(low.y, ray->inverse.y, ray->shift.y);
    const int32_t y1 = plane_order(high.y, ray->inverse.y, ray->shift.y);
    const int32_t z0 = plane_order(low.z, ray->inverse.z, ray->shift.z);
    const int32_t z1 = plane_order(high.z, ray->inverse.z, ray->shift.z);
    const int32_t near =
        maximum_s32(maximum_s32(maximum_s32(minimum_s32(x0, x1), minimum_s32(y0, y1)), minimum_s32(z0, z1)), 0);
    const int32_t far = minimum_s32(minimum_s32(maximum_s32(x0, x1), maximum_s32(y0, y1)),
                                    minimum_s32(maximum_s32(z0, z1), (int32_t)f32_bits(t_best)));
    *entry = f32_from_bits((uint32_t)near);
    return near <= far;
}

// Both children's boxes at once: whether each is met no farther than t_best >= 0, and, where it is, its entry.
DEVICE void two_box_test(const struct bvh_node *node, const struct box_ray *ray, float t_best, bool met[2],
                         float entry[2])
{
    met[0] = box_test(ray, vec3_make(node->x[0], node->y[0], node->z[0]), vec3_make(node->x[2], node->y[2], node->z[2]),
                      t_best, &entry[0]);
    met[1] = box_test(ray, vec3_make(node->x[1], node->y[1], node->z[1]), vec3_make(node->x[3], node->y[3], node->z[3]),
                      t_best, &entry[1]);
}
#endif

// Asks for what stands at `place`, soon to be read: a hint to processors that run few lanes at a time.
#ifdef __CUDACC__
#define prefetch(place) ((void)(place))
#else
#define prefetch(place) __builtin_prefetch(place)
#endif

// What stands at `place`, either there or, fetched in 16-byte pieces, in `copy`. Nodes and triangles are 16-byte
// aligned. The hardware's counters know a step and a triangle test by the one load whose line is tagged as its site.
#ifdef __CUDACC__
DEVICE const struct bvh_node *node_fetch(const struct bvh_node *place, struct bvh_node *copy)
{
    const float4 *const from = (const float4 *)place;
    const float4 x = __ldg(from), // site: inner
        y = __ldg(from + 1), z = __ldg(from + 2), rest = __ldg(from + 3);
    copy->x[0] = x.x, copy->x[1] = x.y, copy->x[2] = x.z, copy->x[3] = x.w;
    copy->y[0] = y.x, copy->y[1] = y.y, copy->y[2] = y.z, copy->y[3] = y.w;
    copy->z[0] = z.x, copy->z[1] = z.y, copy->z[2] = z.z, copy->z[3] = z.w;
    copy->child[0] = __float_as_int(rest.x);
    copy->child[1] = __float_as_int(rest.y);
    return copy;
}

DEVICE const struct triangle *triangle_fetch(const struct triangle *place, struct triangle *copy)
{
    const float4 *const from = (const float4 *)place;
    const float4 a = __ldg(from), // site: triangle
        b = __ldg(from + 1), c = __ldg(from + 2);
    copy->v0 = vec3_make(a.x, a.y, a.z);
    copy->id = __float_as_uint(a.w);
    copy->v1 = vec3_make(b.x, b.y, b.z);
    copy->v2 = vec3_make(c.x, c.y, c.z);
    return copy;
}
#else
DEVICE const struct bvh_node *node_fetch(const struct bvh_node *place, struct bvh_node *copy)
{
    (void)copy;
    return place;
}

DEVICE const struct triangle *triangle_fetch(const struct triangle *place, struct triangle *copy)
{
    (void)copy;
    return place;
}
#endif

// Own box of a triangle, widened; the builder uses the same function, so that rule 2 holds.
DEVICE void triangle_box(const struct triangle *triangle, float pad, struct vec3 *low, struct vec3 *high)
{
    const struct vec3 a = triangle->v0, b = triangle->v1, c = triangle->v2;
    *low = vec3_make(minimum_f32(a.x, minimum_f32(b.x, c.x)) - pad, minimum_f32(a.y, minimum_f32(b.y, c.y)) - pad,
                     minimum_f32(a.z, minimum_f32(b.z, c.z)) - pad);
    *high = vec3_make(maximum_f32(a.x, maximum_f32(b.x, c.x)) + pad, maximum_f32(a.y, maximum_f32(b.y, c.y)) + pad,
                      maximum_f32(a.z, maximum_f32(b.z, c.z)) + pad);
}

// Watertight test after Woop, Benthin and Wald 2013, both sides: the vertices are sheared so that the ray is an axis,
// and the signs of three two-dimensional edge functions tell whether it passes between them. Two triangles that share
// an edge compute the same products for it, so that their signs are opposite and no ray slips through. (With Moeller
// and Trumbore's test about 3 rays in a million left a closed sphere.) On a hit with a lesser (t, triangle id),
// replaces hit->t and hit->slot.
DEVICE void triangle_test(const struct scene_view *scene, uint32_t slot, const struct ray *ray,
                          const struct box_ray *box, struct hit *hit)
{
    struct triangle copy;
    const struct triangle *triangle = triangle_fetch(&scene->triangles[slot], &copy);
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
    if (t == hit->t && hit->slot != HIT_NONE && triangle->id >= scene->triangles[hit->slot].id)
        return;
    hit->t = t;
    hit->slot = slot;
}

// Aligned, so that a GPU stores and loads both at once.
struct __attribute__((aligned(8))) pending_child {
    int32_t child;
    float entry; // where the ray enters its box
};

// The lane's walk over the tree: the current child (inner node or leaf). What is still to visit is on a stack beside
// it: in one struct with the stack, `current` and `depth` would be kept in memory by CUDA's compiler.
struct walk {
    int32_t current;
    uint32_t depth; // of the stack
};

#define WALK_DONE (-2147483647 - 1) // as a leaf, its first triangle would be beyond the most that a tree can hold

// Next child to visit whose box is still in reach. Entry 0 of the stack is WALK_DONE at distance 0: it is never culled.
DEVICE void walk_pop(struct walk *walk, const struct pending_child stack[BVH_STACK], float t_best)
{
    struct pending_child top;
    do {
        --walk->depth;
        top = stack[walk->depth];
    } while (top.entry > t_best);
    walk->current = top.child;
}

DEVICE void walk_push(struct walk *walk, struct pending_child stack[BVH_STACK], int32_t child, float entry)
{
    stack[walk->depth].child = child;
    stack[walk->depth].entry = entry;
    ++walk->depth;
}

DEVICE void walk_begin(struct walk *walk, struct pending_child stack[BVH_STACK])
{
    walk->depth = 0;
    walk_push(walk, stack, WALK_DONE, 0.0f);
    walk->current = 0;
}

DEVICE bool walk_at_inner(const struct walk *walk)
{
    return walk->current >= 0;
}

DEVICE bool walk_at_leaf(const struct walk *walk)
{
    return walk->current < 0 && walk->current != WALK_DONE;
}

DEVICE void child_prefetch(const struct scene_view *scene, int32_t child)
{
    prefetch(child < 0 ? (const void *)&scene->triangles[bvh_leaf_first(child)] : (const void *)&scene->nodes[child]);
}

// One inner-node step: tests both children, goes to the nearer, pushes the other, or pops. `far_first` turns the order
// round, which changes time but never the hit.
DEVICE void walk_step(struct walk *walk, struct pending_child stack[BVH_STACK], const struct scene_view *scene,
                      const struct box_ray *box, float t_best, bool far_first)
{
    struct bvh_node copy;
    const struct bvh_node *node = node_fetch(&scene->nodes[walk->current], &copy);
    const int32_t child0 = node->child[0], child1 = node->child[1];
    bool met[2];
    float entry[2];
    child_prefetch(scene, child0);
    child_prefetch(scene, child1);
    two_box_test(node, box, t_best, met, entry);
    // A processor that guesses branches is loading the next node before this test is done; a select would make it wait.
    // A GPU, whose lanes part at branches, takes selects.
    if (met[0] && met[1]) {
        int32_t near = child0, far = child1;
        float far_entry = entry[1];
        if ((entry[1] < entry[0]) != far_first) {
            keep_branch();
            near = child1;
            far = child0;
            far_entry = entry[0];
        }
        walk_push(walk, stack, far, far_entry);
        walk->current = near;
    } else {
        walk->current = child1;
        if (met[0]) {
            keep_branch();
            walk->current = child0;
        }
        if (!met[0] && !met[1])
            walk_pop(walk, stack, t_best);
    }
}

// Tests the triangles of a leaf. Returns how many were tested.
DEVICE uint32_t leaf_test(int32_t leaf, const struct scene_view *scene, const struct ray *ray,
                          const struct box_ray *box, bool any, struct hit *hit)
{
    const uint32_t first = bvh_leaf_first(leaf), count = bvh_leaf_count(leaf);
    for (uint32_t i = 0; i < count; ++i) {
        triangle_test(scene, first + i, ray, box, hit);
        if (any && hit->slot != HIT_NONE)
            return i + 1;
    }
    return count;
}

// inner loop, leaf loop, inner loop, ... (variants.md, TRAV-WW)
DEVICE void traverse_while_while(const struct scene_view *scene, const struct ray *ray, const struct box_ray *box,
                                 bool any, bool far_first, struct hit *hit, struct traversal_work *work)
{
    struct walk walk;
    struct pending_child stack[BVH_STACK];
    walk_begin(&walk, stack);
    while (walk.current != WALK_DONE) {
        uint32_t steps = 0, tests = 0;
        while (walk_at_inner(&walk)) {
            walk_step(&walk, stack, scene, box, hit->t, far_first);
            ++steps;
        }
        while (walk_at_leaf(&walk)) {
            tests += leaf_test(walk.current, scene, ray, box, any, hit);
            if (any && hit->slot != HIT_NONE) {
                walk.current = WALK_DONE;
                break;
            }
            walk_pop(&walk, stack, hit->t);
        }
        traversal_round(work, steps, tests);
    }
}

// A lane that reaches a leaf keeps it and goes on; the inner loop ends when every lane of the group that is not done
// holds a leaf or has nothing left but leaves (variants.md, TRAV-SPEC). All lanes of `group` call this together.
DEVICE void traverse_speculative(const struct scene_view *scene, const struct ray *ray, const struct box_ray *box,
                                 bool any, bool far_first, lanemask group, struct hit *hit, struct traversal_work *work)
{
    struct walk walk;
    struct pending_child stack[BVH_STACK];
    walk_begin(&walk, stack);
    int32_t postponed = 0; // a leaf code, 0 = none (0 is the root, never a leaf)
    while (warp_any(group, walk.current != WALK_DONE || postponed < 0)) {
        uint32_t steps = 0, tests = 0;
        while (warp_any(group, walk_at_inner(&walk) && postponed == 0)) {
            if (walk_at_inner(&walk)) {
                walk_step(&walk, stack, scene, box, hit->t, far_first);
                ++steps;
            }
            if (walk_at_leaf(&walk) && postponed == 0) {
                postponed = walk.current;
                walk_pop(&walk, stack, hit->t);
            }
        }
        while (postponed < 0) {
            tests += leaf_test(postponed, scene, ray, box, any, hit);
            postponed = 0;
            if (any && hit->slot != HIT_NONE) {
                walk.current = WALK_DONE;
            } else if (walk_at_leaf(&walk)) {
                postponed = walk.current;
                walk_pop(&walk, stack, hit->t);
            }
        }
        traversal_round(work, steps, tests);
    }
}

// Closest hit with 0 < t <= t_max, or (any) whether there is one. All lanes of `group` call this together where the
// traversal is speculative. `work` gains the node and triangle counts.
DEVICE struct hit traverse(const struct scene_view *scene, const struct ray *ray, float t_max, uint32_t kind,
                           uint32_t traversal, bool far_first, lanemask group, uint32_t bounce,
                           struct traversal_work *work)
{
    const struct box_ray box = box_ray_make(ray);
    struct hit hit;
    hit.t = t_max;
    hit.slot = HIT_NONE;
    lockstep_begin(kind, count_bin(bounce));
    if (traversal == TRAVERSAL_SPECULATIVE)
        traverse_speculative(scene, ray, &box, kind == TRAVERSAL_ANY, far_first, group, &hit, work);
    else
        traverse_while_while(scene, ray, &box, kind == TRAVERSAL_ANY, far_first, &hit, work);
    lockstep_end();
    hit.id = hit.slot == HIT_NONE ? HIT_NONE : scene->triangles[hit.slot].id;
    return hit;
}
