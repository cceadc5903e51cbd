// SPDX-License-Identifier: MIT
#include "trees/tree.h"

#include <stdlib.h>
#include <string.h>

#include "trees/traverse.h"
#include "geometry/affine.h"
#include "geometry/scale.h"

enum { LEAF_SIZE = 4, BINS = 32 }; // of the binary tree where nothing else is asked for

#define TREE(NAME, name, text) extern const struct tree_kind tree_kind_##name;
#define TRACED TREE
#include "trees/trees.def"
#undef TREE

const struct tree_kind *const tree_kinds[] = {
#define TREE(NAME, name, text) &tree_kind_##name,
#define TRACED TREE
#include "trees/trees.def"
#undef TREE
};

const char *tree_name(uint32_t kind)
{
    static const char *const names[] = {
#define TREE(NAME, name, text) text,
#define TRACED TREE
#include "trees/trees.def"
#undef TREE
    };
    return names[kind];
}

bool scene_tree_options_equal(const struct scene_tree_options *a, const struct scene_tree_options *b)
{
    bool equal = true;
#define TREE_OPTION(member, value, when) equal = equal && a->member == b->member;
#include "trees/tree_options.def"
#undef TREE_OPTION
    return equal;
}

static bool settle_wide(const struct scene_tree_options *from, struct scene_tree_options *to, struct error *error)
{
    if (from->tree_width > 2 || from->child_order > CHILD_ORDER_DISTANCE || from->node_align > 1 ||
        from->tree_stack > TREE_STACK_GROUPS)
        return error_set(error, ERROR_USE, "there is no such wide tree");
    if (from->child_order == CHILD_ORDER_DISTANCE && from->tree_stack == TREE_STACK_GROUPS) {
        error_set(error, ERROR_UNSUPPORTED,
                  "tree_stack: groups holds masks of slots, which cannot be sorted by distance");
        return error_remedy(error, "choose tree_stack children or another child_order");
    }
    // Sorting by distance needs no slots of its own.
    to->child_order = from->child_order == CHILD_ORDER_DISTANCE ? CHILD_ORDER_NONE : from->child_order;
    const bool plain = to->kind == TREE_WIDE || to->top == TREE_WIDE;
    to->tree_width = plain ? from->tree_width : 2;
    to->node_align = plain ? from->node_align : 0;
    if (to->kind == TREE_WIDE_COMPRESSED && to->leaf_size > WIDE_COMPRESSED_LEAF)
        to->leaf_size = WIDE_COMPRESSED_LEAF;
    return true;
}

// Whether there are such two levels: levels.def.
static bool check_levels(const struct scene_tree_options *options, struct error *error)
{
    const struct tree_kind *kind = tree_kinds[options->kind];
    const uint32_t bottom = kind->traced ? kind->image : options->kind;
    bool there = false;
#define LEVELS(TOP, BOTTOM) there |= options->top == TREE_##TOP && bottom == TREE_##BOTTOM;
#include "trees/levels.def"
#undef LEVELS
    if (!there) {
        error_set(error, ERROR_UNSUPPORTED, "instances: two_level has no tree %s over the triangles of a part",
                  tree_name(options->kind));
        return error_remedy(error, "choose tree binary or wide, or instances: flat");
    }
    if (options->split) {
        error_set(error, ERROR_UNSUPPORTED, "the trees of instances: two_level are over whole triangles");
        return error_remedy(error, "choose splits: whole, or instances: flat");
    }
    return true;
}

bool tree_settle(const struct scene_tree_options *from, struct scene_tree_options *to, struct error *error)
{
    *to = (struct scene_tree_options){0};
    if (from->kind >= TREE_KINDS)
        return error_set(error, ERROR_USE, "there is no tree of kind %u", from->kind);
    to->kind = tree_kinds[from->kind]->image;
    if (from->leaf_size > BVH_LEAF_MAX)
        return error_set(error, ERROR_USE, "leaf size %u is out of bounds, 1 to %d", from->leaf_size, BVH_LEAF_MAX);
    if (from->bins && (from->bins < 4 || from->bins > 256))
        return error_set(error, ERROR_USE, "%u bins are out of bounds, 4 to 256", from->bins);
    if (tree_kinds[to->kind]->own_order) {
        to->leaf_size = from->leaf_size ? from->leaf_size : LEAF_SIZE;
        to->bins = from->bins ? from->bins : BINS;
    }
    const bool wide = to->kind == TREE_WIDE || to->kind == TREE_WIDE_COMPRESSED;
    if (from->split && !tree_kinds[from->kind]->splits) {
        error_set(error, ERROR_UNSUPPORTED, "tree %s names triangles, not fragments of them", tree_name(from->kind));
        return error_remedy(error, "choose splits=whole, or tree=binary, kd16 or wide4");
    }
    if (from->levels && !check_levels(from, error))
        return false;
    to->levels = from->levels;
    to->top = from->levels ? from->top : 0;
    to->split = from->split;
    to->as_split = tree_kinds[to->kind]->reinserts && from->as_split;
    return (!wide && to->top != TREE_WIDE) || settle_wide(from, to, error);
}

size_t tree_node_size(const struct scene_tree_options *options)
{
    const size_t fixed = tree_kinds[options->kind]->node_size;
    return fixed ? fixed : wide_node_bytes(options->tree_width, options->node_align);
}

// The bounds that measure a scene measure its trees.
static struct scene_grid grid_over(const struct triangle *triangles, uint32_t count, float pad)
{
    struct vec3 low = vec3_splat(count ? INFINITY : 0.0f), high = vec3_splat(count ? -INFINITY : 0.0f);
    for (uint32_t i = 0; i < count; ++i) {
        struct vec3 a, b;
        triangle_box(&triangles[i], 0, &a, &b);
        low = vec3_make(minimum_f32(low.x, a.x), minimum_f32(low.y, a.y), minimum_f32(low.z, a.z));
        high = vec3_make(maximum_f32(high.x, b.x), maximum_f32(high.y, b.y), maximum_f32(high.z, b.z));
    }
    return scene_grid_make((const float[]){low.x, low.y, low.z}, (const float[]){high.x, high.y, high.z}, pad);
}

static bool check_extent(const struct scene_grid *grid, struct error *error)
{
    const float most = 2 * SCENE_REACH; // widened, or rounded up to a power of two
    if (grid->span.x <= most && grid->span.y <= most && grid->span.z <= most && fabsf(grid->zero.x) <= most &&
        fabsf(grid->zero.y) <= most && fabsf(grid->zero.z) <= most)
        return true;
    error_set(error, ERROR_INPUT, "the scene is too large for a tree: a vertex lies farther out than 2^45 units");
    return error_remedy(error, "choose a larger unit of length");
}

bool tree_build(const struct triangle *triangles, uint32_t count, const struct tree_build_options *options,
                struct tree *tree, struct error *error)
{
    struct tree_build_options settled = *options;
    settled.grid = grid_over(triangles, count, options->pad);
    *tree = (struct tree){.triangles = triangles,
                          .triangle_count = count,
                          .fragments = options->fragments,
                          .fragment_count = options->fragment_count,
                          .grid = settled.grid};
    if (!check_extent(&settled.grid, error) || !tree_settle(&options->tree, &settled.tree, error))
        return false;
    settled.tree.split = options->fragments != NULL;
    tree->kind = settled.tree.kind;
    tree->layout = options->tree.kind;
    tree->order = options->tree.order;
    tree->affine = options->tree.affine;
    tree->options = options->tree;
    if (!tree_kinds[tree->kind]->build(triangles, count, &settled, tree, error))
        return false;
    if (tree->facts.nodes == 0)
        tree->facts.nodes = tree->node_count; // but of wide4, whose nodes stand among its triangles
    return true;
}

void tree_finish(struct tree *tree)
{
    for (int i = 0; i < 3; ++i)
        free(tree->owned[i]);
    memset(tree, 0, sizeof *tree);
}

// TREE_*: the walk over a layout, whose nodes are in the host's memory.
static uint32_t walk_over(const struct tree *tree, uint32_t layout)
{
    return layout == TREE_WIDE4 && wide4_has_floats(tree->nodes) ? (uint32_t)TREE_WIDE4_FLOAT : layout;
}

static void fill_view(const struct tree *tree, const float low[3], const float high[3], struct scene_view *view)
{
    const float pad = view->box_pad;
    const struct scene_grid grid = scene_grid_make(low, high, pad);
    view->nodes = tree->nodes;
    view->tree_width = tree->options.tree_width;
    view->child_order = tree->options.child_order;
    view->tree_stack = tree->options.tree_stack;
    view->node_count = (uint32_t)tree->node_count;
    view->references = tree->references;
    view->triangles = tree->triangles;
    view->triangle_count = (uint32_t)tree->triangle_count;
    view->triangles_rest = view->maps = NULL;
    // The same bits as the bounds of the widened boxes: subtraction is monotone.
    view->tree_low = vec3_make(low[0] - pad, low[1] - pad, low[2] - pad);
    view->tree_high = vec3_make(high[0] + pad, high[1] + pad, high[2] + pad);
    view->roots = tree->roots;
    view->top_tree = tree->options.top;
    view->split = tree->fragments != NULL;
    view->fragments = tree->fragments;
    view->grid_zero = grid.zero;
    view->grid_span = grid.span;
    if (view->split) { // fragments may reach out as far as the grid, in whose coordinates they are
        view->tree_low = vec3_make(grid_coordinate(grid.span.x, 0), grid_coordinate(grid.span.y, 0),
                                   grid_coordinate(grid.span.z, 0));
        view->tree_high = vec3_make(grid_coordinate(grid.span.x, GRID_LAST), grid_coordinate(grid.span.y, GRID_LAST),
                                    grid_coordinate(grid.span.z, GRID_LAST));
    }
}

void tree_view(const struct tree *tree, const float low[3], const float high[3], struct scene_view *view)
{
    fill_view(tree, low, high, view);
    view->tree = walk_over(tree, tree->kind);
}

static bool make_maps(const struct tree *tree, struct tree_block *block, struct error *error)
{
    struct affine_map *maps = affine_maps(tree->triangles, tree->triangle_count);
    *block = (struct tree_block){maps, tree->triangle_count * sizeof *maps, maps};
    return maps || error_memory(error, "for the maps of %llu triangles", (unsigned long long)tree->triangle_count);
}

bool tree_arrange(const struct tree *tree, struct tree_block blocks[TREE_BLOCKS], struct error *error)
{
    const struct tree_kind *layout = tree_kinds[tree->layout];
    struct scene_tree_options settled;
    for (int i = 0; i < TREE_BLOCKS; ++i)
        blocks[i] = (struct tree_block){NULL, 0, NULL};
    if (!tree_settle(&tree->options, &settled, error))
        return false;
    const uint64_t bytes = tree->roots ? tree->node_bytes : tree->node_count * tree_node_size(&settled);
    blocks[TREE_NODES] = (struct tree_block){tree->nodes, bytes, NULL};
    blocks[TREE_ROOTS] = (struct tree_block){tree->roots, tree->root_count * sizeof *tree->roots, NULL};
    blocks[TREE_TRIANGLES] = (struct tree_block){tree->triangles, tree->triangle_count * sizeof *tree->triangles, NULL};
    blocks[TREE_REFERENCES] =
        (struct tree_block){tree->references, tree->reference_count * sizeof *tree->references, NULL};
    blocks[TREE_FRAGMENTS] = (struct tree_block){tree->fragments, tree->fragment_count * sizeof *tree->fragments, NULL};
    return (!layout->arrange || layout->arrange(tree, blocks, error)) &&
           (!tree->affine || layout->own_maps || make_maps(tree, &blocks[TREE_MAPS], error));
}

void tree_view_blocks(const struct tree *tree, void *const blocks[TREE_BLOCKS], const float low[3], const float high[3],
                      struct scene_view *view)
{
    struct tree there = *tree;
    there.nodes = blocks[TREE_NODES];
    there.triangles = blocks[TREE_TRIANGLES];
    there.references = blocks[TREE_REFERENCES];
    there.fragments = blocks[TREE_FRAGMENTS];
    there.roots = blocks[TREE_ROOTS];
    fill_view(&there, low, high, view);
    view->triangles_rest = blocks[TREE_REST];
    view->maps = blocks[TREE_MAPS];
    view->tree = walk_over(tree, tree->layout);
}
