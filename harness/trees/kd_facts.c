// SPDX-License-Identifier: MIT
#include "trees/kd_facts.h"

#include <stdlib.h>
#include <string.h>

#include "trees/traverse.h"
#include "trees/kd_arrange.h"

// How often each distance occurs, larger ones together with the last.
enum { DISTANCES = 1 << 20 };

struct distances {
    uint64_t total, of[DISTANCES];
};

static void distances_add(struct distances *distances, uint32_t a, uint32_t b)
{
    const uint32_t distance = a < b ? b - a : a - b;
    ++distances->of[distance < DISTANCES ? distance : DISTANCES - 1];
    ++distances->total;
}

// 0 where there is none.
static uint64_t distances_median(const struct distances *distances)
{
    uint64_t below = 0, distance = 0;
    while (distance < DISTANCES - 1 && (below += distances->of[distance]) * 2 < distances->total)
        ++distance;
    return distances->total ? distance : 0;
}

// ---- nodes near the bottom

static bool at_bottom(const struct kd16_node *nodes, uint32_t node)
{
    return kd16_is_leaf(&nodes[node]) || kd16_is_leaf(&nodes[nodes[node].head & KD16_CHILD]) ||
           kd16_is_leaf(&nodes[nodes[node].right]);
}

enum { LEVELS = 3, SUBTREE = 1 << LEVELS };

// Those at the bottom among `node` and what is below it, down to `levels` levels; returns how many.
static uint32_t kd_facts_gather(const struct kd16_node *nodes, uint32_t node, int levels, uint32_t *found)
{
    uint32_t count = 0;
    if (at_bottom(nodes, node))
        found[count++] = node;
    if (levels > 0 && !kd16_is_leaf(&nodes[node])) {
        count += kd_facts_gather(nodes, nodes[node].head & KD16_CHILD, levels - 1, found + count);
        count += kd_facts_gather(nodes, nodes[node].right, levels - 1, found + count);
    }
    return count;
}

// Each pair once, at its lowest common ancestor: of one side and the other, or the ancestor itself and one below it.
static void node_distances(const struct tree *tree, const uint32_t *numbers, struct distances *distances)
{
    const struct kd16_node *nodes = tree->nodes;
    uint32_t left[SUBTREE], right[SUBTREE];
    for (uint32_t i = 0; i < tree->node_count; ++i) {
        if (kd16_is_leaf(&nodes[i]))
            continue;
        const uint32_t lefts = kd_facts_gather(nodes, nodes[i].head & KD16_CHILD, LEVELS - 1, left),
                       rights = kd_facts_gather(nodes, nodes[i].right, LEVELS - 1, right);
        for (uint32_t a = 0; a < lefts; ++a)
            for (uint32_t b = 0; b < rights; ++b)
                distances_add(distances, numbers[left[a]], numbers[right[b]]);
        for (uint32_t a = 0; at_bottom(nodes, i) && a < lefts; ++a)
            distances_add(distances, numbers[i], numbers[left[a]]);
        for (uint32_t b = 0; at_bottom(nodes, i) && b < rights; ++b)
            distances_add(distances, numbers[i], numbers[right[b]]);
    }
}

static void triangle_gaps(const struct tree *tree, struct distances *distances)
{
    const struct kd16_node *nodes = tree->nodes;
    for (uint32_t i = 0; i < tree->node_count; ++i)
        for (uint32_t k = 1; kd16_is_leaf(&nodes[i]) && k < kd16_leaf_count(&nodes[i]); ++k)
            distances_add(distances, tree->references[nodes[i].first + k - 1], tree->references[nodes[i].first + k]);
}

// ---- packing

// As the chapter prints it: axis, triangles, leaf, left child in 2, 5, 1 and 24 bits.
static uint64_t nodes_that_come_back(const struct tree *tree)
{
    const struct kd16_node *nodes = tree->nodes;
    uint64_t same = 0;
    for (uint32_t i = 0; i < tree->node_count; ++i) {
        struct kd_record record;
        kd16_fetch(&nodes[i], &record);
        const uint32_t axis = record.head >> 30, count = kd_leaf_count(&record), leaf = kd_is_leaf(&record);
        same += (axis << 30 | count << 25 | leaf << 24 | record.left) == nodes[i].head && axis < 3 &&
                f32_bits(record.split) == f32_bits(nodes[i].split) && record.right == nodes[i].right &&
                record.first == nodes[i].first;
    }
    return same;
}

bool kd_facts_make(const struct tree *tree, struct kd_facts *facts, struct error *error)
{
    struct tree_block blocks[TREE_BLOCKS];
    *facts = (struct kd_facts){0};
    const bool arranged = tree_arrange(tree, blocks, error);
    facts->bytes = blocks[TREE_NODES].size + blocks[TREE_REFERENCES].size;
    for (int i = 0; i < TREE_BLOCKS; ++i)
        free(blocks[i].owned);
    if (!arranged || tree->kind != TREE_KD16)
        return arranged;
    struct distances *distances = calloc(2, sizeof *distances);
    uint32_t *numbers = malloc((tree->node_count + 1) * sizeof *numbers);
    const bool done = distances && numbers && kd_numbers(tree, numbers);
    if (done) {
        node_distances(tree, numbers, &distances[0]);
        triangle_gaps(tree, &distances[1]);
        facts->crowded = tree->facts.chains;
        facts->packed = nodes_that_come_back(tree);
        facts->node_distance = distances_median(&distances[0]);
        facts->triangle_gap = distances_median(&distances[1]);
    }
    free(distances);
    free(numbers);
    return done || error_memory(error, "to measure a tree");
}
