// SPDX-License-Identifier: MIT
// The node of 16 bytes in which every kd-tree is built and kept in files (chapter on a kd-tree of 2015, 4.1). The other
// layouts of a kd-tree are arranged from it (trees/kd_layouts.h).
#pragma once

#include "trees/ray.h"

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
