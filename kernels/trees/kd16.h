// SPDX-License-Identifier: MIT
// The kd-tree of 16-byte nodes (variants.md, KD-16), and one step of a walk over it.
//
// A triangle stands in every cell that its widened box reaches into, and the t of a plane is computed like that of a
// box: by the same fmaf, which is monotone. So where a hit's t lies before the plane's, the triangle's box reaches to
// the near side, where it lies behind, to the far side, and where they are equal both sides are visited. A walk that
// keeps both ends of its intervals therefore comes to a cell that holds the closest hit, with no epsilon, and finds
// what the binary tree finds, bit for bit.
#pragma once

#include "trees/triangle.h"
#include "trees/walk.h"

// head: axis << 30 | triangles << 25 | is a leaf << 24 | left child. Node 0 is the root, children after their parent. A
// leaf may go on in another one, for what no plane separates: such a chain fills one cell.
struct __attribute__((aligned(16))) kd16_node {
    uint32_t head;
    float split;    // of an inner node: position of the plane
    uint32_t right; // the right child; of a leaf: the next leaf of its chain, 0 where it is the last
    uint32_t first; // of a leaf: where its triangles stand in scene_view.references
};

enum {
    KD16_AXIS = 30,
    KD16_COUNT = 25,
    KD16_COUNT_BITS = 5,
    KD16_LEAF_MAX = (1 << KD16_COUNT_BITS) - 1,
    KD16_IS_LEAF = 1 << 24,
    KD16_CHILD = (1 << 24) - 1,
    KD16_NODES_MAX = 1 << 24,
    KD16_REFERENCES_MAX = 1 << 26 // of the walk's leaf codes
};

DEVICE uint32_t kd16_leaf_count(const struct kd16_node *node)
{
    return node->head >> KD16_COUNT & (uint32_t)KD16_LEAF_MAX;
}

DEVICE bool kd16_is_leaf(const struct kd16_node *node)
{
    return (node->head & (uint32_t)KD16_IS_LEAF) != 0;
}

// A leaf as the current child of a walk.
DEVICE int32_t kd16_code(const struct kd16_node *node)
{
    return (int32_t) ~(node->first << KD16_COUNT_BITS | kd16_leaf_count(node));
}

DEVICE uint32_t kd16_code_first(int32_t leaf)
{
    return ~(uint32_t)leaf >> KD16_COUNT_BITS;
}

DEVICE uint32_t kd16_code_count(int32_t leaf)
{
    return ~(uint32_t)leaf & (uint32_t)KD16_LEAF_MAX;
}

#ifdef __CUDACC__
DEVICE const struct kd16_node *kd16_fetch(const struct kd16_node *place, struct kd16_node *copy)
{
    const uint4 word = __ldg((const uint4 *)place); // site: inner
    copy->head = word.x;
    copy->split = __uint_as_float(word.y);
    copy->right = word.z;
    copy->first = word.w;
    return copy;
}

DEVICE uint32_t kd16_reference(const struct scene_view *scene, uint32_t place)
{
    return __ldg(&scene->references[place]);
}
#else
DEVICE const struct kd16_node *kd16_fetch(const struct kd16_node *place, struct kd16_node *copy)
{
    (void)copy;
    return place;
}

DEVICE uint32_t kd16_reference(const struct scene_view *scene, uint32_t place)
{
    return scene->references[place];
}
#endif

// Cells are visited in the order in which the ray meets them, so that each begins where the one before ended: the stack
// keeps the other end alone, `entry` being the exit of the cell unless the farther cells are visited first.
DEVICE void kd16_pop(struct walk *walk, const struct pending_child stack[TREE_STACK], float t_best, bool far_first)
{
    if (!far_first && walk->exit > t_best) { // so do all others lie
        walk->current = WALK_DONE;
        return;
    }
    do {
        --walk->depth;
        const struct pending_child top = stack[walk->depth];
        if (far_first) {
            walk->exit = walk->entry;
            walk->entry = top.entry;
        } else {
            walk->entry = walk->exit;
            walk->exit = top.entry;
        }
        walk->current = top.child;
    } while (walk->entry > t_best && walk->current != WALK_DONE);
}

// A tree of kd16 is entered where the ray meets the box of all its triangles.
DEVICE void kd16_begin(struct walk *walk, struct pending_child stack[TREE_STACK], const struct scene_view *scene,
                       const struct box_ray *box, float t_best)
{
    box_interval(box, scene->tree_low, scene->tree_high, &walk->entry, &walk->exit);
    walk->depth = 0;
    walk_push(walk, stack, WALK_DONE, 0.0f);
    walk->current = walk->entry <= walk->exit && walk->entry <= t_best ? 0 : WALK_DONE;
}

// At a leaf: what is to be tested becomes the current child, and the rest of its chain waits as a cell of the same ends.
DEVICE void kd16_enter_leaf(struct walk *walk, struct pending_child stack[TREE_STACK], const struct kd16_node *node,
                            float t_best, bool far_first)
{
    if (kd16_leaf_count(node) == 0) {
        kd16_pop(walk, stack, t_best, far_first);
        return;
    }
    walk->current = kd16_code(node);
    if (node->right == 0)
        return;
    walk_push(walk, stack, (int32_t)node->right, far_first ? walk->entry : walk->exit);
    if (far_first)
        walk->entry = walk->exit;
    else
        walk->exit = walk->entry;
}

// One step: looks at the node, which may turn out to be a leaf; at an inner one goes to the child that the ray meets,
// or to the nearer and leaves the other for later.
DEVICE void kd16_step(struct walk *walk, struct pending_child stack[TREE_STACK], const struct scene_view *scene,
                      const struct box_ray *box, float t_best, bool far_first)
{
    struct kd16_node copy;
    const struct kd16_node *node = kd16_fetch((const struct kd16_node *)scene->nodes + walk->current, &copy);
    if (kd16_is_leaf(node)) {
        kd16_enter_leaf(walk, stack, node, t_best, far_first);
        return;
    }
    const uint32_t axis = node->head >> KD16_AXIS;
    const float inverse = axis == 0 ? box->inverse.x : axis == 1 ? box->inverse.y : box->inverse.z;
    const float shift = axis == 0 ? box->shift.x : axis == 1 ? box->shift.y : box->shift.z;
    const float t = fmaf(node->split, inverse, shift);
    const uint32_t left = node->head & (uint32_t)KD16_CHILD, right = node->right;
    const uint32_t swapped = (left ^ right) & (0u - (f32_bits(inverse) >> 31)); // where the ray runs down the axis
    const int32_t near = (int32_t)(left ^ swapped), far = (int32_t)(right ^ swapped);
    if (t < walk->entry) {
        walk->current = far;
    } else if (t > minimum_f32(walk->exit, t_best)) {
        walk->current = near;
    } else if (far_first) {
        walk_push(walk, stack, near, walk->entry);
        walk->current = far;
        walk->entry = t;
    } else {
        walk_push(walk, stack, far, walk->exit);
        walk->current = near;
        walk->exit = t;
    }
}

DEVICE uint32_t kd16_leaf(int32_t leaf, const struct scene_view *scene, const struct ray *ray,
                          const struct box_ray *box, bool any, struct hit *hit)
{
    const uint32_t first = kd16_code_first(leaf), count = kd16_code_count(leaf);
    for (uint32_t i = 0; i < count; ++i) {
        triangle_test(scene, kd16_reference(scene, first + i), false, ray, box, hit);
        if (any && hit->slot != HIT_NONE)
            return i + 1;
    }
    return count;
}

DEVICE uint32_t kd16_line(int32_t node)
{
    return tree_line(node, sizeof(struct kd16_node));
}
