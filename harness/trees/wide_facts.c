// SPDX-License-Identifier: MIT
#include "trees/wide_facts.h"

#include <string.h>

#include "trees/wide_order.h"
#include "trees/traverse.h"

// One node with float boxes, and the slot that each child is in.
struct filled_node {
    struct wide_children_boxes boxes;
    uint32_t axes, slot_of[WIDE_MOST];
};

static float box_word(const struct tree *tree, int32_t node, uint32_t word)
{
    return f32_from_bits((uint32_t)wide_word(tree->nodes, node, word));
}

static void read_node(const struct tree *tree, int32_t node, uint32_t slots, struct filled_node *to)
{
    *to = (struct filled_node){.boxes = {.slots = slots}};
    for (uint32_t s = 0; s < slots; ++s) {
        const uint32_t c = to->boxes.count;
        if (wide_word(tree->nodes, node, WIDE_CHILD_ROW * slots + s) == WIDE_EMPTY)
            continue;
        for (uint32_t axis = 0; axis < 3; ++axis) {
            to->boxes.low[c][axis] = box_word(tree, node, 2 * axis * slots + s);
            to->boxes.high[c][axis] = box_word(tree, node, (2 * axis + 1) * slots + s);
        }
        to->slot_of[c] = s;
        ++to->boxes.count;
    }
    to->axes =
        slots == WIDE_MOST ? wide_axes(&to->boxes) : (uint32_t)wide_word(tree->nodes, node, WIDE_AXES_ROW * slots);
}

// The least sum of costs over all assignments: of the first children to each set of as many slots, one child after another.
static int64_t least_sum(const struct wide_cost_table *costs, uint32_t count, uint32_t slots)
{
    int64_t least[1 << WIDE_MOST], best = INT64_MAX;
    least[0] = 0;
    for (uint32_t taken = 1; taken < 1u << slots; ++taken) {
        const uint32_t child = (uint32_t)lanemask_count(taken) - 1;
        least[taken] = INT64_MAX;
        for (uint32_t s = 0; s < slots && child < count; ++s) {
            const int64_t before = taken >> s & 1 ? least[taken ^ 1u << s] : INT64_MAX;
            if (before != INT64_MAX && before + costs->of[child][s] < least[taken])
                least[taken] = before + costs->of[child][s];
        }
        if (child + 1 == count && least[taken] < best)
            best = least[taken];
    }
    return best;
}

static bool stands_least(const struct filled_node *node)
{
    struct wide_cost_table costs;
    int64_t sum = 0;
    wide_costs(node->axes, &node->boxes, &costs);
    for (uint32_t c = 0; c < node->boxes.count; ++c)
        sum += costs.of[c][node->slot_of[c]];
    return sum == least_sum(&costs, node->boxes.count, node->boxes.slots);
}

static uint32_t compressed_children(const struct wide_compressed_node *node)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < WIDE_SLOTS; ++s)
        count += wide_compressed_child(node, s) != WIDE_EMPTY;
    return count;
}

void wide_facts_make(const struct tree *tree, struct wide_facts *facts)
{
    struct scene_tree_options settled;
    struct error error = {0};
    *facts = (struct wide_facts){0};
    if ((tree->kind != TREE_WIDE && tree->kind != TREE_WIDE_COMPRESSED) ||
        !tree_settle(&tree->options, &settled, &error))
        return;
    for (uint64_t i = 0; i < tree->node_count; ++i) {
        struct filled_node node = {.boxes = {0}};
        if (tree->kind == TREE_WIDE_COMPRESSED) {
            node.boxes.count = compressed_children((const struct wide_compressed_node *)tree->nodes + i);
        } else {
            read_node(tree, (int32_t)(i * (tree_node_size(&settled) / 16)), 2u << settled.tree_width, &node);
            facts->least += stands_least(&node);
        }
        facts->children += node.boxes.count;
        ++facts->nodes[node.boxes.count];
    }
}
