// SPDX-License-Identifier: MIT
#include <math.h>

#include "trees/kd16.h"
#include "trees/tree_readers.h"
#include "trees/walk.h"

static bool kd16_measure(struct tree_reading *reading)
{
    reading->nodes = reading->tree->node_count;
    reading->slots = reading->tree->reference_count;
    return reading->nodes <= KD16_NODES_MAX && reading->slots <= KD16_REFERENCES_MAX;
}

static void add_branch(struct tree_branches *branches, bool inner, uint32_t first, uint32_t count)
{
    branches->of[branches->count++] = (struct tree_branch){.inner = inner, .first = first, .count = count};
}

static const char *kd16_read(const struct tree_reading *reading, uint32_t index, struct tree_branches *branches)
{
    const struct kd16_node *nodes = reading->tree->nodes, *node = &nodes[index];
    if (!kd16_is_leaf(node)) {
        add_branch(branches, true, node->head & KD16_CHILD, 1);
        add_branch(branches, true, node->right, 1);
        return node->head >> KD16_AXIS > 2 ? "a plane has no axis"
               : isfinite(node->split)     ? NULL
                                           : "a plane is nowhere";
    }
    const uint32_t count = kd16_leaf_count(node), next = node->right;
    branches->chained = true;
    add_branch(branches, false, node->first, count);
    if (next == 0)
        return NULL;
    add_branch(branches, true, next, 1);
    return count > 0 && next < reading->nodes && kd16_is_leaf(&nodes[next]) && kd16_leaf_count(&nodes[next]) > 0
               ? NULL
               : "a chain is broken";
}

static uint32_t kd16_part(const struct tree_reading *reading, uint32_t slot)
{
    return reading->tree->references[slot];
}

// ---- every triangle in every cell that its box reaches into

static bool cell_holds(const struct tree *tree, uint32_t leaf, uint32_t part)
{
    do {
        const struct kd16_node *node = (const struct kd16_node *)tree->nodes + leaf;
        for (uint32_t i = 0; i < kd16_leaf_count(node); ++i)
            if (tree->references[node->first + i] == part)
                return true;
        leaf = node->right;
    } while (leaf != 0);
    return false;
}

static bool part_everywhere(const struct tree_reading *reading, uint32_t part)
{
    const struct kd16_node *nodes = reading->tree->nodes;
    float low[3], high[3];
    uint32_t stack[TREE_STACK], waiting = 0;
    tree_part_box(reading, part, low, high);
    stack[waiting++] = 0;
    while (waiting > 0) {
        const uint32_t index = stack[--waiting];
        const struct kd16_node *node = &nodes[index];
        if (kd16_is_leaf(node)) {
            if (!cell_holds(reading->tree, index, part))
                return false;
            continue;
        }
        const uint32_t axis = node->head >> KD16_AXIS;
        const bool right = high[axis] > node->split;
        if (!right || low[axis] < node->split)
            stack[waiting++] = node->head & KD16_CHILD;
        if (right)
            stack[waiting++] = node->right;
    }
    return true;
}

static bool kd16_everywhere(const struct tree_reading *reading)
{
    for (uint32_t i = 0; i < reading->input.count; ++i)
        if (!part_everywhere(reading, i))
            return false;
    return true;
}

// Beside a cell for each node above, a walk's stack holds its own end and the rest of a chain.
const struct tree_reader kd16_reader = {
    .depth_most = TREE_STACK - 2,
    .repeats = true,
    .measure = kd16_measure,
    .read = kd16_read,
    .part = kd16_part,
    .everywhere = kd16_everywhere,
};
