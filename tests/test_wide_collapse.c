// SPDX-License-Identifier: MIT
// How wide trees are made: the collapse against every other collapse of small trees, slots against the best of all
// assignments.
#include <fenv.h>

#include "check.h"
#include "base/random.h"
#include "trees/bvh_tree.h"
#include "geometry/scale.h"
#include "trees/tree.h"
#include "trees/wide_write.h"
#include "trace_rays.h"

static uint64_t random_state = 1;

// ---- collapse

enum { FEW = 9, FEW_NODES = 2 * FEW - 1 };

struct few {
    struct tree_node nodes[FEW_NODES];
    struct bvh_tree tree;
    struct wide_options options;
};

// Shapes and boxes at random: a subtree over `count` triangles below `node`.
static void grow_few(struct few *few, uint32_t node, uint32_t count, uint32_t *pairs, uint32_t *triangles)
{
    struct tree_node *to = &few->nodes[node];
    if (count == 1) {
        to->child = ~(int32_t)(*triangles)++;
        for (int axis = 0; axis < 3; ++axis) {
            to->low[axis] = (float)random_below(&random_state, 100);
            to->high[axis] = to->low[axis] + (float)random_below(&random_state, 20);
        }
        return;
    }
    const uint32_t left = 2 * (*pairs)++ + 1, first = 1 + random_below(&random_state, count - 1);
    to->child = (int32_t)left;
    few->nodes[left].parent = few->nodes[left + 1].parent = node;
    grow_few(few, left, first, pairs, triangles);
    grow_few(few, left + 1, count - first, pairs, triangles);
    memcpy(to->low, few->nodes[left].low, sizeof to->low);
    memcpy(to->high, few->nodes[left].high, sizeof to->high);
    tree_box_add(to->low, to->high, few->nodes[left + 1].low, few->nodes[left + 1].high);
}

static void few_make(struct few *few, uint32_t count)
{
    uint32_t pairs = 0, triangles = 0;
    memset(few, 0, sizeof *few);
    few->tree = (struct bvh_tree){.nodes = few->nodes, .node_count = 2 * count - 1, .triangle_count = count};
    grow_few(few, 0, count, &pairs, &triangles);
}

static double share(const struct few *few, uint32_t node)
{
    return (double)tree_node_area(&few->nodes[node]) / (double)tree_node_area(&few->nodes[0]);
}

static uint32_t size_of(const struct few *few, uint32_t node)
{
    const int32_t child = few->nodes[node].child;
    return child < 0 ? 1 : size_of(few, (uint32_t)child) + size_of(few, (uint32_t)child + 1);
}

static double least_child(const struct few *few, uint32_t node);

// The least cost over all ways to replace what waits, and then `node`, by `places` children at most, that far having cost
// `so_far`: each is a child as it is, or its two children wait in its place.
static void every_cut(const struct few *few, uint32_t *waiting, uint32_t count, uint32_t places, double so_far,
                      double *least)
{
    if (count == 0) {
        *least = so_far < *least ? so_far : *least;
        return;
    }
    if (count > places)
        return;
    const uint32_t node = waiting[count - 1];
    every_cut(few, waiting, count - 1, places - 1, so_far + least_child(few, node), least);
    if (few->nodes[node].child >= 0) {
        uint32_t longer[FEW_NODES];
        memcpy(longer, waiting, count * sizeof *longer);
        longer[count - 1] = (uint32_t)few->nodes[node].child;
        longer[count] = (uint32_t)few->nodes[node].child + 1;
        every_cut(few, longer, count + 1, places, so_far, least);
    }
}

static double least_inner(const struct few *few, uint32_t node)
{
    uint32_t waiting[2] = {(uint32_t)few->nodes[node].child, (uint32_t)few->nodes[node].child + 1};
    double least = INFINITY;
    every_cut(few, waiting, 2, few->options.width, share(few, node) * (double)few->options.node_cost, &least);
    return least;
}

static double least_child(const struct few *few, uint32_t node)
{
    const uint32_t size = size_of(few, node);
    const double leaf =
        size <= few->options.leaf_size ? share(few, node) * size * (double)few->options.triangle_cost : INFINITY;
    return few->nodes[node].child < 0 ? leaf : fmin(leaf, least_inner(few, node));
}

// What the collapse that was chosen costs, and that it is one: leaves small enough, each triangle once.
static double chosen(const struct few *few, const struct wide_collapse *collapse, uint32_t node, uint32_t *seen)
{
    assert_int_equal(collapse->sizes[node], size_of(few, node));
    if (collapse->leaf[node]) {
        uint32_t triangles[FEW];
        assert_true(collapse->sizes[node] <= few->options.leaf_size);
        wide_triangles(&few->tree, node, triangles);
        for (uint32_t i = 0; i < collapse->sizes[node]; ++i) {
            assert_false(*seen >> triangles[i] & 1);
            *seen |= 1u << triangles[i];
        }
        return share(few, node) * collapse->sizes[node] * (double)few->options.triangle_cost;
    }
    uint32_t children[WIDE_MOST];
    const uint32_t count = wide_children(collapse, &few->tree, node, children);
    double cost = share(few, node) * (double)few->options.node_cost;
    assert_true(count >= 2 && count <= few->options.width);
    for (uint32_t i = 0; i < count; ++i)
        cost += chosen(few, collapse, children[i], seen);
    return cost;
}

static void check_collapse(const struct few *few)
{
    struct wide_collapse collapse;
    uint32_t seen = 0;
    assert_true(wide_collapse(&few->tree, &few->options, &collapse, &why));
    const double expected = least_child(few, 0);
    assert_true(fabs(collapse.cost - expected) <= 1e-5 * expected);
    assert_true(fabs(chosen(few, &collapse, 0, &seen) - expected) <= 1e-5 * expected);
    assert_int_equal(seen, (1u << few->tree.triangle_count) - 1);
    wide_collapse_finish(&collapse);
}

TEST(test_collapse)
{
    static const float triangle_costs[] = {1, 0.3f, 0, 5};
    struct few few;
    for (uint32_t i = 0; i < 2000; ++i) {
        few_make(&few, 1 + random_below(&random_state, FEW));
        if (tree_node_area(&few.nodes[0]) == 0)
            continue;
        few.options =
            (struct wide_options){2 + random_below(&random_state, WIDE_MOST - 1), 1 + random_below(&random_state, 5),
                                  1.0f, triangle_costs[random_below(&random_state, 4)]};
        check_collapse(&few);
    }
}

// Every area zero or beyond floats: still a tree over each triangle.
TEST(test_collapse_extremes)
{
    struct few few;
    for (int which = 0; which < 2; ++which)
        for (uint32_t width = 2; width <= WIDE_MOST; ++width) {
            struct wide_collapse collapse;
            uint32_t seen = 0;
            few_make(&few, FEW);
            few.options = (struct wide_options){width, 2, 1, 1};
            for (uint32_t i = 0; i < FEW_NODES; ++i)
                for (int axis = 0; axis < 3; ++axis) {
                    few.nodes[i].low[axis] = which ? -3e38f : 1.0f;
                    few.nodes[i].high[axis] = which ? 3e38f : 1.0f;
                }
            assert_true(wide_collapse(&few.tree, &few.options, &collapse, &why));
            assert_true(isfinite(collapse.cost));
            chosen(&few, &collapse, 0, &seen);
            assert_int_equal(seen, (1u << FEW) - 1);
            wide_collapse_finish(&collapse);
        }
}

// ---- slots

static float random_float(float scale)
{
    return scale * random_signed(&random_state);
}

// The least sum of costs over all assignments of the children from `child` on to the slots that are not taken.
static int64_t least_assignment(const struct wide_cost_table *costs, uint32_t count)
{
    int64_t least[1 << WIDE_MOST];
    for (uint32_t taken = 0; taken < 1u << count; ++taken) {
        const uint32_t child = (uint32_t)__builtin_popcount(taken);
        least[taken] = taken ? INT64_MAX : 0;
        for (uint32_t s = 0; s < count; ++s)
            if (taken >> s & 1) {
                const int64_t sum = least[taken ^ 1u << s] + costs->of[child - 1][s];
                least[taken] = sum < least[taken] ? sum : least[taken];
            }
    }
    return least[(1u << count) - 1];
}

// The sum of the assignment, each slot being given once.
static int64_t sum_of(const struct wide_cost_table *costs, const uint32_t *slot_of, uint32_t count, uint32_t slots)
{
    int64_t sum = 0;
    uint32_t taken = 0;
    for (uint32_t c = 0; c < count; ++c) {
        assert_true(slot_of[c] < slots && !(taken >> slot_of[c] & 1));
        taken |= 1u << slot_of[c];
        sum += costs->of[c][slot_of[c]];
    }
    return sum;
}

TEST(test_auction)
{
    for (uint32_t i = 0; i < 20000; ++i) {
        struct wide_cost_table costs;
        uint32_t slot_of[WIDE_MOST];
        const uint32_t count = 1 + random_below(&random_state, WIDE_MOST),
                       range = i % 3 ? 1u << random_below(&random_state, 20) : 2;
        for (uint32_t c = 0; c < WIDE_MOST; ++c)
            for (uint32_t s = 0; s < WIDE_MOST; ++s)
                costs.of[c][s] = (int64_t)random_below(&random_state, range) - range / 2;
        wide_auction(count, &costs, slot_of);
        assert_int_equal(sum_of(&costs, slot_of, count, count), least_assignment(&costs, count));
    }
}

static void random_boxes(struct wide_children_boxes *boxes)
{
    boxes->slots = 2u << random_below(&random_state, 3);
    boxes->count = 1 + random_below(&random_state, boxes->slots);
    for (uint32_t c = 0; c < boxes->count; ++c)
        for (int axis = 0; axis < 3; ++axis) {
            boxes->low[c][axis] = random_float(10);
            boxes->high[c][axis] = boxes->low[c][axis] + fabsf(random_float(3));
        }
}

// Slots by octant cost the least of all, greedy ones no less; and the table is that of the formula.
TEST(test_orders)
{
    for (uint32_t i = 0; i < 5000; ++i) {
        struct wide_children_boxes boxes;
        struct wide_cost_table costs;
        uint32_t slot_of[WIDE_MOST], axis_bits = 0;
        random_boxes(&boxes);
        const uint32_t axes = wide_axes(&boxes), dimensions = (uint32_t)__builtin_ctz(boxes.slots);
        for (uint32_t k = 0; k < dimensions; ++k)
            axis_bits |= 1u << (axes >> 2 * k & 3);
        assert_int_equal(__builtin_popcount(axis_bits), dimensions);
        wide_costs(axes, &boxes, &costs);
        const int64_t least = least_assignment(&costs, boxes.slots);
        wide_order(CHILD_ORDER_OCTANT, axes, &boxes, slot_of);
        assert_int_equal(sum_of(&costs, slot_of, boxes.count, boxes.slots), least);
        wide_order(CHILD_ORDER_GREEDY, axes, &boxes, slot_of);
        assert_true(sum_of(&costs, slot_of, boxes.count, boxes.slots) >= least);
        wide_order(CHILD_ORDER_NONE, axes, &boxes, slot_of);
        for (uint32_t c = 0; c < boxes.count; ++c)
            assert_int_equal(slot_of[c], c);
    }
}

// Eight boxes in the corners of a cube: each belongs in the slot of its corner.
TEST(test_corners)
{
    struct wide_children_boxes boxes = {.count = 8, .slots = 8};
    uint32_t slot_of[WIDE_MOST];
    for (uint32_t c = 0; c < 8; ++c)
        for (uint32_t axis = 0; axis < 3; ++axis) {
            boxes.low[c][axis] = (c * 5 % 8) >> axis & 1 ? 3.0f : 0.0f;
            boxes.high[c][axis] = boxes.low[c][axis] + 1.0f;
        }
    for (uint32_t order = CHILD_ORDER_OCTANT; order <= CHILD_ORDER_GREEDY; ++order) {
        wide_order(order, wide_axes(&boxes), &boxes, slot_of);
        for (uint32_t c = 0; c < 8; ++c)
            assert_int_equal(slot_of[c], c * 5 % 8);
    }
}
