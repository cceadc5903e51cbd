// SPDX-License-Identifier: MIT
// From the binary tree, collapsed, to the wide tree that kernels walk.
#include <stdlib.h>
#include <string.h>

#include "trees/traverse.h"
#include "trees/bvh.h"
#include "trees/bvh_tree.h"
#include "trees/wide_tree.h"
#include "trees/wide_write.h"
#include "trees/tree_readers.h"
#include "source_hashes.h" // made at build time: HOST_SOURCE_TREE_<kind>

// Ylitie, Karras and Laine leave the ratio open; with these leaves hold a triangle or two.
static const float node_cost = 1.0f, triangle_cost = 1.0f;

// A wide node still to be written.
struct pending {
    uint32_t tree_node, index, depth;
    uint32_t held; // most entries of the stack when a walk comes to it
};

struct emitter {
    const struct bvh_tree *tree;
    const struct wide_collapse *collapse;
    const struct scene_tree_options *options;
    struct wide_content content;
    size_t node_bytes;
    char *nodes;
    uint32_t node_count;
    uint32_t *order, ordered; // triangles by slot
    struct pending *stack;
    uint32_t waiting, deepest, held_most;
    uint64_t leaves;
    double steps, tests; // areas of nodes, and of leaves times their triangles
};

// The children of a wide node; the root may be a leaf, and then is its own only child.
static uint32_t children_of(const struct emitter *emitter, uint32_t node, uint32_t children[WIDE_MOST])
{
    if (!emitter->collapse->leaf[node])
        return wide_children(emitter->collapse, emitter->tree, node, children);
    children[0] = node;
    return 1;
}

static void gather_boxes(const struct emitter *emitter, const uint32_t *children, uint32_t count,
                         struct wide_children_boxes *boxes)
{
    boxes->count = count;
    boxes->slots = emitter->content.slot_count;
    for (uint32_t c = 0; c < count; ++c) {
        memcpy(boxes->low[c], emitter->tree->nodes[children[c]].low, sizeof boxes->low[c]);
        memcpy(boxes->high[c], emitter->tree->nodes[children[c]].high, sizeof boxes->high[c]);
    }
}

// Puts a child in its slot, and gives it its place: inner nodes behind those that have one, triangles alike.
static void fill_slot(struct emitter *emitter, uint32_t child, struct wide_slot *slot)
{
    const struct tree_node *from = &emitter->tree->nodes[child];
    *slot = (struct wide_slot){.present = true, .inner = !emitter->collapse->leaf[child]};
    memcpy(slot->low, from->low, sizeof slot->low);
    memcpy(slot->high, from->high, sizeof slot->high);
    if (slot->inner) {
        slot->node = emitter->node_count++;
        return;
    }
    slot->first = emitter->ordered;
    slot->count = emitter->collapse->sizes[child];
    wide_triangles(emitter->tree, child, &emitter->order[slot->first]);
    emitter->ordered += slot->count;
    emitter->tests += (double)tree_node_area(from) * slot->count;
    ++emitter->leaves;
}

static void emit_node(struct emitter *emitter, const struct pending *from)
{
    struct wide_content *content = &emitter->content;
    struct wide_children_boxes boxes;
    uint32_t children[WIDE_MOST], slot_of[WIDE_MOST], child_in[WIDE_MOST];
    const uint32_t count = children_of(emitter, from->tree_node, children);
    gather_boxes(emitter, children, count, &boxes);
    content->axes = wide_axes(&boxes);
    wide_order(emitter->options->child_order, content->axes, &boxes, slot_of);
    memset(content->slots, 0, sizeof content->slots);
    for (uint32_t s = 0; s < WIDE_MOST; ++s)
        child_in[s] = WIDE_MOST;
    for (uint32_t c = 0; c < count; ++c)
        child_in[slot_of[c]] = c;
    content->nodes = emitter->node_count;
    content->triangles = emitter->ordered;
    for (uint32_t s = 0; s < content->slot_count; ++s)
        if (child_in[s] < count)
            fill_slot(emitter, children[child_in[s]], &content->slots[s]);
    for (uint32_t s = content->slot_count; s-- > 0;) // depth first
        if (content->slots[s].inner)
            emitter->stack[emitter->waiting++] = (struct pending){children[child_in[s]], content->slots[s].node,
                                                                  from->depth + 1, from->held + count - 1};
    const bool compressed = emitter->options->kind == TREE_WIDE_COMPRESSED;
    (compressed ? wide_write_compressed : wide_write)(content, emitter->nodes + from->index * emitter->node_bytes);
    emitter->steps += (double)tree_node_area(&emitter->tree->nodes[from->tree_node]);
    emitter->deepest = from->depth > emitter->deepest ? from->depth : emitter->deepest;
    emitter->held_most = from->held + count > emitter->held_most ? from->held + count : emitter->held_most;
}

static uint32_t count_nodes(struct emitter *emitter)
{
    uint32_t nodes = 0, children[WIDE_MOST];
    emitter->stack[0].tree_node = 0;
    emitter->waiting = 1;
    while (emitter->waiting > 0) {
        const uint32_t node = emitter->stack[--emitter->waiting].tree_node;
        const uint32_t count = children_of(emitter, node, children);
        ++nodes;
        for (uint32_t c = 0; c < count; ++c)
            if (!emitter->collapse->leaf[children[c]])
                emitter->stack[emitter->waiting++].tree_node = children[c];
    }
    return nodes;
}

static void emit_all(struct emitter *emitter)
{
    emitter->stack[0] = (struct pending){.depth = 1, .held = 1};
    emitter->waiting = emitter->node_count = 1;
    while (emitter->waiting > 0) {
        const struct pending from = emitter->stack[--emitter->waiting];
        emit_node(emitter, &from);
    }
}

static char *allocate_nodes(uint64_t bytes)
{
    enum { LINE = 128 };
    char *nodes = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    if (nodes)
        memset(nodes, 0, bytes);
    return nodes;
}

static bool no_memory(uint32_t triangles, struct error *error)
{
    return error_memory(error, "for a tree over %u triangles", triangles);
}

static struct emitter emitter_make(const struct bvh_tree *tree, const struct wide_collapse *collapse,
                                   const struct scene_tree_options *options)
{
    const uint32_t bytes = wide_tree_node_bytes(options);
    return (struct emitter){.tree = tree,
                            .collapse = collapse,
                            .options = options,
                            .node_bytes = bytes,
                            .content = {.slot_count = 2u << options->tree_width, .node_bytes = bytes}};
}

static bool too_large(const struct emitter *emitter, uint64_t nodes)
{
    return nodes * emitter->node_bytes / 16 > INT32_MAX || emitter->held_most > WIDE_STACK ||
           emitter->deepest >= TREE_STACK;
}

// Sets nodes and facts of `to`, and *order, for free(). *order remains NULL where walks would need too large a stack.
static bool wide_emit(struct emitter *emitter, struct tree *to, uint32_t **order, struct error *error)
{
    const uint32_t triangles = emitter->tree->triangle_count;
    emitter->stack = malloc(((size_t)triangles + 1) * sizeof *emitter->stack);
    emitter->order = malloc((size_t)triangles * sizeof *emitter->order);
    const uint64_t nodes = emitter->stack && emitter->order ? count_nodes(emitter) : 0;
    emitter->nodes = nodes ? allocate_nodes(nodes * emitter->node_bytes) : NULL;
    if (emitter->nodes)
        emit_all(emitter);
    free(emitter->stack);
    if (!emitter->nodes || too_large(emitter, nodes)) {
        free(emitter->order);
        free(emitter->nodes);
        return emitter->nodes || no_memory(triangles, error);
    }
    const double root = (double)tree_node_area(&emitter->tree->nodes[0]);
    to->nodes = to->owned[0] = emitter->nodes;
    to->node_count = emitter->node_count;
    to->facts = (struct tree_facts){.leaf_size = emitter->options->leaf_size,
                                    .depth = emitter->deepest,
                                    .leaves = emitter->leaves,
                                    .references = triangles,
                                    .sah_cost = root > 0.0 ? (emitter->steps + emitter->tests) / root : 0.0};
    *order = emitter->order;
    return true;
}

// `*order` remains NULL where walks would need too large a stack.
static bool try_width(const struct bvh_tree *binary, const struct scene_tree_options *options, uint32_t width,
                      struct tree *to, uint32_t **order, struct error *error)
{
    const struct wide_options wanted = {
        .width = width, .leaf_size = options->leaf_size, .node_cost = node_cost, .triangle_cost = triangle_cost};
    struct wide_collapse collapse;
    bool done = wide_collapse(binary, &wanted, &collapse, error);
    if (done) {
        struct emitter emitter = emitter_make(binary, &collapse, options);
        done = wide_emit(&emitter, to, order, error);
    }
    wide_collapse_finish(&collapse);
    return done;
}

// With fewer children a node walks need less of a stack: as many entries as a binary tree has levels at worst, and the
// depth of one without reinsertion is bounded.
static bool build_once(const struct triangle *triangles, uint32_t count, const struct tree_build_options *options,
                       bool reinsert, struct tree *to, uint32_t **order, struct error *error)
{
    const struct bvh_options wanted = {
        .leaf_size = options->tree.leaf_size, .bins = options->tree.bins, .threads = options->threads};
    const struct tree_input input = tree_input_make(triangles, count, options);
    struct bvh_tree binary = {.threads = options->threads};
    bool done = bvh_tree_build(&binary, &input, &wanted, error) && (!reinsert || tree_reinsert(&binary, error));
    for (uint32_t width = 2u << options->tree.tree_width; done && !*order && width >= 2; width /= 2) {
        done = try_width(&binary, &options->tree, width, to, order, error);
        if (reinsert)
            break;
    }
    free(binary.nodes);
    return done;
}

static bool build_empty(const struct scene_tree_options *options, struct tree *tree, struct error *error)
{
    struct wide_content content = {.slot_count = 2u << options->tree_width,
                                   .node_bytes = wide_tree_node_bytes(options)};
    char *node = allocate_nodes(content.node_bytes);
    if (!node)
        return no_memory(0, error);
    (options->kind == TREE_WIDE_COMPRESSED ? wide_write_compressed : wide_write)(&content, node);
    tree->nodes = tree->owned[0] = node;
    tree->node_count = 1;
    tree->facts = (struct tree_facts){.leaf_size = options->leaf_size, .depth = 1};
    return true;
}

static bool wide_build(const struct triangle *triangles, uint32_t count, const struct tree_build_options *options,
                       struct tree *tree, struct error *error)
{
    uint32_t *order = NULL;
    if (count > 1u << (31 - BVH_LEAF_COUNT_BITS))
        return error_set(error, ERROR_INPUT, "%u triangles are more than a tree can hold, %u", count,
                         1u << (31 - BVH_LEAF_COUNT_BITS));
    if (count == 0)
        return build_empty(&options->tree, tree, error);
    if (!build_once(triangles, count, options, true, tree, &order, error) ||
        (!order && !build_once(triangles, count, options, false, tree, &order, error)))
        return false;
    if (!order)
        return error_set(error, ERROR_UNSUPPORTED, "%u triangles need more nodes than a wide tree can name", count);
    struct triangle *ordered = malloc(count * sizeof *ordered);
    for (uint32_t i = 0; ordered && i < count; ++i)
        ordered[i] = triangles[order[i]];
    free(order);
    tree->triangles = tree->owned[1] = ordered;
    return ordered || no_memory(count, error);
}

// Of leaves those of no triangles are none, WIDE_EMPTY.
static bool wide_visit(void *nodes, uint64_t count, const struct scene_tree_options *options,
                       bool (*visit)(void *context, int32_t *child), void *context)
{
    const uint32_t slots = 2u << options->tree_width;
    const uint64_t words = wide_tree_node_bytes(options) / sizeof(int32_t);
    for (uint64_t i = 0; i < count * slots; ++i) {
        int32_t *const child = (int32_t *)nodes + i / slots * words + WIDE_CHILD_ROW * slots + i % slots;
        if ((*child >= 0 || bvh_leaf_count(*child) > 0) && !visit(context, child))
            return false;
    }
    return true;
}

const struct tree_kind tree_kind_wide_plain = {
    .source = HOST_SOURCE_TREE_wide,
    .image = TREE_WIDE,
    .own_order = true,
    .build = wide_build,
    .reader = &wide_reader,
    .children = wide_visit,
};

const struct tree_kind tree_kind_wide_compressed = {
    .source = HOST_SOURCE_TREE_wide,
    .node_size = sizeof(struct wide_compressed_node),
    .image = TREE_WIDE_COMPRESSED,
    .own_order = true,
    .build = wide_build,
    .reader = &wide_compressed_reader,
};
