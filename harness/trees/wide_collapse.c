// SPDX-License-Identifier: MIT
#include "trees/wide_collapse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trees/bvh.h"
#include "trees/bvh_tree.h"

// C(n, 1) .. C(n, WIDE_MOST - 1); of a node, by place.
struct costs {
    float of[WIDE_MOST];
};

struct planner {
    const struct bvh_tree *tree;
    const struct wide_options *options;
    struct wide_collapse *collapse;
    struct costs *costs;
    double root_area;
};

static double node_area(const struct tree_node *node)
{
    const double x = (double)node->high[0] - node->low[0], y = (double)node->high[1] - node->low[1],
                 z = (double)node->high[2] - node->low[2];
    return x * y + y * z + z * x;
}

// How node `node` is best replaced by `places` subtrees at most, one at least on either side: the number left of it.
static uint32_t distribute_slots(const struct planner *planner, uint32_t node, uint32_t places, float *cost)
{
    const struct costs *left = &planner->costs[planner->tree->nodes[node].child], *right = left + 1;
    uint32_t best = 1;
    *cost = left->of[0] + right->of[places - 2];
    for (uint32_t k = 2; k < places; ++k) {
        const float other = left->of[k - 1] + right->of[places - k - 1];
        if (other < *cost) {
            *cost = other;
            best = k;
        }
    }
    return best;
}

static void plan_triangle(struct planner *planner, uint32_t node, float share)
{
    planner->collapse->sizes[node] = 1;
    planner->collapse->leaf[node] = true;
    for (uint32_t i = 0; i < WIDE_MOST; ++i)
        planner->costs[node].of[i] = share * planner->options->triangle_cost;
}

static void plan_inner(struct planner *planner, uint32_t node, float share)
{
    const struct wide_options *options = planner->options;
    struct wide_collapse *collapse = planner->collapse;
    uint8_t *splits = &collapse->splits[(size_t)node * WIDE_MOST];
    float *costs = planner->costs[node].of, inner;
    const uint32_t left = (uint32_t)planner->tree->nodes[node].child;
    const uint32_t size = collapse->sizes[left] + collapse->sizes[left + 1];
    const float leaf = size <= options->leaf_size ? share * (float)size * options->triangle_cost : INFINITY;
    splits[options->width - 1] = (uint8_t)distribute_slots(planner, node, options->width, &inner);
    inner += share * options->node_cost;
    collapse->sizes[node] = size;
    collapse->leaf[node] = size <= options->leaf_size && leaf <= inner;
    costs[0] = collapse->leaf[node] ? leaf : inner;
    for (uint32_t places = 2; places < options->width; ++places) {
        float apart;
        const uint32_t split = distribute_slots(planner, node, places, &apart);
        const bool split_pays = apart < costs[places - 2];
        splits[places - 1] = (uint8_t)(split_pays ? split : 0);
        costs[places - 1] = split_pays ? apart : costs[places - 2];
    }
}

static void list_preorder(const struct bvh_tree *tree, uint32_t *preorder, uint32_t *stack)
{
    uint32_t depth = 0, listed = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const uint32_t i = stack[--depth];
        const int32_t child = tree->nodes[i].child;
        preorder[listed++] = i;
        if (child >= 0) {
            stack[depth++] = (uint32_t)child + 1;
            stack[depth++] = (uint32_t)child;
        }
    }
}

// Children before their parents.
static void plan_all(struct planner *planner, const uint32_t *preorder)
{
    const struct bvh_tree *tree = planner->tree;
    planner->root_area = node_area(&tree->nodes[0]);
    for (uint32_t i = tree->node_count; i-- > 0;) {
        const uint32_t node = preorder[i];
        const float share = planner->root_area > 0 ? (float)(node_area(&tree->nodes[node]) / planner->root_area) : 0.0f;
        (tree->nodes[node].child < 0 ? plan_triangle : plan_inner)(planner, node, share);
    }
    planner->collapse->cost = planner->costs[0].of[0];
}

bool wide_collapse(const struct bvh_tree *tree, const struct wide_options *options, struct wide_collapse *collapse,
                   struct error *error)
{
    const size_t nodes = tree->node_count;
    struct planner planner = {.tree = tree, .options = options, .collapse = collapse};
    uint32_t *preorder = malloc(nodes * sizeof *preorder), *stack = malloc(nodes * sizeof *stack);
    planner.costs = calloc(nodes, sizeof *planner.costs);
    *collapse = (struct wide_collapse){.sizes = malloc(nodes * sizeof *collapse->sizes),
                                       .leaf = malloc(nodes * sizeof *collapse->leaf),
                                       .splits = calloc(nodes, WIDE_MOST * sizeof *collapse->splits),
                                       .width = options->width};
    const bool enough = preorder && stack && planner.costs && collapse->sizes && collapse->leaf && collapse->splits;
    if (enough) {
        list_preorder(tree, preorder, stack);
        plan_all(&planner, preorder);
    } else {
        error_memory(error, "to widen a tree over %u triangles", tree->triangle_count);
    }
    free(preorder);
    free(stack);
    free(planner.costs);
    return enough;
}

void wide_collapse_finish(struct wide_collapse *collapse)
{
    free(collapse->sizes);
    free(collapse->leaf);
    free(collapse->splits);
    memset(collapse, 0, sizeof *collapse);
}

// A subtree that is to fill so many places at most.
struct forest {
    uint32_t node, places;
};

uint32_t wide_children(const struct wide_collapse *collapse, const struct bvh_tree *tree, uint32_t node,
                       uint32_t children[WIDE_MOST])
{
    struct forest stack[WIDE_MOST + 1]; // the places of all that wait are no more than the width
    uint32_t depth = 0, count = 0;
    const uint32_t root_split = collapse->splits[(size_t)node * WIDE_MOST + collapse->width - 1];
    stack[depth++] = (struct forest){(uint32_t)tree->nodes[node].child + 1, collapse->width - root_split};
    stack[depth++] = (struct forest){(uint32_t)tree->nodes[node].child, root_split};
    while (depth > 0) {
        struct forest forest = stack[--depth];
        uint32_t split = 0;
        while (forest.places > 1 && split == 0)
            split = collapse->splits[(size_t)forest.node * WIDE_MOST + --forest.places];
        if (split == 0) {
            children[count++] = forest.node;
            continue;
        }
        const uint32_t left = (uint32_t)tree->nodes[forest.node].child;
        stack[depth++] = (struct forest){left + 1, forest.places + 1 - split};
        stack[depth++] = (struct forest){left, split};
    }
    return count;
}

// Depth first without a stack: the tree, not yet collapsed, may be of any depth.
void wide_triangles(const struct bvh_tree *tree, uint32_t node, uint32_t *triangles)
{
    const uint32_t top = node;
    for (;;) {
        while (tree->nodes[node].child >= 0)
            node = (uint32_t)tree->nodes[node].child;
        *triangles++ = ~(uint32_t)tree->nodes[node].child;
        while (node != top && node % 2 == 0) // a right child: left ones stand at odd places
            node = tree->nodes[node].parent;
        if (node == top)
            return;
        ++node;
    }
}
