// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "trees/kd16.h"
#include "trees/walk.h"
#include "trees/kd16_tree.h"
#include "geometry/parallel.h"

enum { CHUNK = 1024 };

struct validation {
    const struct tree *tree;
    const struct kd16_node *nodes;
    float pad;
    uint8_t *depth; // nodes down to this one; 0: not reached yet
    atomic_bool missed;
    struct error *error;
};

static bool damaged(const struct validation *validation, const char *what, uint64_t node)
{
    return error_set(validation->error, ERROR_INPUT, "the tree is damaged: %s (node %llu)", what,
                     (unsigned long long)node);
}

// Children have higher indices than their parents, so that a walk in index order meets every parent first and no cycle
// is possible.
static bool reach(struct validation *validation, uint32_t from, uint32_t to, uint32_t deeper)
{
    const uint32_t depth = validation->depth[from] + deeper;
    if (to >= validation->tree->node_count)
        return damaged(validation, "a child does not exist", from);
    if (to <= from)
        return damaged(validation, "a child stands before its parent", from);
    if (validation->depth[to] != 0)
        return damaged(validation, "two nodes share a child", from);
    if (depth + 2 >
        TREE_STACK) // beside a cell for each node above, the stack holds its own end and the rest of a chain
        return damaged(validation, "it is too deep", from);
    validation->depth[to] = (uint8_t)depth;
    return true;
}

// Of what leaves hold.
static uint64_t part_count(const struct tree *tree)
{
    return tree->fragments ? tree->fragment_count : tree->triangle_count;
}

static bool check_leaf(struct validation *validation, uint32_t index)
{
    const struct kd16_node *node = &validation->nodes[index];
    const struct tree *tree = validation->tree;
    const uint32_t count = kd16_leaf_count(node);
    if (node->first > tree->reference_count || count > tree->reference_count - node->first)
        return damaged(validation, "a leaf holds triangles that do not exist", index);
    for (uint32_t i = node->first; i < node->first + count; ++i)
        if (tree->references[i] >= part_count(tree))
            return damaged(validation, "a leaf holds triangles that do not exist", index);
    if (node->right == 0)
        return true;
    if (!reach(validation, index, node->right, 0))
        return false;
    const struct kd16_node *next = &validation->nodes[node->right];
    return (count > 0 && kd16_is_leaf(next) && kd16_leaf_count(next) > 0) ||
           damaged(validation, "a chain is broken", index);
}

static bool check_inner(struct validation *validation, uint32_t index)
{
    const struct kd16_node *node = &validation->nodes[index];
    if (node->head >> KD16_AXIS > 2)
        return damaged(validation, "a plane has no axis", index);
    if (!isfinite(node->split))
        return damaged(validation, "a plane is nowhere", index);
    return reach(validation, index, node->head & KD16_CHILD, 1) && reach(validation, index, node->right, 1);
}

static bool check_nodes(struct validation *validation)
{
    validation->depth[0] = 1;
    for (uint32_t i = 0; i < validation->tree->node_count; ++i) {
        if (validation->depth[i] == 0)
            return damaged(validation, "a node has no parent", i);
        if (!(kd16_is_leaf(&validation->nodes[i]) ? check_leaf : check_inner)(validation, i))
            return false;
    }
    return true;
}

// ---- every triangle in every cell that its box reaches into

static bool leaf_holds(const struct validation *validation, uint32_t leaf, uint32_t triangle)
{
    do {
        const struct kd16_node *node = &validation->nodes[leaf];
        const uint32_t *references = &validation->tree->references[node->first];
        for (uint32_t i = 0; i < kd16_leaf_count(node); ++i)
            if (references[i] == triangle)
                return true;
        leaf = node->right;
    } while (leaf != 0);
    return false;
}

static void part_box(const struct validation *validation, uint32_t part, struct vec3 *low, struct vec3 *high)
{
    const struct tree *tree = validation->tree;
    if (tree->fragments)
        fragment_box(&tree->fragments[part], tree->grid.span, low, high);
    else
        triangle_box(&tree->triangles[part], validation->pad, low, high);
}

static bool triangle_everywhere(const struct validation *validation, uint32_t triangle)
{
    struct vec3 low, high;
    uint32_t stack[TREE_STACK], depth = 0;
    part_box(validation, triangle, &low, &high);
    const float lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
    stack[depth++] = 0;
    while (depth > 0) {
        const uint32_t index = stack[--depth];
        const struct kd16_node *node = &validation->nodes[index];
        if (kd16_is_leaf(node)) {
            if (!leaf_holds(validation, index, triangle))
                return false;
            continue;
        }
        const uint32_t axis = node->head >> KD16_AXIS;
        const bool right = highs[axis] > node->split;
        if (!right || lows[axis] < node->split)
            stack[depth++] = node->head & KD16_CHILD;
        if (right)
            stack[depth++] = node->right;
    }
    return true;
}

static void check_chunk(void *context, uint32_t chunk)
{
    struct validation *validation = context;
    const uint64_t first = (uint64_t)chunk * CHUNK, count = part_count(validation->tree);
    for (uint64_t i = first; i < first + CHUNK && i < count && !atomic_load(&validation->missed); ++i)
        if (!triangle_everywhere(validation, (uint32_t)i))
            atomic_store(&validation->missed, true);
}

bool kd16_validate(const struct tree *tree, float pad, struct error *error)
{
    struct validation validation = {.tree = tree, .nodes = tree->nodes, .pad = pad, .error = error};
    if (tree->node_count == 0 || tree->node_count > KD16_NODES_MAX || tree->reference_count > KD16_REFERENCES_MAX)
        return error_set(error, ERROR_INPUT, "the tree is damaged: it has %llu nodes, %llu references",
                         (unsigned long long)tree->node_count, (unsigned long long)tree->reference_count);
    validation.depth = calloc(tree->node_count, 1);
    bool valid = validation.depth ? check_nodes(&validation)
                                  : error_set(error, ERROR_SYSTEM, "not enough memory to check a tree of %llu nodes",
                                              (unsigned long long)tree->node_count);
    free(validation.depth);
    if (valid) {
        parallel_for(0, (uint32_t)((part_count(tree) + CHUNK - 1) / CHUNK), check_chunk, &validation);
        valid =
            !atomic_load(&validation.missed) ||
            error_set(error, ERROR_INPUT, "the tree is damaged: a cell does not hold a triangle that reaches into it");
    }
    return valid;
}
