// SPDX-License-Identifier: MIT
// How the check of a tree that came from a file (tree_validate) reads each kind. The functions see nodes whose contents may be
// anything, but whose numbers are in range.
#pragma once

#include "trees/tree_input.h"

enum { TREE_BRANCHES = 8 };

// What a node leads to.
struct tree_branch {
    bool inner;
    uint32_t first, count;  // inner: the number of a node, and 1; a leaf: slots of what it holds
    double low[3], high[3]; // its box
};

struct tree_branches {
    uint32_t count;
    bool chained; // branches to nodes lead to no deeper level
    struct tree_branch of[TREE_BRANCHES];
};

struct tree_reading {
    const struct tree *tree;
    struct scene_tree_options settled;
    struct tree_input input; // what the tree should hold
    uint64_t nodes, slots;   // numbers of branches are below these
};

struct tree_reader {
    uint32_t depth_most; // the root is at depth 1
    bool repeats;        // several leaves may hold the same triangle or fragment
    bool gaps;           // there are numbers of nodes without a node
    // Sets `nodes` and `slots`; false where the tree cannot be one.
    bool (*measure)(struct tree_reading *reading);
    // NULL, or what is wrong with the node. Whatever a walk does with a node's numbers before it has read the next node must be
    // in order.
    const char *(*read)(const struct tree_reading *reading, uint32_t node, struct tree_branches *branches);
    // The triangle or fragment in a slot; input.count where it is none of the scene's.
    uint32_t (*part)(const struct tree_reading *reading, uint32_t slot);
    // What the boxes above a triangle or fragment must enclose; NULL where nodes have no boxes.
    void (*box)(const struct tree_reading *reading, uint32_t part, float low[3], float high[3]);
    // Whether each triangle or fragment is in all leaves it should be in; NULL where one leaf is enough.
    bool (*everywhere)(const struct tree_reading *reading);
};

// Of trees that keep the triangles in an order of their own: checks that there are as many as there should be.
bool tree_ordered_measure(struct tree_reading *reading);
uint32_t tree_ordered_part(const struct tree_reading *reading, uint32_t slot);
// In the scene's coordinates, or those of fragments.
void tree_part_box(const struct tree_reading *reading, uint32_t part, float low[3], float high[3]);
