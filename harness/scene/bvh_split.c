// SPDX-License-Identifier: MIT
// Binned SAH on all three axes, exact SAH by sorting where there are few references.
#include "scene/bvh_split.h"

#include <math.h>

#include "scene/bvh_tree.h"

enum { SORT_MAX = 32 }; // most references for which all splits are tried

struct box box_empty(void)
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

static struct split best_binned_split(const struct reference *references, uint32_t count, const struct binning *binning)
{
    struct box boxes[3][BINS_MAX];
    uint32_t counts[3][BINS_MAX];
    for (int axis = 0; axis < 3; ++axis)
        for (uint32_t i = 0; i < binning->bins; ++i) {
            boxes[axis][i] = box_empty();
            counts[axis][i] = 0;
        }
    for (uint32_t i = 0; i < count; ++i) {
        const struct reference *reference = &references[i];
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

static struct split best_sorted_split(struct reference *references, uint32_t count)
{
    struct split best = {.cost = INFINITY, .sorted = true};
    for (int axis = 0; axis < 3; ++axis) {
        sort_along(references, count, axis);
        consider_sorted(references, count, axis, &best);
    }
    if (best.cost < INFINITY && best.axis != 2)
        sort_along(references, count, best.axis);
    return best;
}

// ---- either

struct split split_find(struct reference *references, uint32_t count, const struct box *centroids, uint32_t bins)
{
    if (count <= SORT_MAX)
        return best_sorted_split(references, count);
    const struct binning binning = binning_make(centroids, bins);
    struct split split = best_binned_split(references, count, &binning);
    split.binning = binning;
    return split;
}

uint32_t split_apply(struct reference *references, uint32_t count, const struct split *split)
{
    return split->sorted ? split->position : partition(references, count, &split->binning, split);
}

void split_bounds(const struct reference *references, uint32_t count, struct box *box, struct box *centroids)
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
