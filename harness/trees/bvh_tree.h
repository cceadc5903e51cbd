// SPDX-License-Identifier: MIT
// The tree while it is being built: one triangle a leaf, both children of a node side by side. Private to bvh_*.c.
#pragma once

#include "base/error.h"
#include "geometry/types.h"

#include "trees/walk.h"

struct bvh;
struct bvh_options;
struct tree_input;

// Children of node i are i's `child` and `child + 1`; child < 0: leaf of triangle ~child. Node 0 is the root. The inner
// node whose children stand at 2k + 1 and 2k + 2 is the one that the pair k belongs to.
struct tree_node {
    float low[3];
    int32_t child;
    float high[3];
    uint32_t parent; // undefined for the root
};

struct bvh_tree {
    struct tree_node *nodes; // 2 * triangle_count - 1
    uint32_t node_count, triangle_count, threads;
};

enum { TREE_DEPTH_MAX = TREE_STACK - 1 };

// All but `threads` of `tree` is set; at least one of what the input has, for which `triangle` stands here. Free tree->nodes with free().
bool bvh_tree_build(struct bvh_tree *tree, const struct tree_input *input, const struct bvh_options *options,
                    struct error *error);

// Moves subtrees to where they cost less (Bittner, Hapala and Havran 2013; Meister and Bittner 2018). May deepen the
// tree.
bool tree_reinsert(struct bvh_tree *tree, struct error *error);

// Merges subtrees into leaves of at most `leaf_size` triangles where that is cheaper, and writes the tree in its final
// form, depth first. bvh->depth may come out too large: the caller looks.
bool tree_emit(const struct bvh_tree *tree, uint32_t leaf_size, struct bvh *bvh, struct error *error);

// The tree of no triangles: a root with two empty leaves.
bool tree_emit_empty(struct bvh *bvh, struct error *error);

// Half the surface area of a box.
static inline float tree_half_area(const float low[3], const float high[3])
{
    const float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x * y + y * z + z * x;
}

static inline float tree_node_area(const struct tree_node *node)
{
    return tree_half_area(node->low, node->high);
}

static inline void tree_box_add(float low[3], float high[3], const float other_low[3], const float other_high[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the analyser loses the bins' loop
        low[axis] = other_low[axis] < low[axis] ? other_low[axis] : low[axis];
        high[axis] = other_high[axis] > high[axis] ? other_high[axis] : high[axis];
    }
}
