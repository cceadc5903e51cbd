// SPDX-License-Identifier: MIT
// From the tree of single triangles to the tree that kernels walk.
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "trees/bvh.h"
#include "trees/bvh_tree.h"

// Time of a triangle test in units of an inner-node step, which is two box tests: by experiment, on a CPU and a GPU.
static const float triangle_cost = 0.5f;

struct emitter {
    const struct bvh_tree *tree;
    uint32_t *preorder;
    uint32_t *sizes, *inners; // triangles and final inner nodes at and below a node
    float *costs;             // least cost of a node, given that a ray meets its box, times its half area
    bool *merged;             // a leaf in the final tree
    uint32_t leaf_size;
    struct bvh *bvh;
    double area_steps, area_tests;
    uint32_t slots;
};

static void list_preorder(struct emitter *emitter, uint32_t *stack)
{
    uint32_t depth = 0, listed = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const uint32_t i = stack[--depth];
        const int32_t child = emitter->tree->nodes[i].child;
        emitter->preorder[listed++] = i;
        if (child >= 0) {
            stack[depth++] = (uint32_t)child + 1;
            stack[depth++] = (uint32_t)child;
        }
    }
}

static void choose_leaf(struct emitter *emitter, uint32_t i)
{
    const struct tree_node *node = &emitter->tree->nodes[i];
    const float area = tree_node_area(node);
    if (node->child < 0) {
        emitter->sizes[i] = 1;
        emitter->inners[i] = 0;
        emitter->costs[i] = triangle_cost * area;
        emitter->merged[i] = true;
        return;
    }
    const uint32_t left = (uint32_t)node->child, right = left + 1;
    const uint32_t size = emitter->sizes[left] + emitter->sizes[right];
    const float as_leaf = triangle_cost * area * (float)size;
    const float as_inner = area + emitter->costs[left] + emitter->costs[right];
    emitter->sizes[i] = size;
    // Written so that areas that overflow make inner nodes.
    emitter->merged[i] = size <= emitter->leaf_size && as_leaf <= as_inner;
    emitter->inners[i] = emitter->merged[i] ? 0 : 1 + emitter->inners[left] + emitter->inners[right];
    emitter->costs[i] = emitter->merged[i] ? as_leaf : as_inner;
}

static void choose_leaves(struct emitter *emitter)
{
    for (uint32_t i = emitter->tree->node_count; i-- > 0;)
        choose_leaf(emitter, emitter->preorder[i]);
}

// Lists the triangles below a node in order.
static int32_t emit_leaf(struct emitter *emitter, uint32_t i)
{
    const uint32_t first = emitter->slots, size = emitter->sizes[i];
    uint32_t stack[BVH_LEAF_MAX + 1], depth = 0;
    stack[depth++] = i;
    while (depth > 0) {
        const int32_t child = emitter->tree->nodes[stack[--depth]].child;
        if (child < 0) {
            emitter->bvh->order[emitter->slots++] = ~(uint32_t)child;
        } else {
            stack[depth++] = (uint32_t)child + 1;
            stack[depth++] = (uint32_t)child;
        }
    }
    emitter->area_tests += (double)tree_node_area(&emitter->tree->nodes[i]) * size;
    return bvh_leaf_make(first, size);
}

static void set_child_box(struct bvh_node *node, uint32_t side, const float low[3], const float high[3])
{
    node->x[side] = low[0];
    node->y[side] = low[1];
    node->z[side] = low[2];
    node->x[side + 2] = high[0];
    node->y[side + 2] = high[1];
    node->z[side + 2] = high[2];
}

// A point so far off that no ray of finite length meets it: cheaper than an inverted box, which the interval test,
// taking the planes in either order, would enter.
static void set_empty_child(struct bvh_node *node, uint32_t side)
{
    const float far[3] = {FLT_MAX, FLT_MAX, FLT_MAX};
    set_child_box(node, side, far, far);
    node->child[side] = bvh_leaf_make(0, 0);
}

// An inner node that is to be emitted, and the place that shall hold its index.
struct pending {
    uint32_t tree_node, parent, side, depth;
};

// The child with the larger box, the likelier one to be visited next, comes first and so follows its parent in memory.
static uint32_t larger_child(const struct bvh_tree *tree, uint32_t i)
{
    const uint32_t left = (uint32_t)tree->nodes[i].child;
    return tree_node_area(&tree->nodes[left + 1]) > tree_node_area(&tree->nodes[left]) ? left + 1 : left;
}

static void emit_inner(struct emitter *emitter, const struct pending *from, struct pending *stack, uint32_t *depth)
{
    struct bvh *bvh = emitter->bvh;
    const uint32_t index = bvh->node_count++;
    struct bvh_node *node = &bvh->nodes[index];
    const uint32_t first = larger_child(emitter->tree, from->tree_node);
    const uint32_t left = (uint32_t)emitter->tree->nodes[from->tree_node].child;
    const uint32_t children[2] = {first, 2 * left + 1 - first};
    memset(node, 0, sizeof *node);
    if (index > 0)
        bvh->nodes[from->parent].child[from->side] = (int32_t)index;
    bvh->depth = from->depth + 1 > bvh->depth ? from->depth + 1 : bvh->depth;
    emitter->area_steps += (double)tree_node_area(&emitter->tree->nodes[from->tree_node]);
    for (uint32_t side = 0; side < 2; ++side) {
        const struct tree_node *child = &emitter->tree->nodes[children[side]];
        set_child_box(node, side, child->low, child->high);
    }
    for (uint32_t side = 2; side-- > 0;)
        if (!emitter->merged[children[side]])
            stack[(*depth)++] = (struct pending){children[side], index, side, from->depth + 1};
    for (uint32_t side = 0; side < 2; ++side)
        if (emitter->merged[children[side]])
            node->child[side] = emit_leaf(emitter, children[side]);
}

static void emit_single_leaf(struct emitter *emitter)
{
    const struct tree_node *root = &emitter->tree->nodes[0];
    struct bvh_node *node = &emitter->bvh->nodes[0];
    memset(node, 0, sizeof *node);
    set_child_box(node, 0, root->low, root->high);
    node->child[0] = emit_leaf(emitter, 0);
    set_empty_child(node, 1);
    emitter->bvh->node_count = 1;
    emitter->bvh->depth = 1;
    emitter->area_steps = (double)tree_node_area(root);
}

static void emit_subtree(struct emitter *emitter, struct pending *stack)
{
    const double root_area = (double)tree_node_area(&emitter->tree->nodes[0]);
    if (emitter->merged[0]) {
        emit_single_leaf(emitter);
    } else {
        uint32_t depth = 0;
        stack[depth++] = (struct pending){0, 0, 0, 0};
        while (depth > 0) {
            const struct pending from = stack[--depth];
            emit_inner(emitter, &from, stack, &depth);
        }
    }
    emitter->bvh->sah_cost = root_area > 0.0 ? (emitter->area_steps + emitter->area_tests) / root_area : 0.0;
}

// Nodes fill cache lines: aligned to them, each is fetched as one.
static struct bvh_node *allocate_nodes(uint32_t count)
{
    return aligned_alloc(sizeof(struct bvh_node), count * sizeof(struct bvh_node));
}

static bool emit_tree(struct emitter *emitter, struct pending *stack)
{
    list_preorder(emitter, (uint32_t *)stack);
    choose_leaves(emitter);
    emitter->bvh->nodes = allocate_nodes(emitter->merged[0] ? 1 : emitter->inners[0]);
    if (emitter->bvh->nodes)
        emit_subtree(emitter, stack);
    return emitter->bvh->nodes != NULL;
}

bool tree_emit(const struct bvh_tree *tree, uint32_t leaf_size, struct bvh *bvh, struct error *error)
{
    const size_t nodes = tree->node_count;
    struct emitter emitter = {.tree = tree, .leaf_size = leaf_size, .bvh = bvh};
    struct pending *stack = malloc(nodes * sizeof *stack);
    emitter.preorder = malloc(nodes * sizeof *emitter.preorder);
    emitter.sizes = malloc(nodes * sizeof *emitter.sizes);
    emitter.inners = malloc(nodes * sizeof *emitter.inners);
    emitter.costs = malloc(nodes * sizeof *emitter.costs);
    emitter.merged = malloc(nodes * sizeof *emitter.merged);
    bvh->order = malloc(tree->triangle_count * sizeof *bvh->order);
    const bool enough = stack && emitter.preorder && emitter.sizes && emitter.inners && emitter.costs &&
                        emitter.merged && bvh->order && emit_tree(&emitter, stack);
    if (!enough)
        error_memory(error, "for a tree over %u triangles", tree->triangle_count);
    free(stack);
    free(emitter.preorder);
    free(emitter.sizes);
    free(emitter.inners);
    free(emitter.costs);
    free(emitter.merged);
    return enough;
}

bool tree_emit_empty(struct bvh *bvh, struct error *error)
{
    bvh->nodes = allocate_nodes(1);
    bvh->order = malloc(sizeof *bvh->order);
    if (!bvh->nodes || !bvh->order)
        return error_memory(error, "for an empty tree");
    memset(bvh->nodes, 0, sizeof *bvh->nodes);
    set_empty_child(&bvh->nodes[0], 0);
    set_empty_child(&bvh->nodes[0], 1);
    bvh->node_count = 1;
    bvh->depth = 1;
    return true;
}
