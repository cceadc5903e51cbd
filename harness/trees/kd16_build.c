// SPDX-License-Identifier: MIT
// kd-tree of 16-byte nodes: greedy surface-area heuristic over all planes at which a triangle's widened box begins or
// ends (Wald and Havran 2006), every triangle in every cell that its box reaches into.
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "trees/kd_layouts.h"
#include "trees/kd16_split.h"
#include "trees/kd_arrange.h"
#include "geometry/parallel.h"
#include "trees/tree_readers.h"
#include "source_hashes.h" // made at build time: HOST_SOURCE_TREE_<kind>

enum { TASK_GRAIN = 4096 }; // a part of at most this many triangles is finished by one thread

// A node while the tree is being built.
struct part {
    struct part *children[2]; // NULL: a leaf
    uint32_t *triangles;      // ascending; NULL of an inner node, and of none
    uint32_t count;
    uint32_t axis;
    float split;
};

struct task {
    struct part *part;
    struct kd16_box cell;
    uint32_t depth;
};

struct builder {
    struct kd16_box *boxes; // the triangles' own, widened
    uint32_t depth_most;
    uint64_t references_most;
    _Atomic uint64_t references; // of all parts that there are now
    atomic_bool no_memory;
    struct task *tasks, *next;
};

static bool give_up(struct builder *builder)
{
    return atomic_load(&builder->no_memory) || atomic_load(&builder->references) > builder->references_most;
}

static struct part *part_make(struct builder *builder, uint32_t count)
{
    struct part *part = calloc(1, sizeof *part);
    if (part)
        part->triangles = malloc(((size_t)count + 1) * sizeof *part->triangles);
    if (!part || !part->triangles) {
        atomic_store(&builder->no_memory, true);
        free(part);
        return NULL;
    }
    atomic_fetch_add(&builder->references, count);
    return part;
}

static void part_destroy(struct part *part)
{
    if (!part)
        return;
    part_destroy(part->children[0]);
    part_destroy(part->children[1]);
    free(part->triangles);
    free(part);
}

// Hands the part's triangles on to two children. A flat one in the plane itself goes to the left.
static bool hand_on(struct builder *builder, struct part *part, const struct kd16_plane *plane)
{
    const uint32_t axis = plane->axis, count = part->count;
    uint32_t sizes[2] = {0, 0};
    for (uint32_t i = 0; i < count; ++i) {
        const struct kd16_box *box = &builder->boxes[part->triangles[i]];
        const bool right = box->high[axis] > plane->position;
        sizes[0] += !right || box->low[axis] < plane->position;
        sizes[1] += right;
    }
    for (int side = 0; side < 2; ++side)
        if (!(part->children[side] = part_make(builder, sizes[side])))
            return false;
    struct part *left = part->children[0], *right = part->children[1];
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t triangle = part->triangles[i];
        const struct kd16_box *box = &builder->boxes[triangle];
        const bool beyond = box->high[axis] > plane->position;
        if (!beyond || box->low[axis] < plane->position)
            left->triangles[left->count++] = triangle;
        if (beyond)
            right->triangles[right->count++] = triangle;
    }
    part->axis = axis;
    part->split = plane->position;
    atomic_fetch_sub(&builder->references, count);
    free(part->triangles);
    part->triangles = NULL;
    part->count = 0;
    return true;
}

// False where the part stays a leaf; else gives the tasks of its children.
static bool split_part(struct builder *builder, const struct task *task, struct task children[2])
{
    struct part *part = task->part;
    struct kd16_plane plane;
    if (part->count == 0 || task->depth >= builder->depth_most || give_up(builder))
        return false;
    if (!kd16_best_plane(builder->boxes, part->triangles, part->count, &task->cell, &plane)) {
        atomic_store(&builder->no_memory, true);
        return false;
    }
    if (!(plane.cost < kd16_leaf_cost(part->count)) || !hand_on(builder, part, &plane))
        return false;
    for (int side = 0; side < 2; ++side)
        children[side] = (struct task){part->children[side], task->cell, task->depth + 1};
    children[0].cell.high[plane.axis] = plane.position;
    children[1].cell.low[plane.axis] = plane.position;
    return true;
}

static void build_subtree(struct builder *builder, const struct task *task)
{
    struct task children[2];
    if (!split_part(builder, task, children))
        return;
    build_subtree(builder, &children[0]);
    build_subtree(builder, &children[1]);
}

static void build_task(void *context, uint32_t i)
{
    struct builder *builder = context;
    struct task *children = &builder->next[2 * (size_t)i];
    children[0].part = children[1].part = NULL;
    if (builder->tasks[i].part->count <= TASK_GRAIN)
        build_subtree(builder, &builder->tasks[i]);
    else
        split_part(builder, &builder->tasks[i], children);
}

// Level by level: each task splits one part, so that the tasks of the next level can run at once.
static void build_levels(struct builder *builder, const struct task *root, uint32_t threads)
{
    uint32_t count = 1;
    builder->tasks = malloc(sizeof *builder->tasks);
    if (builder->tasks)
        builder->tasks[0] = *root;
    while (builder->tasks && count > 0) {
        builder->next = malloc(2 * (size_t)count * sizeof *builder->next);
        if (!builder->next)
            break;
        parallel_for(threads, count, build_task, builder);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < 2 * count; ++i)
            if (builder->next[i].part)
                builder->next[kept++] = builder->next[i];
        free(builder->tasks);
        builder->tasks = builder->next;
        count = kept;
    }
    if (count > 0)
        atomic_store(&builder->no_memory, true);
    free(builder->tasks);
}

// ---- the final form

struct emitter {
    struct kd16_node *nodes;
    uint32_t *references;
    uint64_t node_count, reference_count;
    struct tree_facts facts;
    double area_steps, area_tests;
};

static uint32_t links_of(const struct part *part)
{
    return part->count > KD16_LEAF_MAX ? (part->count + KD16_LEAF_MAX - 1) / KD16_LEAF_MAX : 1;
}

static void kd16_measure_costs(struct emitter *emitter, const struct part *part, uint32_t depth)
{
    emitter->facts.depth = depth > emitter->facts.depth ? depth : emitter->facts.depth;
    emitter->node_count += part->children[0] ? 1 : links_of(part);
    emitter->reference_count += part->count;
    for (int side = 0; side < 2 && part->children[0]; ++side)
        kd16_measure_costs(emitter, part->children[side], depth + 1);
}

// A leaf, and the leaves that it goes on in.
static void emit_leaf(struct emitter *emitter, const struct part *part)
{
    uint32_t done = 0;
    do {
        const uint32_t rest = part->count - done, count = rest < KD16_LEAF_MAX ? rest : KD16_LEAF_MAX;
        struct kd16_node *node = &emitter->nodes[emitter->node_count++];
        *node = (struct kd16_node){.head = count << KD16_COUNT | KD16_IS_LEAF,
                                   .right = rest > count ? (uint32_t)emitter->node_count : 0,
                                   .first = (uint32_t)emitter->reference_count};
        if (count > 0)
            memcpy(emitter->references + emitter->reference_count, part->triangles + done, count * sizeof(uint32_t));
        emitter->reference_count += count;
        done += count;
    } while (done < part->count);
    ++emitter->facts.leaves;
    emitter->facts.chains += part->count > KD16_LEAF_MAX;
}

// Depth first, the left child behind its parent.
static uint32_t kd16_emit(struct emitter *emitter, const struct part *part, const struct kd16_box *cell)
{
    const uint32_t index = (uint32_t)emitter->node_count;
    const double area = kd16_area(cell);
    if (!part->children[0]) {
        emitter->area_tests += area * part->count;
        emit_leaf(emitter, part);
        return index;
    }
    struct kd16_box low = *cell, high = *cell;
    low.high[part->axis] = high.low[part->axis] = part->split;
    ++emitter->node_count;
    emitter->area_steps += area;
    const uint32_t left = kd16_emit(emitter, part->children[0], &low),
                   right = kd16_emit(emitter, part->children[1], &high);
    emitter->nodes[index] =
        (struct kd16_node){.head = part->axis << KD16_AXIS | left, .split = part->split, .right = right};
    return index;
}

static bool too_large(const char *what, uint64_t most, uint32_t count, struct error *error)
{
    error_set(error, ERROR_UNSUPPORTED, "a kd-tree of 16-byte nodes over %u triangles needs more than %llu %s", count,
              (unsigned long long)most, what);
    return error_remedy(error, "choose tree=binary");
}

static bool write_tree(const struct part *root, const struct kd16_box *cell, uint32_t count, uint64_t nodes_most,
                       struct tree *tree, struct error *error)
{
    struct emitter emitter = {.facts = {.leaf_size = KD16_LEAF_MAX}};
    kd16_measure_costs(&emitter, root, 0);
    if (emitter.node_count > nodes_most)
        return too_large("nodes", nodes_most, count, error);
    tree->owned[0] = emitter.nodes = aligned_alloc(64, (emitter.node_count * sizeof *emitter.nodes + 63) / 64 * 64);
    tree->owned[1] = emitter.references = malloc((emitter.reference_count + 1) * sizeof *emitter.references);
    if (!emitter.nodes || !emitter.references)
        return error_memory(error, "for a tree over %u triangles", count);
    emitter.node_count = emitter.reference_count = 0;
    kd16_emit(&emitter, root, cell);
    emitter.facts.references = emitter.reference_count;
    const double area = kd16_area(cell);
    emitter.facts.sah_cost = area > 0 ? (emitter.area_steps + emitter.area_tests) / area : 0;
    tree->nodes = emitter.nodes;
    tree->references = emitter.references;
    tree->node_count = emitter.node_count;
    tree->reference_count = emitter.reference_count;
    tree->facts = emitter.facts;
    tree->facts.nodes = emitter.node_count;
    return true;
}

// ---- beginning

static void make_boxes(struct builder *builder, const struct tree_input *input, struct task *root)
{
    for (uint32_t i = 0; i < input->count; ++i) {
        struct vec3 low, high;
        tree_input_box(input, i, &low, &high);
        builder->boxes[i] = (struct kd16_box){{low.x, low.y, low.z}, {high.x, high.y, high.z}};
        for (int axis = 0; axis < 3; ++axis) {
            root->cell.low[axis] = fminf(i ? root->cell.low[axis] : INFINITY, builder->boxes[i].low[axis]);
            root->cell.high[axis] = fmaxf(i ? root->cell.high[axis] : -INFINITY, builder->boxes[i].high[axis]);
        }
        root->part->triangles[root->part->count++] = i;
    }
}

// 8 + 1.3 log2 n
static uint32_t depth_limit(uint32_t count)
{
    uint32_t tenths = 80;
    for (uint32_t n = count; n > 1; n /= 2)
        tenths += 13;
    return tenths / 10;
}

// Deterministic: same input, same bits, on any number of threads. Fails without memory, and where there are more nodes
// or references than a node's fields can name.
static bool kd16_build(const struct triangle *triangles, uint32_t whole, const struct tree_build_options *options,
                       struct tree *tree, struct error *error)
{
    const struct tree_input input = tree_input_make(triangles, whole, options);
    const uint32_t count = input.count;
    const uint64_t nodes_most = options->nodes_most ? options->nodes_most : KD16_NODES_MAX;
    struct builder builder = {.depth_most = depth_limit(count),
                              .references_most =
                                  options->references_most ? options->references_most : KD16_REFERENCES_MAX,
                              .boxes = malloc(((size_t)count + 1) * sizeof *builder.boxes)};
    struct task root = {.part = builder.boxes ? part_make(&builder, count) : NULL};
    if (root.part) {
        make_boxes(&builder, &input, &root);
        build_levels(&builder, &root, options->threads);
    }
    bool done = false;
    if (!root.part || atomic_load(&builder.no_memory))
        error_memory(error, "for a tree over %u triangles", count);
    else if (atomic_load(&builder.references) > builder.references_most)
        too_large("references to triangles", builder.references_most, count, error);
    else
        done = write_tree(root.part, &root.cell, count, nodes_most, tree, error);
    part_destroy(root.part);
    free(builder.boxes);
    return done;
}

#define KD_LAYOUT(NAME, name, bytes, form)                                                                             \
    const struct tree_kind tree_kind_##name = {                                                                        \
        .source = HOST_SOURCE_TREE_kd16,                                                                               \
        .node_size = sizeof(struct kd16_node),                                                                         \
        .image = TREE_KD16,                                                                                            \
        .own_maps = !((form)&KD_TRIANGLES_SPLIT),                                                                      \
        .splits = TREE_##NAME == TREE_KD16,                                                                            \
        .build = kd16_build,                                                                                           \
        .reader = &kd16_reader,                                                                                        \
        .arrange = kd_arrange,                                                                                         \
    };
#include "trees/kd_layouts.def"
#undef KD_LAYOUT
