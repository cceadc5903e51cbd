// SPDX-License-Identifier: MIT
// What a lane keeps while it walks over a tree, whichever it is.
#pragma once

#include "lib/platform.h"

enum { TREE_STACK = 64 }; // no tree is deeper than this leaves room for

// Aligned, so that a GPU stores and loads both at once.
struct __attribute__((aligned(8))) pending_child {
    int32_t child;
    float entry; // where the ray enters its box; of kd16 see there
};

// The lane's walk over the tree: the current child (inner node or leaf). What is still to visit is on a stack beside
// it: in one struct with the stack, `current` and `depth` would be kept in memory by CUDA's compiler.
struct walk {
    int32_t current;
    uint32_t depth;    // of the stack
    float entry, exit; // of the ray in the current cell; kept by kd16 alone
};

#define WALK_DONE (-2147483647 - 1) // as a leaf, its first triangle would be beyond the most that a tree can hold

DEVICE void walk_push(struct walk *walk, struct pending_child stack[TREE_STACK], int32_t child, float entry)
{
    stack[walk->depth].child = child;
    stack[walk->depth].entry = entry;
    ++walk->depth;
}

DEVICE bool walk_at_inner(const struct walk *walk)
{
    return walk->current >= 0;
}

DEVICE bool walk_at_leaf(const struct walk *walk)
{
    return walk->current < 0 && walk->current != WALK_DONE;
}

// The line of 128 bytes that node `node` of so many bytes is in.
DEVICE uint32_t tree_line(int32_t node, uint32_t bytes)
{
    return (uint32_t)((uint64_t)(uint32_t)node * bytes / 128u);
}
