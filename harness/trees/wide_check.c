// SPDX-License-Identifier: MIT
#include <math.h>

#include "trees/traverse.h"
#include "trees/tree_readers.h"
#include "trees/wide_tree.h"
#include "trees/wide_write.h"

// Of a node that stands at a multiple of `unit`.
static bool set_branch(struct tree_branch *branch, int32_t child, uint32_t unit)
{
    branch->inner = child >= 0;
    branch->first = child >= 0 ? (uint32_t)child / unit : bvh_leaf_first(child);
    branch->count = child >= 0 ? 1 : bvh_leaf_count(child);
    return child < 0 || (uint32_t)child % unit == 0;
}

static bool wide_measure(struct tree_reading *reading)
{
    return tree_ordered_measure(reading) &&
           reading->nodes <= INT32_MAX / (wide_tree_node_bytes(&reading->settled) / 16);
}

static const char *wide_read(const struct tree_reading *reading, uint32_t index, struct tree_branches *branches)
{
    const uint32_t bytes = wide_tree_node_bytes(&reading->settled), slots = 2u << reading->settled.tree_width;
    const float *planes = (const float *)((const char *)reading->tree->nodes + (size_t)index * bytes);
    for (uint32_t s = 0; s < slots; ++s) {
        struct tree_branch *branch = &branches->of[branches->count];
        const int32_t child = (int32_t)f32_bits(planes[WIDE_CHILD_ROW * slots + s]);
        if (child == WIDE_EMPTY)
            continue;
        if (!set_branch(branch, child, bytes / 16))
            return "a child does not exist";
        for (uint32_t axis = 0; axis < 3; ++axis) {
            branch->low[axis] = (double)planes[2 * axis * slots + s];
            branch->high[axis] = (double)planes[(2 * axis + 1) * slots + s];
        }
        ++branches->count;
    }
    return NULL;
}

const struct tree_reader wide_reader = {
    .depth_most = TREE_STACK - 1,
    .measure = wide_measure,
    .read = wide_read,
    .part = tree_ordered_part,
    .box = tree_part_box,
};

// ---- compressed

// What the code of a child is computed from.
static const char *check_fields(const struct tree_reading *reading, const struct wide_compressed_node *node)
{
    for (uint32_t axis = 0; axis < 3; ++axis)
        if (node->exponent[axis] < WIDE_EXPONENT_LEAST || node->exponent[axis] > WIDE_EXPONENT_MOST)
            return "a grid is too fine or too coarse";
    for (uint32_t s = 0; s < WIDE_SLOTS; ++s)
        if ((node->inner >> s & 1) && node->leaf[s])
            return "a slot holds two children";
    if (node->nodes > reading->nodes)
        return "a child does not exist";
    return node->triangles <= reading->slots ? NULL : "a leaf holds triangles that do not exist";
}

// A plane to the nearest double, which is on the same side of a float as the plane, or that float.
static double plane_of(const struct wide_compressed_node *node, uint32_t axis, uint32_t steps)
{
    return (double)node->origin[axis] + ldexp(steps, node->exponent[axis] - 127);
}

static const char *wide_compressed_read(const struct tree_reading *reading, uint32_t index,
                                        struct tree_branches *branches)
{
    const struct wide_compressed_node *node = (const struct wide_compressed_node *)reading->tree->nodes + index;
    const char *wrong = check_fields(reading, node);
    for (uint32_t s = 0; !wrong && s < WIDE_SLOTS; ++s) {
        struct tree_branch *branch = &branches->of[branches->count];
        const int32_t child = wide_compressed_child(node, s);
        if (child == WIDE_EMPTY)
            continue;
        set_branch(branch, child, 1);
        for (uint32_t axis = 0; axis < 3; ++axis) {
            branch->low[axis] = plane_of(node, axis, node->low[axis][s]);
            branch->high[axis] = plane_of(node, axis, node->high[axis][s]);
        }
        ++branches->count;
    }
    return wrong;
}

const struct tree_reader wide_compressed_reader = {
    .depth_most = TREE_STACK - 1,
    .measure = wide_measure,
    .read = wide_compressed_read,
    .part = tree_ordered_part,
    .box = tree_part_box,
};
