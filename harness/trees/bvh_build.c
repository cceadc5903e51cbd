// SPDX-License-Identifier: MIT
// Top-down construction.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trees/traverse.h"
#include "trees/bvh.h"
#include "trees/bvh_split.h"
#include "trees/bvh_tree.h"
#include "geometry/parallel.h"
#include "trees/tree_input.h"

enum {
    TASK_GRAIN = 4096, // a node of at most this many triangles is finished by one thread
    CHUNK = 16384      // triangles per step of the parallel set-up
};

// A node still to be built over references [first, first + count). `pair` is where its children will stand: a subtree
// of n triangles has n - 1 pairs, so every subtree knows its places before its siblings are built.
struct task {
    uint32_t node, first, count, pair, depth;
};

struct builder {
    const struct tree_input *input;
    uint32_t bins, depth_most;
    struct reference *references;
    struct bvh_tree *tree;
    struct task *tasks, *next;
};

// ---- nodes

// Whether a subtree of `count` triangles at `depth` must be halved from here on to stay within the depth limit.
static bool must_halve(uint32_t count, uint32_t depth, uint32_t depth_most)
{
    uint32_t levels = 0;
    while (((uint64_t)1 << levels) < count)
        ++levels;
    return depth + levels + 1 > depth_most;
}

// Reorders the task's references; returns how many go to the left: at least one, not all.
static uint32_t split_references(const struct builder *builder, const struct task *task, const struct box4 *centroids)
{
    struct reference *references = builder->references + task->first;
    if (task->count == 2 || must_halve(task->count, task->depth, builder->depth_most))
        return task->count / 2;
    const struct split split = split_find(references, task->count, centroids, builder->bins);
    return split.cost < INFINITY ? split_apply(references, task->count, &split) : task->count / 2;
}

// Sets the task's node. Returns false for a leaf; else gives the tasks of the two children.
static bool build_node(const struct builder *builder, const struct task *task, struct task children[2])
{
    struct tree_node *node = &builder->tree->nodes[task->node];
    struct box4 box, centroids;
    split_bounds(builder->references + task->first, task->count, &box, &centroids);
    float4_store(box.low, node->low);
    float4_store(box.high, node->high);
    if (task->count == 1) {
        node->child = ~(int32_t)builder->references[task->first].triangle;
        return false;
    }
    const uint32_t left = split_references(builder, task, &centroids), child = 2 * task->pair + 1;
    node->child = (int32_t)child;
    builder->tree->nodes[child].parent = builder->tree->nodes[child + 1].parent = task->node;
    children[0] = (struct task){child, task->first, left, task->pair + 1, task->depth + 1};
    children[1] = (struct task){child + 1, task->first + left, task->count - left, task->pair + left, task->depth + 1};
    return true;
}

static void build_subtree(const struct builder *builder, const struct task *task)
{
    struct task children[2];
    if (!build_node(builder, task, children))
        return;
    build_subtree(builder, &children[0]);
    build_subtree(builder, &children[1]);
}

static void build_task(void *context, uint32_t i)
{
    const struct builder *builder = context;
    struct task *children = &builder->next[2 * (size_t)i];
    children[0].count = children[1].count = 0;
    if (builder->tasks[i].count <= TASK_GRAIN)
        build_subtree(builder, &builder->tasks[i]);
    else
        build_node(builder, &builder->tasks[i], children);
}

static void make_references(void *context, uint32_t chunk)
{
    const struct builder *builder = context;
    const uint32_t first = chunk * CHUNK, left = builder->tree->triangle_count - first;
    for (uint32_t i = first; i < first + (left < CHUNK ? left : CHUNK); ++i) {
        struct vec3 low, high;
        tree_input_box(builder->input, i, &low, &high);
        builder->references[i] =
            (struct reference){.low = {low.x, low.y, low.z}, .triangle = i, .high = {high.x, high.y, high.z}};
    }
}

// Level by level: each task splits one node, so that the tasks of the next level can run at once.
static void build_levels(struct builder *builder)
{
    const uint32_t count = builder->tree->triangle_count;
    uint32_t tasks = 1;
    builder->tasks[0] = (struct task){.count = count};
    while (tasks > 0) {
        parallel_for(builder->tree->threads, tasks, build_task, builder);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < 2 * tasks; ++i)
            if (builder->next[i].count > 0)
                builder->tasks[kept++] = builder->next[i];
        tasks = kept;
    }
}

bool bvh_tree_build(struct bvh_tree *tree, const struct tree_input *input, const struct bvh_options *options,
                    struct error *error)
{
    const uint32_t count = input->count;
    // A level has at most this many nodes of more than TASK_GRAIN triangles, each with two children.
    const size_t tasks_max = 2 * ((size_t)count / TASK_GRAIN + 1);
    tree->triangle_count = count;
    tree->node_count = 2 * count - 1;
    tree->nodes = calloc(tree->node_count, sizeof *tree->nodes);
    struct builder builder = {.input = input,
                              .bins = options->bins,
                              .depth_most = options->depth ? options->depth : TREE_DEPTH_MAX,
                              .tree = tree,
                              .references = malloc(count * sizeof *builder.references),
                              .tasks = malloc(tasks_max * sizeof *builder.tasks),
                              .next = malloc(2 * tasks_max * sizeof *builder.next)};
    const bool enough = tree->nodes && builder.references && builder.tasks && builder.next;
    if (enough) {
        parallel_for(tree->threads, (count + CHUNK - 1) / CHUNK, make_references, &builder);
        build_levels(&builder);
    } else {
        error_memory(error, "for a tree over %u triangles", count);
    }
    free(builder.references);
    free(builder.tasks);
    free(builder.next);
    return enough;
}
