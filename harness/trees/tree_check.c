// SPDX-License-Identifier: MIT
// The check of a tree that came from a file, whatever its kind.
#include "trees/tree_reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trees/traverse.h"

struct check_bounds {
    float low[3], high[3];
};

struct check {
    const struct tree_reader *reader;
    struct tree_reading reading;
    uint8_t *depth;              // of each node; 0: not reached yet
    uint8_t *held;               // most entries of a walk's stack when it comes to the node
    struct check_bounds *bounds; // of all that is below each node
    bool *seen;                  // triangles or fragments
    struct error *error;
};

static bool tree_damaged(const struct check *check, const char *what, uint64_t node)
{
    return error_set(check->error, ERROR_INPUT, "the tree is damaged: %s (node %llu)", what, (unsigned long long)node);
}

// ---- numbers

// Children have higher numbers than their parents, so that the nodes in this order are met after their parents, and there is
// no cycle.
static bool check_inner(struct check *check, uint32_t node, const struct tree_branches *branches, uint32_t child)
{
    const uint32_t levels = branches->chained ? 0 : 1;
    if (child >= check->reading.nodes)
        return tree_damaged(check, "a child does not exist", node);
    if (child <= node)
        return tree_damaged(check, "a child stands before its parent", node);
    if (check->depth[child] != 0)
        return tree_damaged(check, "two nodes share a child", node);
    if (check->depth[node] + levels > check->reader->depth_most)
        return tree_damaged(check, "it is too deep", node);
    check->depth[child] = (uint8_t)(check->depth[node] + levels);
    check->held[child] = (uint8_t)(check->held[node] + levels * (branches->count - 1));
    return true;
}

static bool check_leaf(struct check *check, uint32_t node, const struct tree_branch *leaf)
{
    if (leaf->first > check->reading.slots || leaf->count > check->reading.slots - leaf->first)
        return tree_damaged(check, "a leaf holds triangles that do not exist", node);
    for (uint32_t slot = leaf->first; slot < leaf->first + leaf->count; ++slot) {
        const uint32_t part = check->reader->part(&check->reading, slot);
        if (part >= check->reading.input.count)
            return tree_damaged(check, "a leaf holds a triangle that is none of the scene's", node);
        if (check->seen[part] && !check->reader->repeats)
            return tree_damaged(check, "two leaves hold one triangle", node);
        check->seen[part] = true;
    }
    return true;
}

static bool check_node(struct check *check, uint32_t node)
{
    struct tree_branches branches = {0};
    if (check->depth[node] == 0)
        return check->reader->gaps || tree_damaged(check, "a node has no parent", node);
    const char *wrong = check->reader->read(&check->reading, node, &branches);
    if (wrong)
        return tree_damaged(check, wrong, node);
    if (check->held[node] + branches.count > WIDE_STACK)
        return tree_damaged(check, "walks over it would need too large a stack", node);
    for (uint32_t i = 0; i < branches.count; ++i) {
        const struct tree_branch *branch = &branches.of[i];
        if (!(branch->inner ? check_inner(check, node, &branches, branch->first) : check_leaf(check, node, branch)))
            return false;
    }
    return true;
}

// ---- boxes

static const struct check_bounds no_bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void bounds_add(struct check_bounds *to, const struct check_bounds *from)
{
    for (int axis = 0; axis < 3; ++axis) {
        to->low[axis] = fminf(to->low[axis], from->low[axis]);
        to->high[axis] = fmaxf(to->high[axis], from->high[axis]);
    }
}

static struct check_bounds bounds_below(const struct check *check, const struct tree_branch *branch)
{
    struct check_bounds bounds = branch->inner ? check->bounds[branch->first] : no_bounds;
    for (uint32_t i = 0; !branch->inner && i < branch->count; ++i) {
        struct check_bounds own;
        check->reader->box(&check->reading, check->reader->part(&check->reading, branch->first + i), own.low, own.high);
        bounds_add(&bounds, &own);
    }
    return bounds;
}

// What is no number encloses nothing, and an infinite box is none.
static bool branch_encloses(const struct tree_branch *branch, const struct check_bounds *bounds)
{
    for (int axis = 0; axis < 3; ++axis)
        if (!(branch->low[axis] <= (double)bounds->low[axis] && branch->high[axis] >= (double)bounds->high[axis] &&
              isfinite(branch->low[axis]) && isfinite(branch->high[axis])))
            return false;
    return true;
}

static bool check_boxes(struct check *check, uint32_t node)
{
    struct tree_branches branches = {0};
    check->bounds[node] = no_bounds;
    if (check->depth[node] == 0)
        return true;
    check->reader->read(&check->reading, node, &branches);
    for (uint32_t i = 0; i < branches.count; ++i) {
        const struct check_bounds below = bounds_below(check, &branches.of[i]);
        if (!branch_encloses(&branches.of[i], &below))
            return tree_damaged(check, "a triangle reaches out of a box", node);
        bounds_add(&check->bounds[node], &below);
    }
    return true;
}

// ---- the whole

static bool check_all(struct check *check)
{
    const struct tree_reading *reading = &check->reading;
    check->depth[0] = check->held[0] = 1;
    for (uint32_t i = 0; i < reading->nodes; ++i)
        if (!check_node(check, i))
            return false;
    for (uint32_t i = 0; i < reading->input.count; ++i)
        if (!check->seen[i])
            return error_set(check->error, ERROR_INPUT, "the tree is damaged: triangle %u is in no leaf", i);
    for (uint64_t i = check->reader->box ? reading->nodes : 0; i-- > 0;)
        if (!check_boxes(check, (uint32_t)i))
            return false;
    return !check->reader->everywhere || check->reader->everywhere(reading) ||
           error_set(check->error, ERROR_INPUT,
                     "the tree is damaged: a cell does not hold a triangle that reaches into it");
}

bool tree_validate(const struct tree *tree, const struct triangle *triangles, uint32_t count, float pad,
                   struct error *error)
{
    const struct tree_build_options options = {
        .pad = pad, .fragments = tree->fragments, .fragment_count = (uint32_t)tree->fragment_count, .grid = tree->grid};
    struct check check = {.reader = tree_kinds[tree->kind]->reader,
                          .reading = {.tree = tree, .input = tree_input_make(triangles, count, &options)},
                          .error = error};
    struct tree_reading *reading = &check.reading;
    if (!tree_settle(&tree->options, &reading->settled, error))
        return false;
    if (!check.reader->measure(reading) || reading->nodes == 0 || reading->nodes > UINT32_MAX)
        return error_set(error, ERROR_INPUT, "the tree is damaged: it has no root, or is of another size");
    check.depth = calloc(reading->nodes, sizeof *check.depth);
    check.held = calloc(reading->nodes, sizeof *check.held);
    check.bounds = malloc(reading->nodes * sizeof *check.bounds);
    check.seen = calloc((size_t)reading->input.count + 1, sizeof *check.seen);
    const bool enough = check.depth && check.held && check.bounds && check.seen;
    const bool valid = enough ? check_all(&check)
                              : error_set(error, ERROR_SYSTEM, "not enough memory to check a tree of %llu nodes",
                                          (unsigned long long)reading->nodes);
    free(check.depth);
    free(check.held);
    free(check.bounds);
    free(check.seen);
    return valid;
}
