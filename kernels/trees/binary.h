// SPDX-License-Identifier: MIT
// The binary tree of boxes, and one step of a walk over it.
#pragma once

#include "trees/box.h"
#include "trees/triangle.h"
#include "trees/walk.h"

// Binary bounding-volume hierarchy: a node holds the boxes of its two children, each axis as {low 0, low 1, high 0,
// high 1}. A box is the exact bound of its triangles widened by scene_view.box_pad on every side. child >= 0: index of
// an inner node; child < 0: leaf, see bvh_leaf_*. Node 0 is the root. A tree of a single leaf has a root whose second
// child is an empty leaf with a box far away.
struct __attribute__((aligned(16))) bvh_node {
    float x[4], y[4], z[4];
    int32_t child[2];
    uint32_t unused[2];
};

// A node of binary_padded.
struct padded_node {
    float x[4], gap_x[4], y[4], gap_y[4], z[4], gap_z[4];
    int32_t child[2];
    uint32_t unused[2], gap[4];
};

enum { BVH_LEAF_COUNT_BITS = 4, BVH_LEAF_MAX = (1 << BVH_LEAF_COUNT_BITS) - 1 };

DEVICE int32_t bvh_leaf_make(uint32_t first, uint32_t count)
{
    return (int32_t) ~((first << BVH_LEAF_COUNT_BITS) | count);
}

DEVICE uint32_t bvh_leaf_first(int32_t child)
{
    return (~(uint32_t)child) >> BVH_LEAF_COUNT_BITS;
}

DEVICE uint32_t bvh_leaf_count(int32_t child)
{
    return (~(uint32_t)child) & (uint32_t)BVH_LEAF_MAX;
}

#if VECTOR_BODIES
#include "trees/two_box_avx.h"
#else
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

// Node `index`, either where it stands or in `copy`.
DEVICE const struct bvh_node *node_fetch(const struct scene_view *scene, int32_t index, bool padded,
                                         struct bvh_node *copy)
{
    if (READ_IN_PLACE && !padded)
        return (const struct bvh_node *)scene->nodes + index;
    const struct float4 *const from = padded ? (const struct float4 *)((const struct padded_node *)scene->nodes + index)
                                             : (const struct float4 *)((const struct bvh_node *)scene->nodes + index);
    const int next = padded ? 2 : 1;
    const struct float4 x = TREE_LOAD(from), // site: inner
        y = TREE_LOAD(from + next), z = TREE_LOAD(from + 2 * next), rest = TREE_LOAD(from + 3 * next);
    copy->x[0] = x.x, copy->x[1] = x.y, copy->x[2] = x.z, copy->x[3] = x.w;
    copy->y[0] = y.x, copy->y[1] = y.y, copy->y[2] = y.z, copy->y[3] = y.w;
    copy->z[0] = z.x, copy->z[1] = z.y, copy->z[2] = z.z, copy->z[3] = z.w;
    copy->child[0] = (int32_t)f32_bits(rest.x);
    copy->child[1] = (int32_t)f32_bits(rest.y);
    return copy;
}

// Next child to visit whose box is still in reach. Entry 0 of the stack is WALK_DONE at distance 0: it is never culled.
DEVICE void binary_pop(struct walk *walk, const struct pending_child stack[], const struct scene_view *scene,
                       float t_best, bool far_first)
{
    (void)scene;
    (void)far_first;
    struct pending_child top;
    do {
        --walk->depth;
        top = stack[walk->depth];
    } while (top.entry > t_best);
    walk->current = top.child;
    if (top.child != WALK_DONE)
        walk_count_taken(walk);
}

DEVICE void binary_begin(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                         const struct box_ray *box, float t_best)
{
    (void)scene;
    (void)box;
    (void)t_best;
    walk->depth = 0;
    walk_put(walk, stack, WALK_DONE, 0.0f);
    walk->current = 0;
}

DEVICE void child_prefetch(const struct scene_view *scene, int32_t child, bool padded)
{
    if (!padded)
        prefetch(child < 0 ? (const void *)&scene->triangles[bvh_leaf_first(child)]
                           : (const void *)((const struct bvh_node *)scene->nodes + child));
}

// One inner-node step: tests both children, goes to the nearer, pushes the other, or pops. `far_first` turns the order
// round, which changes time but never the hit.
DEVICE void binary_step_of(struct walk *walk, struct pending_child stack[], const struct scene_view *scene, bool padded,
                           const struct box_ray *box, float t_best, bool far_first)
{
    struct bvh_node copy;
    const struct bvh_node *node = node_fetch(scene, walk->current, padded, &copy);
    walk_count_load(walk);
    const int32_t child0 = node->child[0], child1 = node->child[1];
    bool met[2];
    float entry[2];
    child_prefetch(scene, child0, padded);
    child_prefetch(scene, child1, padded);
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
            binary_pop(walk, stack, scene, t_best, far_first);
    }
}

DEVICE uint32_t binary_leaf_of(int32_t leaf, const struct scene_view *scene, bool padded, const struct ray *ray,
                               const struct box_ray *box, bool any, struct hit *hit)
{
    const uint32_t first = bvh_leaf_first(leaf), count = bvh_leaf_count(leaf);
    for (uint32_t i = 0; i < count; ++i) {
        triangle_test(scene, first + i, padded ? TRIANGLES_PADDED : TRIANGLES_WHOLE,
                      SCENE_SPLIT(scene) ? scene->references[first + i] : 0, ray, box, hit);
        if (any && hit->slot != HIT_NONE)
            return i + 1;
    }
    return count;
}

// ---- the two kinds

DEVICE uint32_t binary_place(int32_t node, const struct scene_view *scene)
{
    (void)scene;
    return tree_place((uint64_t)(uint32_t)node * sizeof(struct bvh_node), sizeof(struct bvh_node));
}

DEVICE void binary_step(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                        const struct box_ray *box, float t_best, bool far_first)
{
    binary_step_of(walk, stack, scene, false, box, t_best, far_first);
}

DEVICE uint32_t binary_leaf(int32_t leaf, const struct walk *walk, const struct scene_view *scene,
                            const struct ray *ray, const struct box_ray *box, bool any, struct hit *hit)
{
    (void)walk;
    return binary_leaf_of(leaf, scene, false, ray, box, any, hit);
}

DEVICE uint32_t binary_triangle(int32_t leaf, uint32_t i, const struct scene_view *scene)
{
    (void)scene;
    return tree_place((uint64_t)(bvh_leaf_first(leaf) + i) * sizeof(struct triangle), sizeof(struct triangle));
}

DEVICE uint32_t binary_list(int32_t leaf, uint32_t tested)
{
    (void)leaf;
    (void)tested;
    return 0; // leaves name triangles by their place
}

#define binary_padded_list binary_list

DEVICE uint32_t binary_triangles(const struct scene_view *scene)
{
    (void)scene;
    return TRIANGLES_WHOLE;
}

DEVICE uint32_t binary_padded_triangles(const struct scene_view *scene)
{
    (void)scene;
    return TRIANGLES_PADDED;
}

// Of the last 32 bytes a test reads the first 16. Maps are not padded.
DEVICE uint32_t binary_padded_triangle(int32_t leaf, uint32_t i, const struct scene_view *scene)
{
    if (TRIANGLE_TEST(scene) == TRIANGLE_TEST_AFFINE)
        return binary_triangle(leaf, i, scene);
    return tree_place((uint64_t)(bvh_leaf_first(leaf) + i) * sizeof(struct padded_triangle),
                      sizeof(struct padded_triangle) - 16u);
}

#define binary_padded_begin binary_begin
#define binary_padded_pop binary_pop

DEVICE uint32_t binary_padded_place(int32_t node, const struct scene_view *scene)
{
    (void)scene;
    return tree_place((uint64_t)(uint32_t)node * sizeof(struct padded_node), sizeof(struct padded_node));
}

DEVICE_ONCE void binary_padded_step(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                                    const struct box_ray *box, float t_best, bool far_first)
{
    binary_step_of(walk, stack, scene, true, box, t_best, far_first);
}

DEVICE_ONCE uint32_t binary_padded_leaf(int32_t leaf, const struct walk *walk, const struct scene_view *scene,
                                        const struct ray *ray, const struct box_ray *box, bool any, struct hit *hit)
{
    (void)walk;
    return binary_leaf_of(leaf, scene, true, ray, box, any, hit);
}
