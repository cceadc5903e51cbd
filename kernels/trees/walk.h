// SPDX-License-Identifier: MIT
// What a lane keeps while it walks over a tree, whichever it is.
#pragma once

#include "trees/ray.h"

#define INSTANCE_NONE 0xFFFFFFFFu

enum { TREE_STACK = 64 }; // no tree is deeper than this leaves room for

// What the stack of a kd-tree holds of a child that is left for later: its index, its address, or its node.

// Entries of the stack's memory: a record takes three beside its own. Where the options are no constants there is room
// for the largest, of which the others touch none.
#ifdef CONFIG_kd_stack
#define KD_STACK(scene) CONFIG(scene, kd_stack)
#define STACK_ENTRIES                                                                                                  \
    (TREE_STACK * (CONFIG_kd_stack == KD_STACK_RECORD ? 4 : CONFIG_kd_stack == KD_STACK_ADDRESS ? 2 : 1))
#else
#define KD_STACK(scene) ((scene)->kd_stack)
#define STACK_ENTRIES (TREE_STACK * 4)
#endif

// Aligned, so that a GPU stores and loads both at once.
struct __attribute__((aligned(8))) pending_child {
    int32_t child;
    float entry; // where the ray enters its box; of a kd-tree see there
};

// The lane's walk over the tree: the current child (inner node or leaf). What is still to visit is on a stack beside
// it: in one struct with the stack, `current` and `depth` would be kept in memory by CUDA's compiler.
struct walk {
    int32_t current; // of wide4 a key; see walk_place
    uint32_t depth;  // of the stack
    // Of kd-trees alone:
    float entry, exit;              // of the ray in the current cell
    bool at_hand;                   // whether the node of `current` is in `record`
    struct pending_child record[3]; // off the stack
    // Of wide trees whose stack holds groups: the node whose children are visited now, and those that wait.
    int32_t group;
    uint32_t pending;
    // Of wide4 alone: the ray in terms of the grid; children of one node that are still to visit, as keys, unless these are on the
    // stack; and where the current child's and theirs stand.
    struct vec3 scale, near, far;
    uint32_t order[3];
    uint32_t keys[3], base, keys_base;
    // Of two levels alone: the instance that the walk is in, INSTANCE_NONE at the top, and the ray in its space (at the top
    // the box alone).
    uint32_t instance;
    struct ray ray;
    struct box_ray box;
#if COUNTING
    uint32_t top_steps, entered; // steps at the top; instances entered
    // Nodes loaded, and the sectors that they stand in; children left for later, and those of them visited then.
    uint32_t loads, sectors, left, taken;
    // Of kd-trees alone: moves from one node to the next, how far these are, and the node from which, plus 1.
    uint32_t hops, hop_octaves, hop_from;
#endif
};

#if COUNTING
#define walk_count_begin(walk)                                                                                         \
    ((walk)->loads = (walk)->sectors = (walk)->left = (walk)->taken = (walk)->hops = (walk)->hop_octaves =             \
         (walk)->hop_from = (walk)->top_steps = (walk)->entered = 0)
#define walk_count_top(walk) (++(walk)->top_steps)
#define walk_count_entered(walk) (++(walk)->entered)
#define walk_count_node(walk, place) ((walk)->sectors += (place) % PLACE_SECTORS + 1u)
#define walk_count_load(walk) (++(walk)->loads)
#define walk_count_left(walk) (++(walk)->left)
#define walk_count_taken(walk) (++(walk)->taken)
#else
#define walk_count_begin(walk) ((void)(walk))
#define walk_count_top(walk) ((void)(walk))
#define walk_count_entered(walk) ((void)(walk))
#define walk_count_node(walk, place) ((void)(walk), (void)(place))
#define walk_count_load(walk) ((void)(walk))
#define walk_count_left(walk) ((void)(walk))
#define walk_count_taken(walk) ((void)(walk))
#endif

#if COUNTING
// Goes to node `number`: from none, where it is the walk's first. The distance is counted in eighths of an octave, as
// the bits of a float have them: of the logarithm the whole part, and within an octave the share of the way.
DEVICE void walk_count_hop(struct walk *walk, uint32_t number)
{
    const uint32_t from = walk->hop_from - 1u, distance = number > from ? number - from : from - number;
    if (walk->hop_from != 0 && distance != 0) {
        ++walk->hops;
        walk->hop_octaves += (f32_bits((float)distance) >> 20) - (127u << 3);
    }
    walk->hop_from = number + 1u;
}
#endif

// As a leaf, it would have triangles beyond the most that a tree can hold. (Of wide4: WIDE4_DONE.)
#define WALK_DONE (-2147483647 - 1)

DEVICE void walk_put(struct walk *walk, struct pending_child stack[], int32_t child, float entry)
{
    stack[walk->depth].child = child;
    stack[walk->depth].entry = entry;
    ++walk->depth;
}

// Leaves a child for later.
DEVICE void walk_push(struct walk *walk, struct pending_child stack[], int32_t child, float entry)
{
    walk_put(walk, stack, child, entry);
    walk_count_left(walk);
}

// Where `bytes` bytes at `offset` stand, as sectors of 32 bytes: the first, times PLACE_SECTORS, and how many follow it, fewer than that.
DEVICE uint32_t tree_place(uint64_t offset, uint32_t bytes)
{
    const uint64_t first = offset / 32u, last = (offset + bytes - 1u) / 32u;
    return (uint32_t)(first * PLACE_SECTORS + (last - first));
}
