// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "trees/traverse.h"
#include "trees/bvh.h"
#include "trees/tree.h"

struct validation {
    const struct bvh_node *nodes;
    const struct tree *tree; // triangles, and fragments where there are any
    uint32_t node_count, triangle_count;
    float pad;
    uint8_t *node_depth; // 0: not reached yet
    bool *slot_seen;
    struct error *error;
};

struct bounds {
    struct vec3 low, high;
};

static struct bounds child_box(const struct bvh_node *node, uint32_t side)
{
    struct bounds box;
    box.low = vec3_make(node->x[side], node->y[side], node->z[side]);
    box.high = vec3_make(node->x[side + 2], node->y[side + 2], node->z[side + 2]);
    return box;
}

// False where anything is NaN.
static bool contains(const struct bounds *outer, const struct bounds *inner)
{
    return outer->low.x <= inner->low.x && outer->low.y <= inner->low.y && outer->low.z <= inner->low.z &&
           outer->high.x >= inner->high.x && outer->high.y >= inner->high.y && outer->high.z >= inner->high.z;
}

static bool damaged(const struct validation *validation, const char *what, uint32_t node)
{
    return error_set(validation->error, ERROR_INPUT, "the tree is damaged: %s (node %u)", what, node);
}

static void slot_box(const struct validation *validation, uint32_t slot, struct bounds *box)
{
    const struct tree *tree = validation->tree;
    if (tree->fragments)
        fragment_box(&tree->fragments[tree->references[slot]], tree->grid.span, &box->low, &box->high);
    else
        triangle_box(&tree->triangles[slot], validation->pad, &box->low, &box->high);
}

static bool check_leaf(struct validation *validation, uint32_t index, uint32_t side)
{
    const int32_t leaf = validation->nodes[index].child[side];
    const uint32_t first = bvh_leaf_first(leaf), count = bvh_leaf_count(leaf);
    const struct bounds box = child_box(&validation->nodes[index], side);
    if (first > validation->triangle_count || count > validation->triangle_count - first)
        return damaged(validation, "a leaf holds triangles that do not exist", index);
    for (uint32_t slot = first; slot < first + count; ++slot) {
        struct bounds own;
        slot_box(validation, slot, &own);
        if (validation->slot_seen[slot])
            return damaged(validation, "two leaves hold one triangle", index);
        validation->slot_seen[slot] = true;
        if (!contains(&box, &own))
            return damaged(validation, "a triangle reaches out of its leaf", index);
    }
    return true;
}

// Children have higher indices than their parents, so that a walk in index order meets every parent first and no cycle
// is possible.
static bool check_inner(struct validation *validation, uint32_t index, uint32_t side)
{
    const uint32_t child = (uint32_t)validation->nodes[index].child[side];
    const struct bounds box = child_box(&validation->nodes[index], side);
    if (child >= validation->node_count)
        return damaged(validation, "a child does not exist", index);
    if (child <= index)
        return damaged(validation, "a child stands before its parent", index);
    if (validation->node_depth[child] != 0)
        return damaged(validation, "two nodes share a child", index);
    // node_depth counts the nodes down to this one; one more edge leads to its children.
    if (validation->node_depth[index] + 1 >= TREE_STACK)
        return damaged(validation, "it is too deep", index);
    validation->node_depth[child] = (uint8_t)(validation->node_depth[index] + 1);
    for (uint32_t i = 0; i < 2; ++i) {
        const struct bvh_node *below = &validation->nodes[child];
        const struct bounds inner = child_box(below, i);
        const bool empty = below->child[i] < 0 && bvh_leaf_count(below->child[i]) == 0;
        if (!empty && !contains(&box, &inner))
            return damaged(validation, "a node reaches out of its parent", child);
    }
    return true;
}

static bool check_node(struct validation *validation, uint32_t index)
{
    if (validation->node_depth[index] == 0)
        return damaged(validation, "a node has no parent", index);
    for (uint32_t side = 0; side < 2; ++side) {
        const bool inner = validation->nodes[index].child[side] >= 0;
        if (!(inner ? check_inner : check_leaf)(validation, index, side))
            return false;
    }
    return true;
}

static bool check_all(struct validation *validation)
{
    validation->node_depth[0] = 1;
    for (uint32_t i = 0; i < validation->node_count; ++i)
        if (!check_node(validation, i))
            return false;
    for (uint32_t slot = 0; slot < validation->triangle_count; ++slot)
        if (!validation->slot_seen[slot])
            return error_set(validation->error, ERROR_INPUT, "the tree is damaged: triangle slot %u is in no leaf",
                             slot);
    return true;
}

bool bvh_validate(const struct bvh_node *nodes, uint32_t node_count, const struct triangle *triangles,
                  uint32_t triangle_count, float pad, struct error *error)
{
    const struct tree tree = {
        .nodes = nodes, .node_count = node_count, .triangles = triangles, .triangle_count = triangle_count};
    return bvh_validate_over(&tree, pad, error);
}

bool bvh_validate_over(const struct tree *tree, float pad, struct error *error)
{
    const uint32_t node_count = (uint32_t)tree->node_count;
    if (node_count == 0)
        return error_set(error, ERROR_INPUT, "the tree is damaged: it has no root");
    struct validation validation = {.nodes = tree->nodes,
                                    .tree = tree,
                                    .node_count = node_count,
                                    .triangle_count = (uint32_t)tree->triangle_count,
                                    .pad = pad,
                                    .node_depth = calloc(node_count, sizeof *validation.node_depth),
                                    .slot_seen = calloc(tree->triangle_count + 1, sizeof *validation.slot_seen),
                                    .error = error};
    const bool enough = validation.node_depth && validation.slot_seen;
    const bool valid =
        enough ? check_all(&validation)
               : error_set(error, ERROR_SYSTEM, "not enough memory to check a tree of %u nodes", node_count);
    free(validation.node_depth);
    free(validation.slot_seen);
    return valid;
}
