// SPDX-License-Identifier: MIT
// The form of the tree wide4 for scenes whose detail is too fine for the grid: nodes of 128 bytes, the ends of whose boxes
// are floats. Records, groups and keys are those of wide4. Entry and exit are those of box_interval, bit for bit.
#pragma once

#include "trees/box.h"
#include "trees/wide4.h"

// Child c's box on axis a: low[a][c] to high[a][c]; `form` is WIDE4_FLOATS, all else that of wide4_node.
struct __attribute__((aligned(16))) wide4_float_node {
    float low[3][4];
    uint32_t base, children, form, unused;
    float high[3][4];
    uint32_t gap[4];
};

enum { WIDE4_FLOAT_PIECES = 8 };

#define WIDE4_FLOAT_MOST 3.402823466e+38f

// The box of an empty child, both ends on an axis: a point which no ray meets, since it would have to be very far along two axes at
// once. (With its ends swapped an empty box would be met by every ray, whose signs do not choose between them.)
DEVICE float wide4_float_empty(int axis)
{
    return axis == 0 ? WIDE4_FLOAT_MOST : axis == 1 ? -WIDE4_FLOAT_MOST : 0.0f;
}

// Whether the nodes of a tree wide4 are of this form; `nodes` are scene_view.nodes.
DEVICE bool wide4_has_floats(const void *nodes)
{
    return ((const struct wide4_node *)nodes)->form == (uint32_t)WIDE4_FLOATS;
}

// In the walk, `scale` is the inverse and `near` the shift of box_ray.
DEVICE void wide4_float_begin(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                              const struct box_ray *box, float t_best)
{
    (void)scene;
    (void)t_best;
    walk->scale = box->inverse;
    walk->near = box->shift;
    wide4_begin_root(walk, stack);
}

// `low` and `high` are child c's ends on the axes, each 4 floats after the other. An entry before the ray's origin is 0, as in box_test,
// so that a box behind the ray, whose exit is negative, is not met.
DEVICE uint32_t wide4_float_key(const struct walk *walk, const float *low, const float *high, uint32_t children,
                                uint32_t child)
{
    const struct vec3 inverse = walk->scale, shift = walk->near;
    const int32_t x0 = plane_order(low[0], inverse.x, shift.x), x1 = plane_order(high[0], inverse.x, shift.x);
    const int32_t y0 = plane_order(low[4], inverse.y, shift.y), y1 = plane_order(high[4], inverse.y, shift.y);
    const int32_t z0 = plane_order(low[8], inverse.z, shift.z), z1 = plane_order(high[8], inverse.z, shift.z);
    const int32_t near =
        maximum_s32(maximum_s32(maximum_s32(minimum_s32(x0, x1), minimum_s32(y0, y1)), minimum_s32(z0, z1)), 0);
    const int32_t far = minimum_s32(minimum_s32(maximum_s32(x0, x1), maximum_s32(y0, y1)), maximum_s32(z0, z1));
    return wide4_key_of(near, far, children, child);
}

// Child by child, on a GPU in a loop: with all 24 ends in registers at once this walk, which few scenes want, would cost the
// kernels that have it 10 registers.
DEVICE void wide4_float_keys(const struct walk *walk, const struct scene_view *scene, uint32_t keys[4], uint32_t *base)
{
    const struct float4 *const from = (const struct float4 *)scene->nodes + wide4_current(walk);
    const struct uint2 rest = TREE_LOAD((const struct uint2 *)(from + 3)); // site: inner
    const float *const ends = (const float *)from;
    ROLLED
    for (uint32_t c = 0; c < 4; ++c) {
        const uint32_t key = wide4_float_key(walk, ends + c, ends + 16 + c, rest.y, c);
        keys[0] = keys[1];
        keys[1] = keys[2];
        keys[2] = keys[3];
        keys[3] = key;
    }
    *base = rest.x;
}

DEVICE_ONCE void wide4_float_step(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                                  const struct box_ray *box, float t_best, bool far_first)
{
    uint32_t keys[4] = {WIDE4_NONE, WIDE4_NONE, WIDE4_NONE, WIDE4_NONE};
    uint32_t base;
    (void)box;
    walk_count_load(walk);
    wide4_float_keys(walk, scene, keys, &base);
    wide4_visit(walk, stack, scene, keys, base, t_best, far_first);
}

DEVICE uint32_t wide4_float_place(int32_t node, const struct scene_view *scene)
{
    (void)scene;
    return tree_place((uint64_t)(uint32_t)node * WIDE4_PIECE, sizeof(struct wide4_float_node));
}

// Fragments are on the grid, and want no such nodes.
DEVICE uint32_t wide4_float_leaf(int32_t leaf, const struct walk *walk, const struct scene_view *scene,
                                 const struct ray *ray, const struct box_ray *box, bool any, struct hit *hit)
{
    return wide4_leaf_of(leaf, walk, scene, false, ray, box, any, hit);
}

#define wide4_float_pop wide4_pop
#define wide4_float_triangle wide4_triangle
#define wide4_float_list wide4_list
#define wide4_float_triangles wide4_triangles
