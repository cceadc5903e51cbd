// SPDX-License-Identifier: MIT
#include "scene/tree.h"

#include <stdlib.h>
#include <string.h>

#include "trees/traverse.h"
#include "scene/bvh.h"
#include "scene/kd16.h"
#include "source_hashes.h" // made at build time: HOST_SOURCE_TREE_<kind>

enum { LEAF_SIZE = 4, BINS = 32 }; // of the binary tree where nothing else is asked for

// ---- the binary tree

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
    const struct bvh_options wanted = {.leaf_size = options->tree.leaf_size,
                                       .bins = options->tree.bins,
                                       .threads = options->threads,
                                       .pad = options->pad};
    if (!bvh_build(triangles, count, &wanted, &bvh, error))
        return false;
    struct triangle *ordered = malloc(count * sizeof *ordered + 1);
    for (uint32_t i = 0; ordered && i < count; ++i)
        ordered[i] = triangles[bvh.order[i]];
    free(bvh.order);
    tree->owned[0] = bvh.nodes;
    tree->owned[1] = ordered;
    tree->nodes = bvh.nodes;
    tree->node_count = bvh.node_count;
    tree->triangles = ordered;
    tree->facts = (struct tree_facts){
        .leaf_size = wanted.leaf_size, .depth = bvh.depth, .references = count, .sah_cost = bvh.sah_cost};
    count_leaves(&bvh, &tree->facts);
    return ordered || error_set(error, ERROR_SYSTEM, "not enough memory for %u triangles", count);
}

static bool binary_validate(const struct tree *tree, float pad, struct error *error)
{
    return bvh_validate(tree->nodes, (uint32_t)tree->node_count, tree->triangles, (uint32_t)tree->triangle_count, pad,
                        error);
}

static void binary_view(const struct tree *tree, struct scene_view *view)
{
    view->nodes = tree->nodes;
    view->node_count = (uint32_t)tree->node_count;
}

// ---- the kd-tree

static void kd16_view(const struct tree *tree, struct scene_view *view)
{
    view->kd16_nodes = tree->nodes;
    view->kd16_references = tree->references;
    view->node_count = (uint32_t)tree->node_count;
}

// ---- all kinds

const struct tree_kind tree_kinds[] = {
    [TREE_BINARY] = {"binary", sizeof(struct bvh_node), HOST_SOURCE_TREE_binary, true, binary_build, binary_validate,
                     binary_view},
    [TREE_KD16] = {"kd16", sizeof(struct kd16_node), HOST_SOURCE_TREE_kd16, false, kd16_build, kd16_validate,
                   kd16_view},
};
_Static_assert(sizeof tree_kinds / sizeof *tree_kinds == TREE_KINDS, "TREE_KINDS");

bool scene_tree_options_equal(const struct scene_tree_options *a, const struct scene_tree_options *b)
{
    return a->kind == b->kind && a->leaf_size == b->leaf_size && a->bins == b->bins;
}

bool tree_settle(const struct scene_tree_options *from, struct scene_tree_options *to, struct error *error)
{
    *to = (struct scene_tree_options){.kind = from->kind};
    if (from->kind >= TREE_KINDS)
        return error_set(error, ERROR_USE, "there is no tree of kind %u", from->kind);
    if (from->leaf_size > BVH_LEAF_MAX)
        return error_set(error, ERROR_USE, "leaf size %u is out of bounds, 1 to %d", from->leaf_size, BVH_LEAF_MAX);
    if (from->bins && (from->bins < 4 || from->bins > 256))
        return error_set(error, ERROR_USE, "%u bins are out of bounds, 4 to 256", from->bins);
    if (from->kind == TREE_BINARY) {
        to->leaf_size = from->leaf_size ? from->leaf_size : LEAF_SIZE;
        to->bins = from->bins ? from->bins : BINS;
    }
    return true;
}

bool tree_build(const struct triangle *triangles, uint32_t count, const struct tree_build_options *options,
                struct tree *tree, struct error *error)
{
    struct tree_build_options settled = *options;
    *tree = (struct tree){.kind = options->tree.kind, .triangles = triangles, .triangle_count = count};
    return tree_settle(&options->tree, &settled.tree, error) &&
           tree_kinds[tree->kind].build(triangles, count, &settled, tree, error);
}

void tree_finish(struct tree *tree)
{
    for (int i = 0; i < 3; ++i)
        free(tree->owned[i]);
    memset(tree, 0, sizeof *tree);
}

// Whether `tree->triangles` are the scene's own, each once.
static bool check_order(const struct tree *tree, const struct triangle *triangles, uint32_t count, struct error *error)
{
    bool *seen = calloc((size_t)count + 1, sizeof *seen);
    if (!seen)
        return error_set(error, ERROR_SYSTEM, "not enough memory to check a tree over %u triangles", count);
    bool same = tree->triangle_count == count;
    for (uint32_t i = 0; same && i < count; ++i) {
        const uint32_t id = tree->triangles[i].id;
        same = id < count && !seen[id] && memcmp(&tree->triangles[i], &triangles[id], sizeof *triangles) == 0;
        if (same)
            seen[id] = true;
    }
    free(seen);
    return same || error_set(error, ERROR_INPUT, "the tree is damaged: its triangles are not the scene's");
}

bool tree_validate(const struct tree *tree, const struct triangle *triangles, uint32_t count, float pad,
                   struct error *error)
{
    return (!tree_kinds[tree->kind].own_order || check_order(tree, triangles, count, error)) &&
           tree_kinds[tree->kind].validate(tree, pad, error);
}

void tree_view(const struct tree *tree, const float low[3], const float high[3], struct scene_view *view)
{
    const float pad = view->box_pad;
    view->tree = tree->kind;
    view->triangles = tree->triangles;
    view->triangle_count = (uint32_t)tree->triangle_count;
    // The same bits as the bounds of the widened boxes: subtraction is monotone.
    view->kd16_low = vec3_make(low[0] - pad, low[1] - pad, low[2] - pad);
    view->kd16_high = vec3_make(high[0] + pad, high[1] + pad, high[2] + pad);
    tree_kinds[tree->kind].view(tree, view);
}

static bool copy_up(struct device *device, const void *from, uint64_t bytes, void **there, struct error *error)
{
    *there = NULL;
    if (bytes == 0)
        return true;
    *there = device->ops->alloc(device, bytes, error);
    return *there && device->ops->upload(device, NULL, *there, from, bytes, error);
}

bool tree_upload(const struct tree *tree, const float low[3], const float high[3], struct device *device,
                 void *blocks[3], struct scene_view *view, struct error *error)
{
    if (!copy_up(device, tree->nodes, tree->node_count * tree_kinds[tree->kind].node_size, &blocks[0], error) ||
        !copy_up(device, tree->triangles, tree->triangle_count * sizeof *tree->triangles, &blocks[1], error) ||
        !copy_up(device, tree->references, tree->reference_count * sizeof *tree->references, &blocks[2], error))
        return false;
    struct tree there = *tree;
    there.nodes = blocks[0];
    there.triangles = blocks[1];
    there.references = blocks[2];
    tree_view(&there, low, high, view);
    return true;
}
