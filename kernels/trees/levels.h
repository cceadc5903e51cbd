// SPDX-License-Identifier: MIT
// A walk over a tree, or over two levels of trees: one over the instances' boxes, and one over each object's triangles, all in
// scene_view.nodes, with the nodes and steps of one-level trees. Included by traverse.h, behind what it calls.
//
// Where a walk at the top comes to a leaf, which names one instance, it enters the instance: the ray is taken into the
// object's space, what waits on the stack stays there below a WALK_DONE, and the walk goes on at the object's root. When it
// pops that WALK_DONE, the object is done and the walk is at the top again.
//
// The hit is independent of either tree by the rules of ray.h, applied twice. In an object's space they are those of a tree
// over its triangles, with a pad of its own. An instance is met only where the ray in the world meets the instance's own box,
// and a hit in it has its t raised to the entry of that box: so t is at least the entry of every box above, in the object
// and at the top. Ties of t go to the least id among the triangles of all instances.
#pragma once

// A walk is over one tree, TREE_*, or over two levels, LEVELS_OF(top, bottom).
#define LEVELS_OF(top, bottom) ((uint32_t)(bottom) | ((uint32_t)(top) + 1u) << 8)

DEVICE bool levels_two(uint32_t tree)
{
    return tree >> 8 != 0u;
}

DEVICE uint32_t levels_top(uint32_t tree)
{
    return (tree >> 8) - 1u;
}

DEVICE uint32_t levels_bottom(uint32_t tree)
{
    return tree & 0xFFu;
}

DEVICE void instance_fetch(const struct scene_view *scene, uint32_t index, struct instance *to)
{
    const struct float4 *const from = (const struct float4 *)&scene->instances[index];
    const struct float4 a = TREE_LOAD(from), b = TREE_LOAD(from + 1), c = TREE_LOAD(from + 2);
    const struct float4 low = TREE_LOAD(from + 3), high = TREE_LOAD(from + 4);
    to->to_object[0] = vec3_make(a.x, a.y, a.z);
    to->to_object[1] = vec3_make(a.w, b.x, b.y);
    to->to_object[2] = vec3_make(b.z, b.w, c.x);
    to->position = vec3_make(c.y, c.z, c.w);
    to->low = vec3_make(low.x, low.y, low.z);
    to->object = f32_bits(low.w);
    to->high = vec3_make(high.x, high.y, high.z);
    to->pad = high.w;
    to->identity = TREE_LOAD(&scene->instances[index].identity);
}

// The ray in an instance's space. Where the two are one it has the same bits, those of its zeros too.
DEVICE void instance_enter(const struct instance *instance, const struct ray *ray, const struct box_ray *box,
                           float entry, struct ray *to, struct box_ray *to_box)
{
    *to = *ray;
    *to_box = *box;
    if (!instance->identity) {
        to->origin = instance_turn(instance->to_object, vec3_sub(ray->origin, instance->position));
        to->direction = instance_turn(instance->to_object, ray->direction);
        *to_box = box_ray_make(to);
    }
    to_box->pad = instance->pad;
    to_box->entry = entry;
}

// False where the ray does not meet the instance's box, or farther than t_best.
DEVICE bool levels_enter(struct walk *walk, struct pending_child stack[], const struct scene_view *scene, int32_t leaf,
                         const struct ray *ray, const struct box_ray *box, float t_best)
{
    struct instance instance;
    float entry, exit;
    const uint32_t index = bvh_leaf_first(leaf);
    if (bvh_leaf_count(leaf) == 0)
        return false;
    instance_fetch(scene, index, &instance);
    box_interval(box, instance.low, instance.high, &entry, &exit);
    if (!(entry <= exit) || entry > t_best)
        return false;
    instance_enter(&instance, ray, box, entry, &walk->ray, &walk->box);
    if (walk->pending & 0xFFu)
        walk_put(walk, stack, walk->group, f32_from_bits(walk->pending));
    walk->pending = 0;
    walk_put(walk, stack, WALK_DONE, 0.0f);
    walk->instance = index;
    walk->current = scene->roots[instance.object];
    walk_count_entered(walk);
    return true;
}

// ---- a tree of either level: binary or wide (levels.def)

DEVICE void level_pop(uint32_t kind, struct walk *walk, const struct pending_child stack[],
                      const struct scene_view *scene, float t_best, bool far_first)
{
    if (kind == TREE_WIDE)
        tree_pop(TREE_WIDE, walk, stack, scene, t_best, far_first);
    else
        tree_pop(TREE_BINARY, walk, stack, scene, t_best, far_first);
}

DEVICE void level_step(uint32_t kind, struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                       const struct box_ray *box, float t_best, bool far_first)
{
    if (kind == TREE_WIDE)
        tree_step(TREE_WIDE, walk, stack, scene, box, t_best, far_first);
    else
        tree_step(TREE_BINARY, walk, stack, scene, box, t_best, far_first);
}

// ---- two levels. On the host all pairs of trees share one copy of each: compilers need not inline them for each loop.

// After a move: leaves an object that is done, enters the instance that the walk has come to, until it is at an inner node, at
// a leaf of triangles, or done.
DEVICE_ONCE void levels_settle(uint32_t tree, struct walk *walk, struct pending_child stack[],
                               const struct scene_view *scene, const struct ray *ray, const struct box_ray *box,
                               float t_best, bool far_first)
{
    for (;;) {
        if (walk->instance != INSTANCE_NONE) {
            if (walk->current != WALK_DONE)
                return;
            walk->instance = INSTANCE_NONE;
            walk->box = *box;
        } else if (!walk_at_leaf(tree, walk) || levels_enter(walk, stack, scene, walk->current, ray, box, t_best)) {
            return;
        }
        level_pop(levels_top(tree), walk, stack, scene, t_best, far_first);
    }
}

DEVICE_ONCE void levels_pop(uint32_t tree, struct walk *walk, struct pending_child stack[],
                            const struct scene_view *scene, const struct ray *ray, const struct box_ray *box,
                            float t_best, bool far_first)
{
    level_pop(levels_bottom(tree), walk, stack, scene, t_best, far_first); // leaves of triangles are at the bottom
    levels_settle(tree, walk, stack, scene, ray, box, t_best, far_first);
}

DEVICE_ONCE void levels_step(uint32_t tree, struct walk *walk, struct pending_child stack[],
                             const struct scene_view *scene, const struct ray *ray, const struct box_ray *box,
                             float t_best, bool far_first)
{
    if (walk->instance == INSTANCE_NONE)
        walk_count_top(walk);
    if (levels_top(tree) == levels_bottom(tree) || walk->instance != INSTANCE_NONE)
        level_step(levels_bottom(tree), walk, stack, scene, &walk->box, t_best, far_first);
    else
        level_step(levels_top(tree), walk, stack, scene, &walk->box, t_best, far_first);
    levels_settle(tree, walk, stack, scene, ray, box, t_best, far_first);
}

// A hit within `instance` takes the place of `hit` where it has a lesser (t, id).
DEVICE void levels_take(const struct scene_view *scene, uint32_t instance, const struct hit *within, struct hit *hit)
{
    if (within->slot == HIT_NONE)
        return;
    const uint32_t slot = within->slot + scene->instances[instance].slots;
    if (within->t == hit->t && hit->slot != HIT_NONE &&
        scene_triangle_id(scene, slot) >= scene_triangle_id(scene, hit->slot))
        return;
    hit->t = within->t;
    hit->slot = slot;
}

// Tests the triangles of a leaf of `instance`, which the walk may have left since it came to the leaf. Returns how many were
// tested. Leaves of binary and wide trees are the same.
DEVICE_ONCE uint32_t levels_leaf(const struct walk *walk, uint32_t instance, int32_t leaf,
                                 const struct scene_view *scene, const struct ray *ray, const struct box_ray *box,
                                 bool any, struct hit *hit)
{
    struct ray own = walk->ray;
    struct box_ray own_box = walk->box;
    if (instance != walk->instance) {
        struct instance there;
        float entry, exit;
        instance_fetch(scene, instance, &there);
        box_interval(box, there.low, there.high, &entry, &exit);
        instance_enter(&there, ray, box, entry, &own, &own_box);
    }
    struct hit within;
    within.t = hit->t;
    within.slot = HIT_NONE;
    within.id = HIT_NONE;
    const uint32_t tested = tree_leaf(TREE_BINARY, leaf, walk, scene, &own, &own_box, any, &within);
    levels_take(scene, instance, &within, hit);
    return tested;
}

// ---- what the loops call

DEVICE void walk_begin(uint32_t tree, struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                       const struct ray *ray, const struct box_ray *box, float t_best)
{
    walk->instance = INSTANCE_NONE;
    if (!levels_two(tree)) {
        tree_begin(tree, walk, stack, scene, box, t_best);
        return;
    }
    walk->group = 0;
    walk->pending = 0;
    walk->ray = *ray;
    walk->box = *box;
    tree_begin(levels_top(tree), walk, stack, scene, box, t_best); // at an inner node
}

DEVICE void walk_pop(uint32_t tree, struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                     const struct ray *ray, const struct box_ray *box, float t_best, bool far_first)
{
    if (levels_two(tree))
        levels_pop(tree, walk, stack, scene, ray, box, t_best, far_first);
    else
        tree_pop(tree, walk, stack, scene, t_best, far_first);
}

// `far_first` turns the order round, which changes time but never the hit.
DEVICE void walk_step(uint32_t tree, struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                      const struct ray *ray, const struct box_ray *box, float t_best, bool far_first)
{
    if (levels_two(tree))
        levels_step(tree, walk, stack, scene, ray, box, t_best, far_first);
    else
        tree_step(tree, walk, stack, scene, box, t_best, far_first);
}

// Tests the triangles of a leaf, in two levels one of `instance`. Returns how many were tested.
DEVICE uint32_t leaf_test(uint32_t tree, const struct walk *walk, uint32_t instance, int32_t leaf,
                          const struct scene_view *scene, const struct ray *ray, const struct box_ray *box, bool any,
                          struct hit *hit)
{
    if (levels_two(tree))
        return levels_leaf(walk, instance, leaf, scene, ray, box, any, hit);
    return tree_leaf(tree, leaf, walk, scene, ray, box, any, hit);
}
