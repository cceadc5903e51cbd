// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>

#include "trees/traverse.h"
#include "trees/wide_tree.h"
#include "trees/wide_write.h"

struct bounds {
    float low[3], high[3];
};

struct validation {
    const struct tree *tree;
    bool compressed;
    uint32_t slots, node_bytes;
    float pad;
    uint8_t *depth; // nodes down to this one; 0: not reached yet
    uint8_t *held;  // most entries of the stack when a walk comes to it
    bool *seen;     // triangles
    struct bounds *bounds;
    struct error *error;
};

static bool damaged(const struct validation *validation, const char *what, uint64_t node)
{
    return error_set(validation->error, ERROR_INPUT, "the tree is damaged: %s (node %llu)", what,
                     (unsigned long long)node);
}

static const struct wide_compressed_node *compressed_node(const struct validation *validation, uint32_t index)
{
    return (const struct wide_compressed_node *)validation->tree->nodes + index;
}

// Where node `index` stands, in units of 16 bytes.
static int32_t place_of(const struct validation *validation, uint32_t index)
{
    return (int32_t)(index * (validation->node_bytes / 16));
}

static int32_t child_of(const struct validation *validation, uint32_t index, uint32_t s)
{
    if (validation->compressed)
        return wide_compressed_child(compressed_node(validation, index), s);
    return wide_word(validation->tree->nodes, place_of(validation, index), WIDE_CHILD_ROW * validation->slots + s);
}

// The index of a child that is an inner node; UINT32_MAX where no node begins there.
static uint32_t inner_index(const struct validation *validation, int32_t child)
{
    const uint32_t unit = validation->compressed ? 1 : validation->node_bytes / 16;
    return (uint32_t)child % unit == 0 ? (uint32_t)child / unit : UINT32_MAX;
}

// ---- indices: children have higher ones than their parents, so that no cycle is possible

static bool check_inner(struct validation *validation, uint32_t index, int32_t child, uint32_t children)
{
    const uint32_t to = inner_index(validation, child);
    if (to >= validation->tree->node_count)
        return damaged(validation, "a child does not exist", index);
    if (to <= index)
        return damaged(validation, "a child stands before its parent", index);
    if (validation->depth[to] != 0)
        return damaged(validation, "two nodes share a child", index);
    if (validation->depth[index] + 1 >= TREE_STACK)
        return damaged(validation, "it is too deep", index);
    validation->depth[to] = (uint8_t)(validation->depth[index] + 1);
    validation->held[to] = (uint8_t)(validation->held[index] + children - 1);
    return true;
}

static bool check_leaf(struct validation *validation, uint32_t index, int32_t leaf)
{
    const uint32_t first = bvh_leaf_first(leaf), count = bvh_leaf_count(leaf);
    const uint64_t triangles = validation->tree->triangle_count;
    if (count == 0)
        return damaged(validation, "a leaf is empty", index);
    if (first > triangles || count > triangles - first)
        return damaged(validation, "a leaf holds triangles that do not exist", index);
    for (uint32_t i = first; i < first + count; ++i) {
        if (validation->seen[i])
            return damaged(validation, "two leaves hold one triangle", index);
        validation->seen[i] = true;
    }
    return true;
}

static bool check_fields(const struct validation *validation, uint32_t index)
{
    const struct wide_compressed_node *node = compressed_node(validation, index);
    const uint64_t inner = (uint64_t)__builtin_popcount(node->inner);
    for (uint32_t axis = 0; axis < 3; ++axis)
        if (node->exponent[axis] < WIDE_EXPONENT_LEAST || node->exponent[axis] > WIDE_EXPONENT_MOST)
            return damaged(validation, "a grid is too fine or too coarse", index);
    for (uint32_t s = 0; s < WIDE_SLOTS; ++s)
        if ((node->inner >> s & 1) && node->leaf[s])
            return damaged(validation, "a slot holds two children", index);
    if (node->nodes + inner > validation->tree->node_count)
        return damaged(validation, "a child does not exist", index);
    // Places of triangles are 27 bits of a leaf's code, with 31 triangles behind at most.
    return node->triangles <= validation->tree->triangle_count ||
           damaged(validation, "a leaf holds triangles that do not exist", index);
}

static bool check_node(struct validation *validation, uint32_t index)
{
    uint32_t children = 0;
    if (validation->depth[index] == 0)
        return damaged(validation, "a node has no parent", index);
    if (validation->compressed && !check_fields(validation, index))
        return false;
    for (uint32_t s = 0; s < validation->slots; ++s)
        children += child_of(validation, index, s) != WIDE_EMPTY;
    if (validation->held[index] + children > WIDE_STACK)
        return damaged(validation, "walks over it would need too large a stack", index);
    for (uint32_t s = 0; s < validation->slots; ++s) {
        const int32_t child = child_of(validation, index, s);
        const bool good = child == WIDE_EMPTY || (child >= 0 ? check_inner(validation, index, child, children)
                                                             : check_leaf(validation, index, child));
        if (!good)
            return false;
    }
    return true;
}

// ---- boxes: that of a child encloses those of all triangles below

static void bounds_add(struct bounds *to, const struct bounds *from)
{
    for (int axis = 0; axis < 3; ++axis) {
        to->low[axis] = fminf(to->low[axis], from->low[axis]);
        to->high[axis] = fmaxf(to->high[axis], from->high[axis]);
    }
}

static const struct bounds no_bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static struct bounds bounds_below(const struct validation *validation, int32_t child)
{
    struct bounds bounds = no_bounds;
    if (child >= 0)
        return validation->bounds[inner_index(validation, child)];
    for (uint32_t i = 0; i < bvh_leaf_count(child); ++i) {
        struct vec3 low, high;
        triangle_box(&validation->tree->triangles[bvh_leaf_first(child) + i], validation->pad, &low, &high);
        const struct bounds own = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
        bounds_add(&bounds, &own);
    }
    return bounds;
}

static bool encloses(const struct validation *validation, uint32_t index, uint32_t s, const struct bounds *below)
{
    const float *words = (const float *)validation->tree->nodes + (uint64_t)index * (validation->node_bytes / 4);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        bool inside;
        if (validation->compressed) {
            const struct wide_compressed_node *node = compressed_node(validation, index);
            const uint32_t exponent = node->exponent[axis];
            inside = wide_grid_below(node->origin[axis], node->low[axis][s], exponent, below->low[axis]) &&
                     wide_grid_above(node->origin[axis], node->high[axis][s], exponent, below->high[axis]);
        } else {
            inside = words[2 * axis * validation->slots + s] <= below->low[axis] &&
                     words[(2 * axis + 1) * validation->slots + s] >= below->high[axis];
        }
        if (!inside)
            return false;
    }
    return true;
}

static bool check_boxes(struct validation *validation, uint32_t index)
{
    validation->bounds[index] = no_bounds;
    for (uint32_t s = 0; s < validation->slots; ++s) {
        const int32_t child = child_of(validation, index, s);
        if (child == WIDE_EMPTY)
            continue;
        const struct bounds below = bounds_below(validation, child);
        if (!encloses(validation, index, s, &below))
            return damaged(validation, "a triangle reaches out of a box", index);
        bounds_add(&validation->bounds[index], &below);
    }
    return true;
}

static bool check_all(struct validation *validation)
{
    const uint32_t nodes = (uint32_t)validation->tree->node_count;
    validation->depth[0] = validation->held[0] = 1;
    for (uint32_t i = 0; i < nodes; ++i)
        if (!check_node(validation, i))
            return false;
    for (uint64_t i = 0; i < validation->tree->triangle_count; ++i)
        if (!validation->seen[i])
            return error_set(validation->error, ERROR_INPUT, "the tree is damaged: triangle slot %llu is in no leaf",
                             (unsigned long long)i);
    for (uint32_t i = nodes; i-- > 0;)
        if (!check_boxes(validation, i))
            return false;
    return true;
}

bool wide_validate(const struct tree *tree, float pad, struct error *error)
{
    struct scene_tree_options settled;
    if (!tree_settle(&tree->options, &settled, error))
        return false;
    const uint32_t bytes = (uint32_t)tree_node_size(&settled);
    if (tree->node_count == 0 || tree->node_count * (bytes / 16) > INT32_MAX)
        return error_set(error, ERROR_INPUT, "the tree is damaged: it has no root, or too many nodes");
    struct validation validation = {.tree = tree,
                                    .compressed = tree->kind == TREE_WIDE_COMPRESSED,
                                    .slots = 2u << settled.tree_width,
                                    .node_bytes = bytes,
                                    .pad = pad,
                                    .depth = calloc(tree->node_count, sizeof *validation.depth),
                                    .held = calloc(tree->node_count, sizeof *validation.held),
                                    .seen = calloc(tree->triangle_count + 1, sizeof *validation.seen),
                                    .bounds = malloc(tree->node_count * sizeof *validation.bounds),
                                    .error = error};
    const bool enough = validation.depth && validation.held && validation.seen && validation.bounds;
    const bool valid = enough ? check_all(&validation)
                              : error_set(error, ERROR_SYSTEM, "not enough memory to check a tree of %llu nodes",
                                          (unsigned long long)tree->node_count);
    free(validation.depth);
    free(validation.held);
    free(validation.seen);
    free(validation.bounds);
    return valid;
}
