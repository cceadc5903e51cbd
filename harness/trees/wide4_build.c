// SPDX-License-Identifier: MIT
// The tree wide4: the binary tree of boxes, over triangles or fragments, collapsed to four children a node, and written
// in nodes of 64 bytes on the scene's grid and records of 64 bytes.
//
// Boxes are rounded outwards to the grid, whose steps are at most 1/24,576 of the scene's extent. Where details are so small
// that rounding hides them from one another, nodes are of 128 bytes instead, and their boxes floats: where a ray that meets
// a node would meet, in the mean over all nodes and by the surface-area heuristic, one and a half times as many of its
// children as with exact boxes. Fragments lie on the grid themselves: over them nodes never have floats.
#include "trees/wide4_float.h"

#include <stdlib.h>
#include <string.h>

#include "trees/bvh.h"
#include "trees/bvh_tree.h"
#include "trees/wide_collapse.h"
#include "trees/tree_readers.h"
#include "source_hashes.h" // made at build time: HOST_SOURCE_TREE_<kind>

enum { BINS = 32 };

// Of a step and of a triangle test, by experiment on a GPU.
static const struct wide_options collapse_options = {
    .width = 4, .leaf_size = WIDE4_LEAF_MAX, .node_cost = 1.0f, .triangle_cost = 0.6f};

struct piece {
    uint32_t words[4];
};
_Static_assert(sizeof(struct piece) == WIDE4_PIECE && sizeof(struct wide4_node) == WIDE4_PIECES * WIDE4_PIECE &&
                   sizeof(struct wide4_record) == WIDE4_PIECES * WIDE4_PIECE,
               "layout");

// A node that is to be written, and its place, which its parent already names.
struct pending {
    uint32_t node, place, depth;
};

struct emitter {
    const struct bvh_tree *tree;
    const struct wide_collapse *collapse;
    const struct tree_input *input;
    struct piece *pieces;
    uint32_t end; // pieces given away
    struct pending *stack;
    uint32_t waiting;
    struct tree_facts facts;
    double root_area;
    bool floats;
};

// Of the children that are met on the grid over those with exact boxes: from here on boxes are floats, whose nodes take twice the
// memory. On the dragon, where it is 1.13, the ray set diffuse2 takes 1.5 times as long over floats on an H200.
static const double float_worth = 1.5;

// ---- nodes

static void write_record(struct emitter *emitter, uint32_t part, uint32_t place)
{
    const struct tree_input *input = emitter->input;
    const uint32_t id = tree_input_triangle(input, part);
    const struct triangle *triangle = &input->triangles[id];
    const struct vec3 normal = triangle_cross(triangle);
    struct wide4_record record = {.v0 = triangle->v0,
                                  .normal_x = normal.x,
                                  .v1 = triangle->v1,
                                  .normal_y = normal.y,
                                  .v2 = triangle->v2,
                                  .normal_z = normal.z};
    if (input->fragments)
        record.fragment = input->fragments[part];
    record.fragment.triangle = triangle->id;
    memcpy(&emitter->pieces[place], &record, sizeof record);
}

// A node that is being filled, in either form.
union node {
    struct wide4_node grid;
    struct wide4_float_node floats;
};
_Static_assert(offsetof(struct wide4_node, base) == offsetof(struct wide4_float_node, base) &&
                   offsetof(struct wide4_node, children) == offsetof(struct wide4_float_node, children) &&
                   offsetof(struct wide4_node, form) == offsetof(struct wide4_float_node, form),
               "the same place in both");

static void grid_box(const struct emitter *emitter, const struct tree_node *box, uint32_t ends[3])
{
    tree_input_steps(emitter->input, vec3_make(box->low[0], box->low[1], box->low[2]),
                     vec3_make(box->high[0], box->high[1], box->high[2]), ends);
}

static void set_ends(const struct emitter *emitter, const struct tree_node *box, uint32_t child, union node *node)
{
    uint32_t ends[3];
    grid_box(emitter, box, ends);
    for (int axis = 0; axis < 3; ++axis) {
        if (emitter->floats) {
            node->floats.low[axis][child] = box->low[axis];
            node->floats.high[axis][child] = box->high[axis];
        } else {
            node->grid.ends[axis][child] = ends[axis];
        }
    }
}

// A ray from very far off may meet even an empty child, and then finds the first one again.
static void set_empty(bool floats, union node *node, uint32_t child)
{
    for (int axis = 0; axis < 3; ++axis) {
        if (floats) {
            node->floats.low[axis][child] = node->floats.high[axis][child] = wide4_float_empty(axis);
        } else {
            node->grid.ends[axis][child] = WIDE4_EMPTY;
        }
    }
    node->grid.children |= (node->grid.children & 0xFFu) << 8 * child;
}

static uint32_t node_pieces(const struct emitter *emitter)
{
    return emitter->floats ? WIDE4_FLOAT_PIECES : WIDE4_PIECES;
}

// Inner nodes first, those with the larger boxes, likelier to be visited next, before the others.
static void order_children(const struct emitter *emitter, uint32_t *children, uint32_t count)
{
    const bool *leaf = emitter->collapse->leaf;
    for (uint32_t i = 1; i < count; ++i) {
        const uint32_t moved = children[i];
        const float area = tree_node_area(&emitter->tree->nodes[moved]);
        uint32_t j = i;
        for (; j > 0; --j) {
            const uint32_t other = children[j - 1];
            if (leaf[other] != leaf[moved] ? leaf[moved]
                                           : leaf[moved] || tree_node_area(&emitter->tree->nodes[other]) >= area)
                break;
            children[j] = other;
        }
        children[j] = moved;
    }
}

static void write_leaf(struct emitter *emitter, uint32_t child, uint32_t place)
{
    uint32_t parts[WIDE4_LEAF_MAX];
    const uint32_t size = emitter->collapse->sizes[child];
    wide_triangles(emitter->tree, child, parts);
    for (uint32_t i = 0; i < size; ++i)
        write_record(emitter, parts[i], place + i * WIDE4_PIECES);
    ++emitter->facts.leaves;
    emitter->facts.sah_cost += size * (double)tree_node_area(&emitter->tree->nodes[child]) / emitter->root_area;
}

static void write_node(struct emitter *emitter, const struct pending *from, uint32_t *children, uint32_t count)
{
    const struct wide_collapse *collapse = emitter->collapse;
    union node node;
    uint32_t inner[4];
    uint32_t inners = 0;
    memset(&node, 0, sizeof node);
    node.grid.base = emitter->end;
    node.grid.form = emitter->floats ? WIDE4_FLOATS : 0;
    order_children(emitter, children, count);
    for (uint32_t c = 0; c < count; ++c) {
        const bool leaf = collapse->leaf[children[c]];
        const uint32_t size = leaf ? collapse->sizes[children[c]] : 0, place = emitter->end;
        const uint32_t kind = !leaf ? 0 : size == 2 ? WIDE4_LEAF | WIDE4_PAIR : WIDE4_LEAF;
        set_ends(emitter, &emitter->tree->nodes[children[c]], c, &node);
        node.grid.children |= (kind | (place - node.grid.base)) << 8 * c;
        emitter->end += leaf ? size * WIDE4_PIECES : node_pieces(emitter);
        if (leaf)
            write_leaf(emitter, children[c], place);
        else
            inner[inners++] = place;
    }
    for (uint32_t c = count; c < 4; ++c)
        set_empty(emitter->floats, &node, c);
    memcpy(&emitter->pieces[from->place], &node, (size_t)node_pieces(emitter) * WIDE4_PIECE);
    while (inners-- > 0)
        emitter->stack[emitter->waiting++] = (struct pending){children[inners], inner[inners], from->depth + 1};
}

// Each node's children in one block, behind the blocks of all that comes before the node depth first.
static void write_tree(struct emitter *emitter)
{
    const struct bvh_tree *tree = emitter->tree;
    emitter->root_area = (double)tree_node_area(&tree->nodes[0]);
    if (!(emitter->root_area > 0))
        emitter->root_area = 1;
    emitter->end = node_pieces(emitter);
    emitter->stack[emitter->waiting++] = (struct pending){0, 0, 1};
    while (emitter->waiting > 0) {
        const struct pending from = emitter->stack[--emitter->waiting];
        uint32_t children[WIDE_MOST] = {0}, count = 1;
        if (!emitter->collapse->leaf[from.node]) // only the root may be one
            count = wide_children(emitter->collapse, tree, from.node, children);
        write_node(emitter, &from, children, count);
        ++emitter->facts.nodes;
        emitter->facts.depth = from.depth > emitter->facts.depth ? from.depth : emitter->facts.depth;
        emitter->facts.sah_cost += (double)tree_node_area(&tree->nodes[from.node]) / emitter->root_area;
    }
}

// ---- memory

static bool no_memory(uint32_t count, struct error *error)
{
    return error_memory(error, "for a tree over %u triangles", count);
}

static double grid_area(const struct emitter *emitter, const struct tree_node *node)
{
    const struct scene_grid *grid = &emitter->input->grid;
    struct fragment rounded = {.triangle = 0};
    struct vec3 low, high;
    grid_box(emitter, node, rounded.box);
    fragment_box(&rounded, grid->span, &low, &high);
    return (double)tree_half_area((const float[]){low.x, low.y, low.z}, (const float[]){high.x, high.y, high.z});
}

// By the surface-area heuristic, how many children a ray meets that meets the node: adds it with exact boxes and on the grid.
static void add_met(const struct emitter *emitter, uint32_t node, const uint32_t *children, uint32_t count,
                    double *exact, double *rounded)
{
    const struct tree_node *nodes = emitter->tree->nodes;
    const double area = (double)tree_node_area(&nodes[node]), grid = grid_area(emitter, &nodes[node]);
    for (uint32_t c = 0; area > 0 && c < count; ++c) {
        *exact += (double)tree_node_area(&nodes[children[c]]) / area;
        *rounded += grid_area(emitter, &nodes[children[c]]) / grid;
    }
}

// Counts the nodes, and chooses their form.
static uint32_t plan_nodes(struct emitter *emitter)
{
    const struct wide_collapse *collapse = emitter->collapse;
    double exact = 0, rounded = 0;
    uint32_t nodes = 0;
    emitter->stack[0].node = 0;
    emitter->waiting = 1;
    while (emitter->waiting > 0) {
        const uint32_t node = emitter->stack[--emitter->waiting].node;
        uint32_t children[WIDE_MOST], count = 0;
        ++nodes;
        if (!collapse->leaf[node])
            count = wide_children(collapse, emitter->tree, node, children);
        add_met(emitter, node, children, count, &exact, &rounded);
        for (uint32_t c = 0; c < count; ++c)
            if (!collapse->leaf[children[c]])
                emitter->stack[emitter->waiting++].node = children[c];
    }
    emitter->floats = rounded > float_worth * exact;
    return nodes;
}

static bool emit_all(struct emitter *emitter, struct tree *tree)
{
    const uint64_t nodes = plan_nodes(emitter);
    const uint64_t pieces = nodes * node_pieces(emitter) + (uint64_t)emitter->input->count * WIDE4_PIECES;
    emitter->pieces = aligned_alloc(64, pieces * WIDE4_PIECE);
    if (!emitter->pieces)
        return false;
    write_tree(emitter);
    emitter->facts.references = emitter->input->count;
    emitter->facts.leaf_size = WIDE4_LEAF_MAX;
    tree->nodes = tree->owned[0] = emitter->pieces;
    tree->node_count = emitter->end;
    tree->facts = emitter->facts;
    return true;
}

static bool wide4_emit(const struct bvh_tree *binary, const struct tree_input *input, struct tree *tree,
                       struct error *error)
{
    struct wide_collapse collapse;
    struct emitter emitter = {.tree = binary, .collapse = &collapse, .input = input};
    bool done = wide_collapse(binary, &collapse_options, &collapse, error);
    if (done) {
        emitter.stack = malloc(((size_t)input->count + 1) * sizeof *emitter.stack);
        done = (emitter.stack && emit_all(&emitter, tree)) || no_memory(input->count, error);
    }
    free(emitter.stack);
    wide_collapse_finish(&collapse);
    return done;
}

// ---- building

static bool build_once(const struct tree_input *input, const struct bvh_options *how, struct tree *tree,
                       struct error *error)
{
    struct bvh_tree binary = {.threads = how->threads};
    const bool done = bvh_tree_build(&binary, input, how, error) && (how->as_split || tree_reinsert(&binary, error)) &&
                      wide4_emit(&binary, input, tree, error);
    free(binary.nodes);
    return done;
}

// A root with four empty children, which lead to a triangle that no ray meets.
static bool build_empty(struct tree *tree, struct error *error)
{
    enum { BYTES = 2 * WIDE4_PIECES * WIDE4_PIECE };
    union node node = {.grid = {.base = WIDE4_PIECES, .children = WIDE4_LEAF}};
    for (uint32_t c = 0; c < 4; ++c)
        set_empty(false, &node, c);
    char *nodes = aligned_alloc(64, BYTES);
    if (!nodes)
        return no_memory(0, error);
    memset(nodes, 0, BYTES);
    memcpy(nodes, &node.grid, sizeof node.grid);
    tree->owned[0] = nodes;
    tree->nodes = nodes;
    tree->node_count = 2 * WIDE4_PIECES;
    tree->facts = (struct tree_facts){.leaf_size = WIDE4_LEAF_MAX, .depth = 1, .nodes = 1};
    return true;
}

// Deterministic: same input, same bits, on any number of threads. Fails without memory, and where there are more than
// 2^26 triangles or fragments.
static bool wide4_build(const struct triangle *triangles, uint32_t count, const struct tree_build_options *options,
                        struct tree *tree, struct error *error)
{
    const struct tree_input input = tree_input_make(triangles, count, options);
    struct bvh_options how = {
        .leaf_size = 1, .bins = BINS, .threads = options->threads, .as_split = options->tree.as_split};
    if (input.count > WIDE4_PIECES_MAX / (WIDE4_FLOAT_PIECES + WIDE4_PIECES) - 1)
        return error_set(error, ERROR_INPUT, "%u triangles are more than a tree can hold", input.count);
    if (input.count == 0)
        return build_empty(tree, error);
    if (!build_once(&input, &how, tree, error))
        return false;
    if (tree->facts.depth <= WIDE4_DEPTH_MAX)
        return true;
    free(tree->owned[0]);
    tree->owned[0] = NULL;
    how.as_split = 1;
    how.depth = WIDE4_DEPTH_MAX; // of the binary tree, and so of what it collapses to
    return build_once(&input, &how, tree, error);
}

// Most bytes a triangle or fragment that are in use at once while a tree is built: 64 of nodes of the binary tree, 26 of
// what becomes of them, 12 of a stack, 64 of its record and 128 at most of wide nodes, of which there are in fact few.
enum { WIDE4_BUILD_BYTES = 296 };

const struct tree_kind tree_kind_wide4 = {
    .source = HOST_SOURCE_TREE_wide4,
    .node_size = WIDE4_PIECE,
    .image = TREE_WIDE4,
    .build_bytes = WIDE4_BUILD_BYTES,
    .reinserts = true,
    .splits = true,
    .watertight = true,
    .build = wide4_build,
    .reader = &wide4_reader,
};
