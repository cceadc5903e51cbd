// SPDX-License-Identifier: MIT
// The binary tree of boxes, and the same with padded nodes and triangles.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trees/traverse.h"
#include "trees/bvh.h"
#include "trees/tree_readers.h"
#include "source_hashes.h" // made at build time: HOST_SOURCE_TREE_<kind>

static void count_leaves(const struct bvh *bvh, struct tree_facts *facts)
{
    for (uint32_t i = 0; i < bvh->node_count; ++i)
        for (int side = 0; side < 2; ++side)
            facts->leaves += bvh->nodes[i].child[side] < 0 && bvh_leaf_count(bvh->nodes[i].child[side]) > 0;
}

// Triangles in the order of the leaves, so that those of one stand together.
static bool binary_build(const struct triangle *triangles, uint32_t count, const struct tree_build_options *options,
                         struct tree *tree, struct error *error)
{
    struct bvh bvh;
    const struct tree_input input = tree_input_make(triangles, count, options);
    const struct bvh_options wanted = {.leaf_size = options->tree.leaf_size,
                                       .bins = options->tree.bins,
                                       .threads = options->threads,
                                       .as_split = options->tree.as_split};
    if (!bvh_build_over(&input, &wanted, &bvh, error))
        return false;
    struct triangle *ordered = malloc(input.count * sizeof *ordered + 1);
    for (uint32_t i = 0; ordered && i < input.count; ++i)
        ordered[i] = triangles[tree_input_triangle(&input, bvh.order[i])];
    tree->owned[0] = bvh.nodes;
    tree->owned[2] = bvh.order;
    if (input.fragments) {
        tree->references = bvh.order;
        tree->reference_count = input.count;
    }
    tree->triangle_count = input.count;
    tree->owned[1] = ordered;
    tree->nodes = bvh.nodes;
    tree->node_count = bvh.node_count;
    tree->triangles = ordered;
    tree->facts = (struct tree_facts){.leaf_size = wanted.leaf_size,
                                      .depth = bvh.depth,
                                      .references = input.count,
                                      .sah_cost = bvh.sah_cost,
                                      .nodes = bvh.node_count};
    count_leaves(&bvh, &tree->facts);
    return ordered || error_memory(error, "for %u triangles", count);
}

// Of leaves those of no triangles are none.
static bool binary_visit(void *nodes, uint64_t count, const struct scene_tree_options *options,
                         bool (*visit)(void *context, int32_t *child), void *context)
{
    struct bvh_node *node = nodes;
    (void)options;
    for (uint64_t i = 0; i < 2 * count; ++i) {
        int32_t *const child = &node[i / 2].child[i % 2];
        if ((*child >= 0 || bvh_leaf_count(*child) > 0) && !visit(context, child))
            return false;
    }
    return true;
}

const struct tree_kind tree_kind_binary = {
    .source = HOST_SOURCE_TREE_binary,
    .node_size = sizeof(struct bvh_node),
    .image = TREE_BINARY,
    .build_bytes = BVH_BUILD_BYTES,
    .own_order = true,
    .reinserts = true,
    .splits = true,
    .build = binary_build,
    .reader = &bvh_reader,
    .children = binary_visit,
};

// ---- padded

// Each piece of 16 bytes, as kernels fetch them, with as many zeros behind it: of twice the size.
static bool pad_pieces(struct tree_block *block, struct error *error)
{
    enum { PIECE = 16 };
    char *padded = memory_try(block->size + 1, 2, error, "for a padded tree");
    for (uint64_t at = 0; padded && at < block->size; at += PIECE)
        memcpy(padded + 2 * at, (const char *)block->bytes + at, PIECE);
    *block = (struct tree_block){padded, 2 * block->size, padded};
    return padded != NULL;
}

static bool binary_pad(const struct tree *tree, struct tree_block blocks[TREE_BLOCKS], struct error *error)
{
    (void)tree;
    return pad_pieces(&blocks[0], error) && pad_pieces(&blocks[1], error);
}

const struct tree_kind tree_kind_binary_padded = {
    .source = HOST_SOURCE_TREE_binary,
    .node_size = sizeof(struct bvh_node),
    .image = TREE_BINARY,
    .build_bytes = BVH_BUILD_BYTES,
    .own_order = true,
    .reinserts = true,
    .splits = true,
    .build = binary_build,
    .reader = &bvh_reader,
    .arrange = binary_pad,
};
