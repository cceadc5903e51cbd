// SPDX-License-Identifier: MIT
// The compressed wide tree: nodes of 80 bytes with up to 8 children, whose boxes have 8 bits a plane on a grid of the
// node's own (after Ylitie, Karras and Laine 2017, section 3.1), walked as wide.h says.
//
// A plane is origin + q 2^e, beyond that of the child's true box. Its t is computed with the roundings directed away from
// the box: so it encloses the t that any enclosed box has by ray.h, and the rules there hold with no epsilon. With
// A = inverse 2^e, which is exact,
//   near = fma(q, A, fma(origin, inverse, shift)) rounded down, far the same rounded up.
#pragma once

#include "trees/wide.h"

// Children stand together: the inner ones from `nodes` on in the order of their slots, in units of nodes of 80 bytes; the
// leaves' triangles from `triangles` on.
struct __attribute__((aligned(16))) wide_compressed_node {
    float origin[3];
    uint8_t exponent[3]; // 2^(exponent - 127)
    uint8_t inner;       // mask of the slots that hold inner nodes
    uint32_t nodes, triangles;
    // Of a leaf: its triangles in the bits from WIDE_COMPRESSED_COUNT on, 1 to 3, and where they begin behind
    // `triangles`; 0 of others, and of empty slots.
    uint8_t leaf[WIDE_SLOTS];
    uint8_t low[3][WIDE_SLOTS], high[3][WIDE_SLOTS];
};

enum {
    WIDE_COMPRESSED_COUNT = 5,
    WIDE_COMPRESSED_LEAF = 3, // most triangles of a leaf
    WIDE_COMPRESSED_PIECES = sizeof(struct wide_compressed_node) / 16
};

DEVICE const struct wide_compressed_node *wide_compressed_fetch(const void *nodes, int32_t node,
                                                                struct wide_compressed_node *copy)
{
    if (READ_IN_PLACE)
        return (const struct wide_compressed_node *)nodes + node;
    const struct uint4 *const from =
        (const struct uint4 *)nodes + (uint64_t)(uint32_t)node * (uint32_t)WIDE_COMPRESSED_PIECES;
    struct uint4 *const to = (struct uint4 *)copy;
    to[0] = TREE_LOAD(from); // site: inner
    to[1] = TREE_LOAD(from + 1);
    to[2] = TREE_LOAD(from + 2);
    to[3] = TREE_LOAD(from + 3);
    to[4] = TREE_LOAD(from + 4);
    return copy;
}

// What stands in slot s.
DEVICE int32_t wide_compressed_child(const struct wide_compressed_node *node, uint32_t s)
{
    const uint32_t leaf = node->leaf[s];
    if ((uint32_t)node->inner >> s & 1u)
        return (int32_t)(node->nodes + (uint32_t)lanemask_count((uint32_t)node->inner & ((1u << s) - 1u)));
    return leaf ? bvh_leaf_make(node->triangles + (leaf & 31u), leaf >> WIDE_COMPRESSED_COUNT) : WIDE_EMPTY;
}

// One axis of a node as the ray meets its grid.
struct grid_axis {
    float step, near, far; // t of one cell, and of the origin, rounded down and up
    bool reversed;         // the ray runs down the axis
};

DEVICE struct grid_axis grid_axis_make(float origin, uint32_t exponent, float inverse, float shift)
{
    struct grid_axis axis;
    axis.step = inverse * f32_from_bits(exponent << 23);
    axis.near = fmaf_down(origin, inverse, shift);
    axis.far = fmaf_up(origin, inverse, shift);
    axis.reversed = f32_bits(inverse) >> 31 != 0u;
    return axis;
}

DEVICE float grid_near(const struct grid_axis *axis, uint32_t low, uint32_t high)
{
    return fmaf_down((float)(axis->reversed ? high : low), axis->step, axis->near);
}

DEVICE float grid_far(const struct grid_axis *axis, uint32_t low, uint32_t high)
{
    return fmaf_up((float)(axis->reversed ? low : high), axis->step, axis->far);
}

DEVICE void wide_compressed_test(const struct wide_compressed_node *node, const struct box_ray *box, float t_best,
                                 struct wide_met *met)
{
    const struct grid_axis x = grid_axis_make(node->origin[0], node->exponent[0], box->inverse.x, box->shift.x);
    const struct grid_axis y = grid_axis_make(node->origin[1], node->exponent[1], box->inverse.y, box->shift.y);
    const struct grid_axis z = grid_axis_make(node->origin[2], node->exponent[2], box->inverse.z, box->shift.z);
    met->slots = 0;
    for (uint32_t s = 0; s < (uint32_t)WIDE_SLOTS; ++s) {
        const float near_x = grid_near(&x, node->low[0][s], node->high[0][s]);
        const float near_y = grid_near(&y, node->low[1][s], node->high[1][s]);
        const float near_z = grid_near(&z, node->low[2][s], node->high[2][s]);
        const float far_x = grid_far(&x, node->low[0][s], node->high[0][s]);
        const float far_y = grid_far(&y, node->low[1][s], node->high[1][s]);
        const float far_z = grid_far(&z, node->low[2][s], node->high[2][s]);
        const float near = maximum_f32(maximum_f32(near_x, near_y), maximum_f32(near_z, 0.0f));
        met->child[s] = wide_compressed_child(node, s);
        met->entry[s] = near;
        if (near <= minimum_f32(minimum_f32(far_x, far_y), minimum_f32(far_z, t_best)) && met->child[s] != WIDE_EMPTY)
            met->slots |= 1u << s;
    }
}

#define wide_compressed_begin wide_plain_begin

DEVICE void wide_compressed_pop(struct walk *walk, const struct pending_child stack[], const struct scene_view *scene,
                                float t_best, bool far_first)
{
    uint32_t slot = 0;
    if (WIDE_STACK_OF(scene) == TREE_STACK_CHILDREN) {
        binary_pop(walk, stack, scene, t_best, far_first);
        return;
    }
    walk->current = WALK_DONE;
    if (wide_next_slot(walk, stack, &slot))
        walk->current = wide_compressed_child((const struct wide_compressed_node *)scene->nodes + walk->group, slot);
}

DEVICE_ONCE void wide_compressed_step(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                                      const struct box_ray *box, float t_best, bool far_first)
{
    struct wide_compressed_node copy;
    struct wide_met met;
    walk_count_load(walk);
    wide_compressed_test(wide_compressed_fetch(scene->nodes, walk->current, &copy), box, t_best, &met);
    wide_leave(walk, stack, scene, box, &met, (uint32_t)WIDE_SLOTS, 0, far_first);
    wide_compressed_pop(walk, stack, scene, t_best, far_first);
}

#define wide_compressed_leaf wide_plain_leaf

#define wide_compressed_list binary_list
#define wide_compressed_triangle binary_triangle
#define wide_compressed_triangles binary_triangles

DEVICE uint32_t wide_compressed_place(int32_t node, const struct scene_view *scene)
{
    (void)scene;
    return tree_place((uint64_t)(uint32_t)node * sizeof(struct wide_compressed_node),
                      (uint32_t)sizeof(struct wide_compressed_node));
}
