// SPDX-License-Identifier: MIT
// Top-down construction: binned SAH on all three axes, exact SAH by sorting where a node holds few triangles.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trees/traverse.h"
#include "scene/bvh.h"
#include "scene/bvh_tree.h"
#include "scene/parallel.h"

enum {
    BINS_MAX = 256,
    SORT_MAX = 32,     // most triangles for which all splits are tried
    TASK_GRAIN = 4096, // a node of at most this many triangles is finished by one thread
    CHUNK = 16384      // triangles per step of the parallel set-up
};

struct box {
    float low[3], high[3];
};

struct reference {
    float low[3];
    uint32_t triangle;
    float high[3];
    uint32_t unused;
};

// A node still to be built over references [first, first + count). `pair` is where its children will stand: a subtree
// of n triangles has n - 1 pairs, so every subtree knows its places before its siblings are built.
struct task {
    uint32_t node, first, count, pair, depth;
};

struct split {
    float cost; // left area * left count + right area * right count; INFINITY: none found
    int axis;
    uint32_t position; // first bin, or first sorted reference, of the right side
};

struct binning {
    float low[3], scale[3]; // scale 0: the axis has no extent
    uint32_t bins;
};

struct builder {
    const struct triangle *triangles;
    float pad;
    uint32_t bins;
    struct reference *references;
    struct bvh_tree *tree;
    struct task *tasks, *next;
};

static struct box box_empty(void)
{
    struct box box;
    for (int axis = 0; axis < 3; ++axis) {
        box.low[axis] = INFINITY;
        box.high[axis] = -INFINITY;
    }
    return box;
}

static float centroid(const struct reference *reference, int axis)
{
    return 0.5f * reference->low[axis] + 0.5f * reference->high[axis];
}

// ---- binned splits

static uint32_t bin_of(const struct binning *binning, const struct reference *reference, int axis)
{
    const uint32_t bin = (uint32_t)((centroid(reference, axis) - binning->low[axis]) * binning->scale[axis]);
    return bin < binning->bins ? bin : binning->bins - 1;
}

static struct binning binning_make(const struct box *centroids, uint32_t bins)
{
    struct binning binning = {.bins = bins};
    for (int axis = 0; axis < 3; ++axis) {
        const float extent = centroids->high[axis] - centroids->low[axis];
        const float scale = (float)bins / extent;
        binning.low[axis] = centroids->low[axis];
        // No extent, or so little or much that the arithmetic of bin_of would leave its range.
        binning.scale[axis] = extent > 0.0f && extent < INFINITY && scale < INFINITY ? scale : 0.0f;
    }
    return binning;
}

static void consider_bins(const struct box *boxes, const uint32_t *counts, uint32_t bins, int axis, struct split *best)
{
    float right_cost[BINS_MAX];
    struct box box = box_empty();
    uint32_t count = 0;
    for (uint32_t i = bins - 1; i > 0; --i) {
        tree_box_add(box.low, box.high, boxes[i].low, boxes[i].high);
        count += counts[i]; // NOLINT(clang-analyzer-core.uninitialized.Assign): all bins were set
        right_cost[i] = count ? tree_half_area(box.low, box.high) * (float)count : INFINITY;
    }
    box = box_empty();
    count = 0;
    for (uint32_t i = 1; i < bins; ++i) {
        tree_box_add(box.low, box.high, boxes[i - 1].low, boxes[i - 1].high);
        count += counts[i - 1];
        if (count == 0)
            continue;
        const float cost = tree_half_area(box.low, box.high) * (float)count + right_cost[i];
        if (cost < best->cost) {
            best->cost = cost;
            best->axis = axis;
            best->position = i;
        }
    }
}

static struct split best_binned_split(const struct builder *builder, const struct task *task,
                                      const struct binning *binning)
{
    struct box boxes[3][BINS_MAX];
    uint32_t counts[3][BINS_MAX];
    for (int axis = 0; axis < 3; ++axis)
        for (uint32_t i = 0; i < binning->bins; ++i) {
            boxes[axis][i] = box_empty();
            counts[axis][i] = 0;
        }
    for (uint32_t i = task->first; i < task->first + task->count; ++i) {
        const struct reference *reference = &builder->references[i];
        for (int axis = 0; axis < 3; ++axis) {
            const uint32_t bin = bin_of(binning, reference, axis);
            tree_box_add(boxes[axis][bin].low, boxes[axis][bin].high, reference->low, reference->high);
            ++counts[axis][bin];
        }
    }
    struct split best = {.cost = INFINITY};
    for (int axis = 0; axis < 3; ++axis)
        if (binning->scale[axis] > 0.0f)
            consider_bins(boxes[axis], counts[axis], binning->bins, axis, &best);
    return best;
}

// Returns the number of references on the left.
static uint32_t partition(struct reference *references, uint32_t count, const struct binning *binning,
                          const struct split *split)
{
    uint32_t left = 0, right = count;
    for (;;) {
        while (left < right && bin_of(binning, &references[left], split->axis) < split->position)
            ++left;
        while (left < right && bin_of(binning, &references[right - 1], split->axis) >= split->position)
            --right;
        if (left >= right)
            return left;
        const struct reference swapped = references[left];
        references[left++] = references[--right];
        references[right] = swapped;
    }
}

// ---- sorted splits

static void sort_along(struct reference *references, uint32_t count, int axis)
{
    for (uint32_t i = 1; i < count; ++i) {
        const struct reference moved = references[i];
        const float key = centroid(&moved, axis);
        uint32_t j = i;
        for (; j > 0; --j) {
            const float other = centroid(&references[j - 1], axis);
            if (other < key || (other == key && references[j - 1].triangle < moved.triangle))
                break;
            references[j] = references[j - 1];
        }
        references[j] = moved;
    }
}

static void consider_sorted(const struct reference *references, uint32_t count, int axis, struct split *best)
{
    float right_cost[SORT_MAX];
    struct box box = box_empty();
    for (uint32_t i = count - 1; i > 0; --i) {
        tree_box_add(box.low, box.high, references[i].low, references[i].high);
        right_cost[i] = tree_half_area(box.low, box.high) * (float)(count - i);
    }
    box = box_empty();
    for (uint32_t i = 1; i < count; ++i) {
        tree_box_add(box.low, box.high, references[i - 1].low, references[i - 1].high);
        const float cost = tree_half_area(box.low, box.high) * (float)i + right_cost[i];
        if (cost < best->cost) {
            best->cost = cost;
            best->axis = axis;
            best->position = i;
        }
    }
}

static uint32_t split_sorted(struct reference *references, uint32_t count)
{
    struct split best = {.cost = INFINITY};
    for (int axis = 0; axis < 3; ++axis) {
        sort_along(references, count, axis);
        consider_sorted(references, count, axis, &best);
    }
    if (!(best.cost < INFINITY))
        return count / 2;
    if (best.axis != 2)
        sort_along(references, count, best.axis);
    return best.position;
}

// ---- nodes

static void bounds(const struct reference *references, uint32_t count, struct box *box, struct box *centroids)
{
    *box = box_empty();
    *centroids = box_empty();
    for (uint32_t i = 0; i < count; ++i) {
        float point[3];
        for (int axis = 0; axis < 3; ++axis)
            point[axis] = centroid(&references[i], axis);
        tree_box_add(box->low, box->high, references[i].low, references[i].high);
        tree_box_add(centroids->low, centroids->high, point, point);
    }
}

// Whether a subtree of `count` triangles at `depth` must be halved from here on to stay within the depth limit.
static bool must_halve(uint32_t count, uint32_t depth)
{
    uint32_t levels = 0;
    while (((uint64_t)1 << levels) < count)
        ++levels;
    return depth + levels + 1 > TREE_DEPTH_MAX;
}

// Reorders the task's references; returns how many go to the left: at least one, not all.
static uint32_t split_references(const struct builder *builder, const struct task *task, const struct box *centroids)
{
    struct reference *references = builder->references + task->first;
    if (task->count == 2 || must_halve(task->count, task->depth))
        return task->count / 2;
    if (task->count <= SORT_MAX)
        return split_sorted(references, task->count);
    const struct binning binning = binning_make(centroids, builder->bins);
    const struct split split = best_binned_split(builder, task, &binning);
    return split.cost < INFINITY ? partition(references, task->count, &binning, &split) : task->count / 2;
}

// Sets the task's node. Returns false for a leaf; else gives the tasks of the two children.
static bool build_node(const struct builder *builder, const struct task *task, struct task children[2])
{
    struct tree_node *node = &builder->tree->nodes[task->node];
    struct box box, centroids;
    bounds(builder->references + task->first, task->count, &box, &centroids);
    memcpy(node->low, box.low, sizeof node->low);
    memcpy(node->high, box.high, sizeof node->high);
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
        triangle_box(&builder->triangles[i], builder->pad, &low, &high);
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

bool bvh_tree_build(struct bvh_tree *tree, const struct triangle *triangles, uint32_t count,
                    const struct bvh_options *options, struct error *error)
{
    // A level has at most this many nodes of more than TASK_GRAIN triangles, each with two children.
    const size_t tasks_max = 2 * ((size_t)count / TASK_GRAIN + 1);
    tree->triangle_count = count;
    tree->node_count = 2 * count - 1;
    tree->nodes = calloc(tree->node_count, sizeof *tree->nodes);
    struct builder builder = {.triangles = triangles,
                              .pad = options->pad,
                              .bins = options->bins,
                              .tree = tree,
                              .references = malloc(count * sizeof *builder.references),
                              .tasks = malloc(tasks_max * sizeof *builder.tasks),
                              .next = malloc(2 * tasks_max * sizeof *builder.next)};
    const bool enough = tree->nodes && builder.references && builder.tasks && builder.next;
    if (enough) {
        parallel_for(tree->threads, (count + CHUNK - 1) / CHUNK, make_references, &builder);
        build_levels(&builder);
    } else {
        error_set(error, ERROR_SYSTEM, "not enough memory for a tree over %u triangles", count);
    }
    free(builder.references);
    free(builder.tasks);
    free(builder.next);
    return enough;
}
