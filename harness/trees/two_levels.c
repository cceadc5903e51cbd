// SPDX-License-Identifier: MIT
#include "trees/two_levels.h"

#include <stdlib.h>
#include <string.h>

#include "trees/traverse.h"

static bool no_memory(struct error *error)
{
    return error_memory(error, "for the trees of a scene's parts");
}

// ---- nodes in one array

// In which a tree's children are named: bytes.
static uint32_t unit_of(uint32_t kind)
{
    return kind == TREE_BINARY ? sizeof(struct bvh_node) : 16;
}

// Where a tree may begin: at a multiple of its unit, and of what its nodes are aligned to.
static uint64_t align_to(uint64_t bytes, const struct scene_tree_options *options)
{
    const uint64_t unit = options->kind == TREE_WIDE && options->node_align ? 128 : unit_of(options->kind);
    return (bytes + unit - 1) / unit * unit;
}

struct shift {
    int64_t nodes, triangles;
};

// Adds to what a child names. False where that leaves its range.
static bool shift_child(void *context, int32_t *child)
{
    const struct shift *by = context;
    const int64_t to = *child >= 0 ? *child + by->nodes : (int64_t)bvh_leaf_first(*child) + by->triangles;
    if (to < 0 || to > (*child >= 0 ? INT32_MAX : INT32_MAX >> BVH_LEAF_COUNT_BITS))
        return false;
    *child = *child >= 0 ? (int32_t)to : bvh_leaf_make((uint32_t)to, bvh_leaf_count(*child));
    return true;
}

// Leaves name instances, not places in an order of their own.
static bool name_instance(void *context, int32_t *child)
{
    const struct triangle *ordered = context;
    if (*child < 0)
        *child = bvh_leaf_make(ordered[bvh_leaf_first(*child)].id, 1);
    return true;
}

// The options of the trees of each level.
static struct scene_tree_options bottom_options(const struct scene_tree_options *both)
{
    struct scene_tree_options options = *both;
    options.levels = options.top = 0;
    return options;
}

static struct scene_tree_options top_options(const struct scene_tree_options *both)
{
    struct scene_tree_options options = bottom_options(both);
    options.kind = both->top;
    options.leaf_size = 1;
    return options;
}

// To a builder of trees a box is a triangle along its diagonal, without a pad.
static struct triangle *instance_diagonals(const struct levels *levels)
{
    struct triangle *boxes = calloc((size_t)levels->instance_count + 1, sizeof *boxes);
    for (uint32_t i = 0; boxes && i < levels->instance_count; ++i)
        boxes[i] = (struct triangle){
            .v0 = levels->instances[i].low, .v1 = levels->instances[i].high, .v2 = levels->instances[i].low, .id = i};
    return boxes;
}

// ---- building

struct building {
    const struct levels *levels;
    const struct tree_build_options *options;
    struct tree *tree;
    char *nodes;
    uint64_t bytes, room;
    int32_t *roots;
    struct triangle *ordered;
    uint32_t deepest;
    struct error *error;
};

static bool reserve_nodes(struct building *building, uint64_t bytes)
{
    if (building->nodes && bytes <= building->room)
        return true;
    const uint64_t room = bytes > 2 * building->room ? bytes : 2 * building->room;
    char *nodes = aligned_alloc(128, (room + 127) / 128 * 128);
    if (!nodes)
        return no_memory(building->error);
    memset(nodes, 0, room);
    if (building->bytes)
        memcpy(nodes, building->nodes, building->bytes);
    free(building->nodes);
    building->nodes = nodes;
    building->room = room;
    return true;
}

// Puts a tree behind those that are there, moved. *root names its root.
static bool append_part(struct building *building, const struct tree *part, const struct scene_tree_options *options,
                        int64_t by_triangles, int32_t *root)
{
    const uint64_t start = align_to(building->bytes, options), size = part->node_count * tree_node_size(options);
    struct shift by = {.nodes = (int64_t)(start / unit_of(options->kind)), .triangles = by_triangles};
    if (!reserve_nodes(building, start + size))
        return false;
    memcpy(building->nodes + start, part->nodes, size);
    building->bytes = start + size;
    if (by.nodes > INT32_MAX ||
        !tree_kinds[options->kind]->children(building->nodes + start, part->node_count, options, shift_child, &by))
        return error_set(building->error, ERROR_UNSUPPORTED, "the scene's parts need more nodes than a tree can name");
    *root = (int32_t)by.nodes;
    return true;
}

static bool build_top(struct building *building)
{
    const struct levels *levels = building->levels;
    struct tree_build_options how = *building->options;
    struct triangle *boxes = instance_diagonals(levels);
    struct tree top = {0};
    int32_t root;
    how.tree = top_options(&building->options->tree);
    how.pad = 0;
    if (!boxes)
        return no_memory(building->error);
    bool done = tree_build(boxes, levels->instance_count, &how, &top, building->error);
    if (done) {
        building->tree->facts.top_nodes = top.node_count;
        building->tree->facts.top_depth = top.facts.depth;
        done = tree_kinds[how.tree.kind]->children(top.owned[0], top.node_count, &how.tree, name_instance,
                                                   (void *)top.triangles) &&
               append_part(building, &top, &how.tree, 0, &root);
    }
    tree_finish(&top);
    free(boxes);
    return done;
}

static bool build_object(struct building *building, uint32_t index)
{
    const struct object_range *object = &building->levels->objects[index];
    struct tree_facts *facts = &building->tree->facts;
    struct tree_build_options how = *building->options;
    struct tree part;
    how.tree = bottom_options(&building->options->tree);
    how.pad = object->pad;
    bool done = tree_build(building->levels->triangles + object->first, object->count, &how, &part, building->error) &&
                append_part(building, &part, &how.tree, object->first, &building->roots[index]);
    if (done) {
        memcpy(building->ordered + object->first, part.triangles, object->count * sizeof *part.triangles);
        facts->leaf_size = part.facts.leaf_size;
        facts->leaves += part.facts.leaves;
        facts->references += part.facts.references;
        facts->sah_cost += part.facts.sah_cost;
        facts->nodes += part.node_count;
        building->deepest = part.facts.depth > building->deepest ? part.facts.depth : building->deepest;
    }
    tree_finish(&part);
    return done;
}

bool levels_build(const struct levels *levels, const struct tree_build_options *options, struct tree *tree,
                  struct error *error)
{
    struct building building = {.levels = levels, .options = options, .tree = tree, .error = error};
    *tree = (struct tree){.kind = options->tree.kind, .layout = options->tree.kind, .options = options->tree};
    tree->owned[1] = building.ordered = calloc((size_t)levels->triangle_count + 1, sizeof *building.ordered);
    tree->owned[2] = building.roots = calloc((size_t)levels->object_count + 1, sizeof *building.roots);
    bool done = (building.ordered && building.roots) || no_memory(error);
    done = done && build_top(&building);
    for (uint32_t i = 0; done && i < levels->object_count; ++i)
        done = build_object(&building, i);
    tree->nodes = tree->owned[0] = building.nodes;
    tree->node_bytes = building.bytes = (building.bytes + 15) / 16 * 16;
    tree->facts.nodes += tree->facts.top_nodes;
    tree->facts.depth = tree->facts.top_depth + building.deepest;
    tree->node_count = tree->facts.nodes;
    tree->triangles = building.ordered;
    tree->triangle_count = levels->triangle_count;
    tree->roots = building.roots;
    tree->root_count = levels->object_count;
    return done;
}

// ---- checking

// Whether the part of the nodes from `start` to `end` is a tree over `triangles`, in its own order `ordered`, once what it names
// is moved back. Walks over a whole tree stay within those of its nodes and triangles.
static bool check_part(const struct tree *tree, const struct scene_tree_options *options, uint64_t start, uint64_t end,
                       const struct object_range *range, const struct triangle *ordered,
                       const struct triangle *triangles, struct error *error)
{
    const struct tree_kind *kind = tree_kinds[options->kind];
    const uint64_t size = tree_node_size(options), count = (end - start) / size;
    struct shift by = {.nodes = -(int64_t)(start / unit_of(options->kind)), .triangles = -(int64_t)range->first};
    char *nodes = aligned_alloc(128, (count * size + 127) / 128 * 128 + 128);
    if (!nodes)
        return no_memory(error);
    memcpy(nodes, (const char *)tree->nodes + start, count * size);
    const struct tree part = {.kind = options->kind,
                              .layout = options->kind,
                              .options = *options,
                              .nodes = nodes,
                              .node_count = count,
                              .triangles = ordered,
                              .triangle_count = range->count};
    const bool moved = count > 0 && count <= UINT32_MAX && kind->children(nodes, count, options, shift_child, &by);
    const bool valid = moved ? tree_validate(&part, triangles, range->count, range->pad, error)
                             : error_set(error, ERROR_INPUT, "the tree is damaged: one of its parts leads outside");
    free(nodes);
    return valid;
}

// A leaf at the top is entered as one instance.
static bool names_one(void *context, int32_t *child)
{
    (void)context;
    return *child >= 0 || bvh_leaf_count(*child) == 1;
}

static bool check_top(const struct tree *tree, const struct levels *levels, struct error *error)
{
    const struct scene_tree_options options = top_options(&tree->options);
    const uint64_t bytes = tree->facts.top_nodes * tree_node_size(&options);
    const struct object_range all = {.count = levels->instance_count};
    struct triangle *boxes = instance_diagonals(levels);
    if (!boxes)
        return no_memory(error);
    // The visit only reads.
    const bool done =
        (tree_kinds[options.kind]->children((void *)tree->nodes, tree->facts.top_nodes, &options, names_one, NULL) ||
         error_set(error, ERROR_INPUT, "the tree is damaged: a leaf holds several instances")) &&
        check_part(tree, &options, 0, bytes, &all, boxes, boxes, error);
    free(boxes);
    return done;
}

// Where the tree of object k begins; behind the last one, where that ends.
static uint64_t start_of(const struct tree *tree, uint32_t k)
{
    return k < tree->root_count ? (uint64_t)(uint32_t)tree->roots[k] * unit_of(tree->kind) : tree->node_bytes;
}

bool levels_validate(const struct tree *tree, const struct levels *levels, struct error *error)
{
    const struct scene_tree_options top = top_options(&tree->options), bottom = bottom_options(&tree->options);
    uint64_t end = tree->facts.top_nodes * tree_node_size(&top);
    bool inside = tree->root_count == levels->object_count && tree->triangle_count == levels->triangle_count &&
                  tree->facts.top_nodes <= tree->node_bytes && end <= tree->node_bytes;
    for (uint32_t k = 0; inside && k < levels->object_count; ++k) {
        const uint64_t start = start_of(tree, k);
        inside = tree->roots[k] >= 0 && start >= end && start < tree->node_bytes && align_to(start, &bottom) == start;
        end = start + 1;
    }
    if (!inside)
        return error_set(error, ERROR_INPUT, "the tree is damaged: the root of a part lies outside");
    if (!check_top(tree, levels, error))
        return false;
    for (uint32_t k = 0; k < levels->object_count; ++k) {
        const struct object_range *object = &levels->objects[k];
        if (!check_part(tree, &bottom, start_of(tree, k), start_of(tree, k + 1), object,
                        tree->triangles + object->first, levels->triangles + object->first, error))
            return false;
    }
    return true;
}
