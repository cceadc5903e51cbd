// SPDX-License-Identifier: MIT
// Closest-hit and any-hit traversal of any tree: while-while and speculative while-while (Aila and Laine 2009; Wald
// 2011, section 4.2.6).
#pragma once

#include "lib/count.h"
#include "trees/binary.h"
#include "trees/kd16.h"

enum { TRAVERSAL_WHILE_WHILE, TRAVERSAL_SPECULATIVE };
enum { TRAVERSAL_CLOSEST, TRAVERSAL_ANY };
enum { TREE_BINARY, TREE_KD16, TREE_BINARY_PADDED };

// Kernels on a GPU are built for one kind of tree.
#ifdef CONFIG_tree
#define SCENE_TREE(scene) CONFIG(scene, tree) // so written, it is among the options that kernels are built with
#else
#define SCENE_TREE(scene) ((scene)->tree)
#endif

// Triangle `slot` of whatever tree; `copy` as in triangle_of.
DEVICE const struct triangle *scene_triangle(const struct scene_view *scene, uint32_t slot, struct triangle *copy)
{
    return triangle_of(scene, slot, SCENE_TREE(scene) == TREE_BINARY_PADDED, copy);
}

// ---- a walk over any tree

DEVICE void walk_begin(uint32_t tree, struct walk *walk, struct pending_child stack[TREE_STACK],
                       const struct scene_view *scene, const struct box_ray *box, float t_best)
{
    if (tree == TREE_KD16)
        kd16_begin(walk, stack, scene, box, t_best);
    else
        binary_begin(walk, stack);
}

DEVICE void walk_pop(uint32_t tree, struct walk *walk, const struct pending_child stack[TREE_STACK], float t_best,
                     bool far_first)
{
    if (tree == TREE_KD16)
        kd16_pop(walk, stack, t_best, far_first);
    else
        binary_pop(walk, stack, t_best);
}

// The line of 128 bytes that a node is in.
DEVICE uint32_t node_line(uint32_t tree, int32_t node)
{
    const uint32_t bytes = tree == TREE_KD16            ? (uint32_t)sizeof(struct kd16_node)
                           : tree == TREE_BINARY_PADDED ? (uint32_t)sizeof(struct padded_node)
                                                        : (uint32_t)sizeof(struct bvh_node);
    return (uint32_t)((uint64_t)(uint32_t)node * bytes / 128u);
}

// `far_first` turns the order round, which changes time but never the hit.
DEVICE void walk_step(uint32_t tree, struct walk *walk, struct pending_child stack[TREE_STACK],
                      const struct scene_view *scene, const struct box_ray *box, float t_best, bool far_first)
{
    lockstep_node(node_line(tree, walk->current));
    if (tree == TREE_KD16)
        kd16_step(walk, stack, scene, box, t_best, far_first);
    else
        binary_step(walk, stack, scene, tree == TREE_BINARY_PADDED, box, t_best, far_first);
}

// Tests the triangles of a leaf. Returns how many were tested.
DEVICE uint32_t leaf_test(uint32_t tree, int32_t leaf, const struct scene_view *scene, const struct ray *ray,
                          const struct box_ray *box, bool any, struct hit *hit)
{
    const uint32_t first = tree == TREE_KD16 ? kd16_code_first(leaf) : bvh_leaf_first(leaf);
    const uint32_t count = tree == TREE_KD16 ? kd16_code_count(leaf) : bvh_leaf_count(leaf);
    for (uint32_t i = 0; i < count; ++i) {
        triangle_test(scene, tree == TREE_KD16 ? kd16_reference(scene, first + i) : first + i,
                      tree == TREE_BINARY_PADDED, ray, box, hit);
        if (any && hit->slot != HIT_NONE)
            return i + 1;
    }
    return count;
}

// inner loop, leaf loop, inner loop, ... (variants.md, TRAV-WW)
DEVICE void traverse_while_while(uint32_t tree, const struct scene_view *scene, const struct ray *ray,
                                 const struct box_ray *box, bool any, bool far_first, struct hit *hit,
                                 struct traversal_work *work)
{
    struct walk walk;
    struct pending_child stack[TREE_STACK];
    walk_begin(tree, &walk, stack, scene, box, hit->t);
    while (walk.current != WALK_DONE) {
        uint32_t steps = 0, tests = 0;
        while (walk_at_inner(&walk)) {
            walk_step(tree, &walk, stack, scene, box, hit->t, far_first);
            ++steps;
        }
        while (walk_at_leaf(&walk)) {
            tests += leaf_test(tree, walk.current, scene, ray, box, any, hit);
            if (any && hit->slot != HIT_NONE) {
                walk.current = WALK_DONE;
                break;
            }
            walk_pop(tree, &walk, stack, hit->t, far_first);
        }
        traversal_round(work, steps, tests);
    }
}

// A lane that reaches a leaf keeps it and goes on; the inner loop ends when every lane of the group that is not done
// holds a leaf or has nothing left but leaves (variants.md, TRAV-SPEC). All lanes of `group` call this together.
DEVICE void traverse_speculative(uint32_t tree, const struct scene_view *scene, const struct ray *ray,
                                 const struct box_ray *box, bool any, bool far_first, lanemask group, struct hit *hit,
                                 struct traversal_work *work)
{
    struct walk walk;
    struct pending_child stack[TREE_STACK];
    walk_begin(tree, &walk, stack, scene, box, hit->t);
    int32_t postponed = 0; // a leaf code, 0 = none (0 is the root, never a leaf)
    while (warp_any(group, walk.current != WALK_DONE || postponed < 0)) {
        uint32_t steps = 0, tests = 0;
        while (warp_any(group, walk_at_inner(&walk) && postponed == 0)) {
            if (walk_at_inner(&walk)) {
                walk_step(tree, &walk, stack, scene, box, hit->t, far_first);
                ++steps;
            }
            if (walk_at_leaf(&walk) && postponed == 0) {
                postponed = walk.current;
                walk_pop(tree, &walk, stack, hit->t, far_first);
            }
        }
        while (postponed < 0) {
            tests += leaf_test(tree, postponed, scene, ray, box, any, hit);
            postponed = 0;
            if (any && hit->slot != HIT_NONE) {
                walk.current = WALK_DONE;
            } else if (walk_at_leaf(&walk)) {
                postponed = walk.current;
                walk_pop(tree, &walk, stack, hit->t, far_first);
            }
        }
        traversal_round(work, steps, tests);
    }
}

DEVICE void traverse_tree(uint32_t tree, const struct scene_view *scene, const struct ray *ray,
                          const struct box_ray *box, uint32_t traversal, bool any, bool far_first, lanemask group,
                          struct hit *hit, struct traversal_work *work)
{
    if (traversal == TRAVERSAL_SPECULATIVE)
        traverse_speculative(tree, scene, ray, box, any, far_first, group, hit, work);
    else
        traverse_while_while(tree, scene, ray, box, any, far_first, hit, work);
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
    if (SCENE_TREE(scene) == TREE_KD16)
        traverse_tree(TREE_KD16, scene, ray, &box, traversal, kind == TRAVERSAL_ANY, far_first, group, &hit, work);
    else if (SCENE_TREE(scene) == TREE_BINARY_PADDED)
        traverse_tree(TREE_BINARY_PADDED, scene, ray, &box, traversal, kind == TRAVERSAL_ANY, far_first, group, &hit,
                      work);
    else
        traverse_tree(TREE_BINARY, scene, ray, &box, traversal, kind == TRAVERSAL_ANY, far_first, group, &hit, work);
    lockstep_end();
    struct triangle copy;
    hit.id = HIT_NONE;
    if (hit.slot != HIT_NONE)
        hit.id = scene_triangle(scene, hit.slot, &copy)->id;
    return hit;
}
