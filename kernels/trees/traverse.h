// SPDX-License-Identifier: MIT
// Closest-hit and any-hit traversal of any tree: while-while, speculative while-while (Aila and Laine 2009; Wald 2011,
// section 4.2.6), and phases that the lanes of a warp vote on.
#pragma once

#include "lib/count.h"
#include "trees/binary.h"
#include "trees/kd.h"
#include "trees/wide.h"
#include "trees/wide_compressed.h"
#include "trees/wide4.h"
#include "trees/wide4_float.h"

enum { TRAVERSAL_CLOSEST, TRAVERSAL_ANY };
enum { TREE_KINDS = CHOICES_OF_tree, TREE_WIDE4_FLOAT = TREE_KINDS }; // the second is of walks.def

// Kernels on a GPU are built for one kind of tree.
#ifdef CONFIG_tree
#define SCENE_TREE(scene) CONFIG(scene, tree) // so written, it is among the options that kernels are built with
#else
#define SCENE_TREE(scene) ((scene)->tree)
#endif

// The tree over instances.
#ifdef CONFIG_top_tree
#define SCENE_TOP(scene) (CONFIG(scene, top_tree) == TOP_TREE_WIDE ? TREE_WIDE : TREE_BINARY)
#else
#define SCENE_TOP(scene) ((scene)->top_tree)
#endif

// The instance that a hit's slot is in.
DEVICE const struct instance *scene_instance(const struct scene_view *scene, uint32_t slot)
{
    return &scene->instances[scene->instance_of[slot >> scene->instance_shift]];
}

// Triangle `slot` of whatever tree, in its object's space; `copy` as in triangle_of.
DEVICE const struct triangle *scene_triangle(const struct scene_view *scene, uint32_t slot, struct triangle *copy)
{
    uint32_t form = TRIANGLES_WHOLE;
    switch (SCENE_TREE(scene)) {
#define TREE(NAME, name, text)                                                                                         \
    case TREE_##NAME:                                                                                                  \
        form = name##_triangles(scene);                                                                                \
        break;
#include "trees/walks.def"
#undef TREE
    default: break;
    }
    if (SCENE_TWO_LEVELS(scene))
        slot -= scene_instance(scene, slot)->slots;
    return triangle_of(scene, slot, form, copy);
}

// Its id among those of all instances.
DEVICE uint32_t scene_triangle_id(const struct scene_view *scene, uint32_t slot)
{
    struct triangle copy;
    const uint32_t id = scene_triangle(scene, slot, &copy)->id;
    return SCENE_TWO_LEVELS(scene) ? id + scene_instance(scene, slot)->ids : id;
}

DEVICE struct vec3 instance_turn(const struct vec3 *rows, struct vec3 v)
{
    return vec3_make(vec3_dot(rows[0], v), vec3_dot(rows[1], v), vec3_dot(rows[2], v));
}

#ifdef PLATFORM_OPTIX
#include "trees/optix.h"
#else

#ifdef TRAVERSE_LINKED
// On the host all kernels of a build share one copy, trees/traverse.c: most of what a compiler would spend on each.
#define traverse EMULATOR_SYMBOL(traverse, EMULATOR_BUILD)
struct hit traverse(const struct scene_view *scene, const struct ray *ray, float t_max, uint32_t kind,
                    uint32_t traversal, bool far_first, lanemask group, uint32_t bounce, struct traversal_work *work);
#else
#ifndef TRAVERSE
#define TRAVERSE DEVICE_ONCE
#endif

// Entries of a lane's stack.
#if defined(CONFIG_tree) && defined(CONFIG_tree_stack)
enum {
    IS_WIDE = CONFIG_tree == TREE_WIDE || CONFIG_tree == TREE_WIDE_COMPRESSED,
    BOTTOM_STACK = IS_WIDE && CONFIG_tree_stack == TREE_STACK_CHILDREN ? WIDE_STACK : STACK_ENTRIES,
#if defined(CONFIG_instances) && defined(CONFIG_top_tree)
    TOP_STACK =
        CONFIG_instances ? CONFIG_top_tree && CONFIG_tree_stack == TREE_STACK_CHILDREN ? WIDE_STACK : TREE_STACK : 0,
#else
    TOP_STACK = 0,
#endif
    LANE_STACK = BOTTOM_STACK + TOP_STACK
};
#else
enum { LANE_STACK = STACK_ENTRIES };
#endif

// Aligned, so that a GPU stores and loads two entries at once.
#define WALK_STACK(name) struct pending_child name[LANE_STACK] __attribute__((aligned(16)))

// ---- a walk over any tree

// Whether a walk's current is a key of wide4, and not a number: of an inner node, or below 0 of a leaf.
#define TREE_HAS_KEYS(tree) ((tree) == TREE_WIDE4 || (tree) == TREE_WIDE4_FLOAT)

DEVICE bool walk_at_inner(uint32_t tree, const struct walk *walk)
{
    return TREE_HAS_KEYS(tree) ? wide4_at_inner(walk) : walk->current >= 0;
}

DEVICE bool walk_at_leaf(uint32_t tree, const struct walk *walk)
{
    return TREE_HAS_KEYS(tree) ? wide4_at_leaf(walk) : walk->current < 0 && walk->current != WALK_DONE;
}

// The `current` of a walk that is done.
#define WALK_DONE_OF(tree) (TREE_HAS_KEYS(tree) ? WIDE4_DONE : WALK_DONE)

// The number of the node or leaf that a walk is at.
DEVICE int32_t walk_place(uint32_t tree, const struct walk *walk)
{
    return TREE_HAS_KEYS(tree) ? wide4_child(walk) : walk->current;
}

DEVICE void tree_begin(uint32_t tree, struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                       const struct box_ray *box, float t_best)
{
    switch (tree) {
#define TREE(NAME, name, text)                                                                                         \
    case TREE_##NAME:                                                                                                  \
        name##_begin(walk, stack, scene, box, t_best);                                                                 \
        break;
#include "trees/walks.def"
#undef TREE
    default: break;
    }
}

DEVICE void tree_pop(uint32_t tree, struct walk *walk, const struct pending_child stack[],
                     const struct scene_view *scene, float t_best, bool far_first)
{
    switch (tree) {
#define TREE(NAME, name, text)                                                                                         \
    case TREE_##NAME:                                                                                                  \
        name##_pop(walk, stack, scene, t_best, far_first);                                                             \
        break;
#include "trees/walks.def"
#undef TREE
    default: break;
    }
}

// `far_first` turns the order round, which changes time but never the hit.
DEVICE void tree_step(uint32_t tree, struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                      const struct box_ray *box, float t_best, bool far_first)
{
    switch (tree) {
#define TREE(NAME, name, text)                                                                                         \
    case TREE_##NAME:                                                                                                  \
        lockstep_node(name##_place(walk_place(TREE_##NAME, walk), scene));                                             \
        walk_count_node(walk, name##_place(walk_place(TREE_##NAME, walk), scene));                                     \
        name##_step(walk, stack, scene, box, t_best, far_first);                                                       \
        break;
#include "trees/walks.def"
#undef TREE
    default: break;
    }
}

// Tests the triangles of a leaf. Returns how many were tested.
DEVICE uint32_t tree_leaf(uint32_t tree, int32_t leaf, const struct walk *walk, const struct scene_view *scene,
                          const struct ray *ray, const struct box_ray *box, bool any, struct hit *hit)
{
    switch (tree) {
#define TREE(NAME, name, text)                                                                                         \
    case TREE_##NAME:                                                                                                  \
        return name##_leaf(leaf, walk, scene, ray, box, any, hit);
#include "trees/walks.def"
#undef TREE
    default: return 0;
    }
}

#include "trees/levels.h"

// ---- counting

#if COUNTING
// What a test reads of the i-th triangle of a leaf.
DEVICE uint32_t leaf_place(uint32_t tree, int32_t leaf, uint32_t i, const struct scene_view *scene)
{
    switch (levels_bottom(tree)) {
#define TREE(NAME, name, text)                                                                                         \
    case TREE_##NAME:                                                                                                  \
        return name##_triangle(leaf, i, scene);
#include "trees/walks.def"
#undef TREE
    default: return 0;
    }
}

DEVICE uint32_t leaf_list(uint32_t tree, int32_t leaf, uint32_t tested)
{
    switch (levels_bottom(tree)) {
#define TREE(NAME, name, text)                                                                                         \
    case TREE_##NAME:                                                                                                  \
        return name##_list(leaf, tested);
#include "trees/walks.def"
#undef TREE
    default: return 0;
    }
}

enum { LEAF_LINES = 4 * 32 }; // no leaf has more triangles than 31, none of which stands in more lines than two

// A visit to a leaf of which `tested` triangles were tested.
static __attribute__((noinline, unused)) void count_leaf(uint32_t tree, int32_t leaf, uint32_t tested,
                                                         const struct scene_view *scene, struct traversal_work *work)
{
    uint32_t lines[LEAF_LINES], count = 0;
    for (uint32_t i = 0; i < tested; ++i) {
        const uint32_t place = leaf_place(tree, leaf, i, scene), first = place / PLACE_SECTORS;
        lockstep_test(place);
        for (uint32_t line = first / 4u; line <= (first + place % PLACE_SECTORS) / 4u; ++line) {
            uint32_t seen = 0;
            while (seen < count && lines[seen] != line)
                ++seen;
            lines[count] = line;
            count += seen == count;
        }
    }
    ++work->leaves;
    work->leaf_lines += count;
    work->list_lines += leaf_list(tree, leaf, tested);
}

DEVICE void count_walk(const struct walk *walk, struct traversal_work *work)
{
    work->loads += walk->loads;
    work->never_visited += walk->left - walk->taken;
    work->sectors += walk->sectors;
    work->hops += walk->hops;
    work->hop_octaves += walk->hop_octaves;
    work->top_nodes += walk->top_steps;
    work->entered += walk->entered;
}
#else
#define count_leaf(tree, leaf, tested, scene, work) ((void)(work))
#define count_walk(walk, work) ((void)(walk))
#endif

// ---- the loops

// inner loop, leaf loop, inner loop, ... (while-while; Aila and Laine 2009)
DEVICE void traverse_while_while(uint32_t tree, const struct scene_view *scene, const struct ray *ray,
                                 const struct box_ray *box, bool any, bool far_first, struct hit *hit,
                                 struct traversal_work *work)
{
    struct walk walk;
    WALK_STACK(stack);
    walk_count_begin(&walk);
    walk_begin(tree, &walk, stack, scene, ray, box, hit->t);
    while (walk.current != WALK_DONE_OF(tree)) {
        uint32_t steps = 0, tests = 0;
        while (walk_at_inner(tree, &walk)) {
            walk_step(tree, &walk, stack, scene, ray, box, hit->t, far_first);
            ++steps;
        }
        while (walk_at_leaf(tree, &walk)) {
            const int32_t leaf = walk_place(tree, &walk);
            const uint32_t tested = leaf_test(tree, &walk, walk.instance, leaf, scene, ray, box, any, hit);
            count_leaf(tree, leaf, tested, scene, work);
            tests += tested;
            if (any && hit->slot != HIT_NONE) {
                walk.current = WALK_DONE_OF(tree);
                break;
            }
            walk_pop(tree, &walk, stack, scene, ray, box, hit->t, far_first);
        }
        traversal_round(work, steps, tests);
    }
    count_walk(&walk, work);
}

// A lane that reaches a leaf keeps it and goes on; the inner loop ends when every lane of the group that is not done
// holds a leaf or has nothing left but leaves (speculative while-while; Aila and Laine 2009).
// All lanes of `group` call this together.
DEVICE void traverse_speculative(uint32_t tree, const struct scene_view *scene, const struct ray *ray,
                                 const struct box_ray *box, bool any, bool far_first, lanemask group, struct hit *hit,
                                 struct traversal_work *work)
{
    struct walk walk;
    WALK_STACK(stack);
    walk_count_begin(&walk);
    walk_begin(tree, &walk, stack, scene, ray, box, hit->t);
    int32_t postponed = 0;             // a leaf code, 0 = none (0 is the root, never a leaf)
    uint32_t instance = walk.instance; // that the leaf is in
    while (warp_any(group, walk.current != WALK_DONE_OF(tree) || postponed < 0)) {
        uint32_t steps = 0, tests = 0;
        while (warp_any(group, walk_at_inner(tree, &walk) && postponed == 0)) {
            if (walk_at_inner(tree, &walk)) {
                walk_step(tree, &walk, stack, scene, ray, box, hit->t, far_first);
                ++steps;
            }
            if (walk_at_leaf(tree, &walk) && postponed == 0) {
                postponed = walk_place(tree, &walk);
                instance = walk.instance;
                walk_pop(tree, &walk, stack, scene, ray, box, hit->t, far_first);
            }
        }
        while (postponed < 0) {
            const uint32_t tested = leaf_test(tree, &walk, instance, postponed, scene, ray, box, any, hit);
            count_leaf(tree, postponed, tested, scene, work);
            tests += tested;
            postponed = 0;
            if (any && hit->slot != HIT_NONE) {
                walk.current = WALK_DONE_OF(tree);
            } else if (walk_at_leaf(tree, &walk)) {
                postponed = walk_place(tree, &walk);
                instance = walk.instance;
                walk_pop(tree, &walk, stack, scene, ray, box, hit->t, far_first);
            }
        }
        traversal_round(work, steps, tests);
    }
    count_walk(&walk, work);
}

// All lanes that are at inner nodes go on, two steps a vote, while they are more than half of those not yet done; then
// all that are at a leaf test its triangles. All lanes of `group` call this together.
DEVICE void traverse_voted(uint32_t tree, const struct scene_view *scene, const struct ray *ray,
                           const struct box_ray *box, bool any, bool far_first, lanemask group, struct hit *hit,
                           struct traversal_work *work)
{
    enum { STEPS = 2 };
    struct walk walk;
    WALK_STACK(stack);
    walk_count_begin(&walk);
    walk_begin(tree, &walk, stack, scene, ray, box, hit->t);
    for (;;) {
        const uint32_t left = lanemask_count(warp_ballot(group, walk.current != WALK_DONE_OF(tree)));
        uint32_t steps = 0, tests = 0;
        if (left == 0)
            break;
        while (lanemask_count(warp_ballot(group, walk_at_inner(tree, &walk))) > left / 2) {
            for (int i = 0; i < STEPS; ++i)
                if (walk_at_inner(tree, &walk)) {
                    walk_step(tree, &walk, stack, scene, ray, box, hit->t, far_first);
                    ++steps;
                }
        }
        if (walk_at_leaf(tree, &walk)) {
            const int32_t leaf = walk_place(tree, &walk);
            tests = leaf_test(tree, &walk, walk.instance, leaf, scene, ray, box, any, hit);
            count_leaf(tree, leaf, tests, scene, work);
            if (any && hit->slot != HIT_NONE)
                walk.current = WALK_DONE_OF(tree);
            else
                walk_pop(tree, &walk, stack, scene, ray, box, hit->t, far_first);
        }
        traversal_round(work, steps, tests);
    }
    count_walk(&walk, work);
}

// Trees whose most frequent walk has a loop of its own also where its options are no constants, as on the host. (Two loops
// of every tree would double what compilers take for this file.)
#define HAS_NEAR_LOOP(tree) ((tree) == TREE_BINARY || (tree) == TREE_WIDE4)

DEVICE void traverse_tree(uint32_t tree, const struct scene_view *scene, const struct ray *ray,
                          const struct box_ray *box, uint32_t traversal, bool any, bool far_first, lanemask group,
                          struct hit *hit, struct traversal_work *work)
{
    if (traversal == TRAVERSAL_SPECULATIVE)
        traverse_speculative(tree, scene, ray, box, any, far_first, group, hit, work);
    else if (traversal == TRAVERSAL_VOTED)
        traverse_voted(tree, scene, ray, box, any, far_first, group, hit, work);
    else if (HAS_NEAR_LOOP(tree) && !any && !far_first)
        traverse_while_while(tree, scene, ray, box, false, false, hit, work);
    else
        traverse_while_while(tree, scene, ray, box, any, far_first, hit, work);
}

// On the host each tree's loops are a function of their own: in one of all trees, compilers keep in memory what a walk wants
// in registers.
#define TREE(NAME, name, text)                                                                                         \
    DEVICE_ONCE void traverse_##name(const struct scene_view *scene, const struct ray *ray, const struct box_ray *box, \
                                     uint32_t traversal, bool any, bool far_first, lanemask group, struct hit *hit,    \
                                     struct traversal_work *work)                                                      \
    {                                                                                                                  \
        traverse_tree(TREE_##NAME, scene, ray, box, traversal, any, far_first, group, hit, work);                      \
    }
#include "trees/walks.def"
#undef TREE
#define LEVELS(TOP, BOTTOM)                                                                                            \
    DEVICE_ONCE void traverse_##TOP##_##BOTTOM(                                                                        \
        const struct scene_view *scene, const struct ray *ray, const struct box_ray *box, uint32_t traversal,          \
        bool any, bool far_first, lanemask group, struct hit *hit, struct traversal_work *work)                        \
    {                                                                                                                  \
        traverse_tree(LEVELS_OF(TREE_##TOP, TREE_##BOTTOM), scene, ray, box, traversal, any, far_first, group, hit,    \
                      work);                                                                                           \
    }
#include "trees/levels.def"
#undef LEVELS

// Closest hit with 0 < t <= t_max, or (any) whether there is one. All lanes of `group` call this together where the
// traversal votes. `work` gains the node and triangle counts.
TRAVERSE struct hit traverse(const struct scene_view *scene, const struct ray *ray, float t_max, uint32_t kind,
                             uint32_t traversal, bool far_first, lanemask group, uint32_t bounce,
                             struct traversal_work *work)
{
    struct box_ray box = box_ray_make(ray);
    const bool any = kind == TRAVERSAL_ANY;
    struct hit hit;
    hit.t = t_max;
    hit.slot = HIT_NONE;
    if (SCENE_SPLIT(scene))
        box.shift = fragment_shift(scene->grid_zero, ray->origin, box.inverse);
    lockstep_begin(kind, count_bin(bounce));
    // SCENE_TREE is constant in kernels on a GPU, which are built before a builder chooses the form. Fragments are on the grid.
    if (SCENE_TREE(scene) == TREE_WIDE4 && !SCENE_SPLIT(scene) && scene->tree == TREE_WIDE4_FLOAT) {
        traverse_wide4_float(scene, ray, &box, traversal, any, far_first, group, &hit, work);
    } else {
        switch (SCENE_TWO_LEVELS(scene) ? LEVELS_OF(SCENE_TOP(scene), SCENE_TREE(scene)) : SCENE_TREE(scene)) {
#define LEVELS(TOP, BOTTOM)                                                                                            \
    case LEVELS_OF(TREE_##TOP, TREE_##BOTTOM):                                                                         \
        traverse_##TOP##_##BOTTOM(scene, ray, &box, traversal, any, far_first, group, &hit, work);                     \
        break;
#include "trees/levels.def"
#undef LEVELS
#define TREE(NAME, name, text)                                                                                         \
    case TREE_##NAME:                                                                                                  \
        traverse_##name(scene, ray, &box, traversal, any, far_first, group, &hit, work);                               \
        break;
#include "trees/walks.def"
#undef TREE
        default: break;
        }
    }
    lockstep_end();
    hit.id = HIT_NONE;
    if (SCENE_TREE(scene) == TREE_WIDE4 || SCENE_TREE(scene) == TREE_WIDE4_FLOAT) {
        if (hit.slot != HIT_NONE)
            hit.id = hit.slot = wide4_hit_triangle(scene, hit.slot);
    } else if (hit.slot != HIT_NONE) {
        hit.id = scene_triangle_id(scene, hit.slot);
    }
    return hit;
}
#endif
#endif // PLATFORM_OPTIX
