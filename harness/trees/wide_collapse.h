// SPDX-License-Identifier: MIT
// Collapse of a binary tree to a wide one of least expected cost by the surface-area heuristic, by dynamic programming
// (Ylitie, Karras and Laine 2017, section 3.1; the CMU report, "Binary BVH to Wide BVH Conversion").
//
// With A the area of node n over the root's, P its triangles, W the width and L the most triangles of a leaf:
//   leaf(n)    = A P c_triangle where P <= L, else infinite
//   dist(n, j) = least over 0 < k < j of C(left, k) + C(right, j - k)    n replaced by j subtrees at most
//   C(n, 1)    = min(leaf(n), dist(n, W) + A c_node)
//   C(n, i)    = min(dist(n, i), C(n, i - 1)) for i = 2 .. W - 1
// A single triangle has C = leaf for all i. The wide tree costs C(root, 1), or as an inner node where the root has to be
// one.
#pragma once

#include <stdint.h>

#include "base/error.h"

struct bvh_tree;

enum { WIDE_MOST = 8 }; // children of a node

struct wide_options {
    uint32_t width;                 // 2 .. WIDE_MOST
    uint32_t leaf_size;             // at least 1: most triangles in a leaf
    float node_cost, triangle_cost; // of a step and of a triangle test, in any one unit, not negative
};

// What becomes of each node of the binary tree.
struct wide_collapse {
    uint32_t *sizes; // triangles below
    bool *leaf;      // as a child it is a leaf: also where it is within one, or dissolved into its parent
    uint8_t *splits; // private
    uint32_t width;
    double cost; // C(root, 1), in units of the options
};

// `tree`: one triangle a leaf, in any order of nodes. Deterministic: of equal choices the first is taken, in the order of
// the formulas. Fails only without memory. For wide_collapse_finish, also on failure.
bool wide_collapse(const struct bvh_tree *tree, const struct wide_options *options, struct wide_collapse *collapse,
                   struct error *error);
void wide_collapse_finish(struct wide_collapse *collapse);

// Children of the wide node that binary node `node`, no triangle, becomes: binary nodes, in the order of the binary tree.
// Returns how many, 2 .. width.
uint32_t wide_children(const struct wide_collapse *collapse, const struct bvh_tree *tree, uint32_t node,
                       uint32_t children[WIDE_MOST]);

// The triangles below `node`, in the order of the binary tree: sizes[node] of them.
void wide_triangles(const struct bvh_tree *tree, uint32_t node, uint32_t *triangles);
