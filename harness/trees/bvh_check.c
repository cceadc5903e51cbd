// SPDX-License-Identifier: MIT
#include "trees/traverse.h"
#include "trees/tree_readers.h"

static const char *bvh_read(const struct tree_reading *reading, uint32_t index, struct tree_branches *branches)
{
    const struct bvh_node *node = (const struct bvh_node *)reading->tree->nodes + index;
    for (int side = 0; side < 2; ++side) {
        const int32_t child = node->child[side];
        if (child < 0 && bvh_leaf_count(child) == 0)
            continue;
        branches->of[branches->count++] = (struct tree_branch){
            .inner = child >= 0,
            .first = child >= 0 ? (uint32_t)child : bvh_leaf_first(child),
            .count = child >= 0 ? 1 : bvh_leaf_count(child),
            .low = {(double)node->x[side], (double)node->y[side], (double)node->z[side]},
            .high = {(double)node->x[side + 2], (double)node->y[side + 2], (double)node->z[side + 2]},
        };
    }
    return NULL;
}

const struct tree_reader bvh_reader = {
    .depth_most = TREE_STACK - 1,
    .measure = tree_ordered_measure,
    .read = bvh_read,
    .part = tree_ordered_part,
    .box = tree_part_box,
};
