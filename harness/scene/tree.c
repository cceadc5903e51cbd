// SPDX-License-Identifier: MIT
#include "scene/tree.h"

#include <stdlib.h>
#include <string.h>

#include "trees/traverse.h"

enum { LEAF_SIZE = 4, BINS = 32 }; // of the binary tree where nothing else is asked for

bool scene_tree_options_equal(const struct scene_tree_options *a, const struct scene_tree_options *b)
{
    return a->kind == b->kind && a->leaf_size == b->leaf_size && a->bins == b->bins;
}

bool tree_settle(const struct scene_tree_options *from, struct scene_tree_options *to, struct error *error)
{
    *to = (struct scene_tree_options){.kind = from->kind == TREE_BINARY_PADDED ? TREE_BINARY : from->kind};
    if (to->kind >= TREE_KINDS)
        return error_set(error, ERROR_USE, "there is no tree of kind %u", from->kind);
    if (from->leaf_size > BVH_LEAF_MAX)
        return error_set(error, ERROR_USE, "leaf size %u is out of bounds, 1 to %d", from->leaf_size, BVH_LEAF_MAX);
    if (from->bins && (from->bins < 4 || from->bins > 256))
        return error_set(error, ERROR_USE, "%u bins are out of bounds, 4 to 256", from->bins);
    if (to->kind == TREE_BINARY) {
        to->leaf_size = from->leaf_size ? from->leaf_size : LEAF_SIZE;
        to->bins = from->bins ? from->bins : BINS;
    }
    return true;
}

bool tree_build(const struct triangle *triangles, uint32_t count, const struct tree_build_options *options,
                struct tree *tree, struct error *error)
{
    struct tree_build_options settled = *options;
    *tree = (struct tree){.triangles = triangles, .triangle_count = count};
    if (!tree_settle(&options->tree, &settled.tree, error))
        return false;
    tree->kind = settled.tree.kind;
    tree->padded = options->tree.kind == TREE_BINARY_PADDED;
    return tree_kinds[tree->kind].build(triangles, count, &settled, tree, error);
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
        same = id < count && !seen[id] &&
               memcmp((const char *)&tree->triangles[i], (const char *)&triangles[id], sizeof *triangles) == 0;
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

// Each piece of 16 bytes, as kernels fetch them, with as many zeros behind it: of twice the size.
static void *pad_pieces(const void *from, uint64_t bytes, struct error *error)
{
    enum { PIECE = 16 };
    char *padded = calloc(2, bytes);
    for (uint64_t at = 0; padded && at < bytes; at += PIECE)
        memcpy(padded + 2 * at, (const char *)from + at, PIECE);
    if (!padded)
        error_set(error, ERROR_SYSTEM, "no memory for a padded tree");
    return padded;
}

static bool copy_up(struct device *device, const void *from, uint64_t bytes, bool pad, void **there,
                    struct error *error)
{
    *there = NULL;
    if (bytes == 0)
        return true;
    void *padded = pad ? pad_pieces(from, bytes, error) : NULL;
    const uint64_t size = pad ? 2 * bytes : bytes;
    const bool done = (!pad || padded) && (*there = device->ops->alloc(device, size, error)) &&
                      device->ops->upload(device, NULL, *there, pad ? padded : from, size, error);
    free(padded);
    return done;
}

bool tree_upload(const struct tree *tree, const float low[3], const float high[3], struct device *device,
                 void *blocks[3], struct scene_view *view, struct error *error)
{
    const bool pad = tree->padded;
    if (!copy_up(device, tree->nodes, tree->node_count * tree_kinds[tree->kind].node_size, pad, &blocks[0], error) ||
        !copy_up(device, tree->triangles, tree->triangle_count * sizeof *tree->triangles, pad, &blocks[1], error) ||
        !copy_up(device, tree->references, tree->reference_count * sizeof *tree->references, false, &blocks[2], error))
        return false;
    struct tree there = *tree;
    there.nodes = blocks[0];
    there.triangles = blocks[1];
    there.references = blocks[2];
    tree_view(&there, low, high, view);
    if (pad)
        view->tree = TREE_BINARY_PADDED;
    return true;
}
