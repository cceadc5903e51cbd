// SPDX-License-Identifier: MIT
// Binned SAH on all three axes, exact SAH by sorting where there are few references.
#include "trees/bvh_split.h"

#include <math.h>
#include <string.h>

enum { SORT_MAX = 32 }; // most references for which all splits are tried

static float4 centroid(const struct reference *reference)
{
    return float4_splat(0.5f) * float4_of(reference->low) + float4_splat(0.5f) * float4_of(reference->high);
}

// ---- binned splits

static uint32_t bin_at(const struct binning *binning, float place)
{
    const uint32_t bin = (uint32_t)place;
    return bin < binning->bins ? bin : binning->bins - 1;
}

// Of the three axes, for bin_at.
static float4 places_of(const struct binning *binning, const struct reference *reference)
{
    return (centroid(reference) - binning->low) * binning->scale;
}

static uint32_t bin_of(const struct binning *binning, const struct reference *reference, int axis)
{
    return bin_at(binning, places_of(binning, reference)[axis]);
}

static struct binning binning_make(const struct box4 *centroids, uint32_t bins)
{
    struct binning binning = {.low = centroids->low, .bins = bins};
    for (int axis = 0; axis < 3; ++axis) {
        const float extent = centroids->high[axis] - centroids->low[axis];
        const float scale = (float)bins / extent;
        // No extent, or so little or much that the arithmetic of bin_of would leave its range.
        binning.scale[axis] = extent > 0.0f && extent < INFINITY && scale < INFINITY ? scale : 0.0f;
    }
    return binning;
}

static void consider_bins(const struct box4 *boxes, const uint32_t *counts, uint32_t bins, int axis, struct split *best)
{
    float right_cost[BINS_MAX];
    struct box4 box = box4_empty();
    uint32_t count = 0;
    for (uint32_t i = bins - 1; i > 0; --i) {
        box = box4_both(boxes[i], box);
        count += counts[i]; // NOLINT(clang-analyzer-core.uninitialized.Assign): all bins were set
        right_cost[i] = count ? box4_area(box) * (float)count : INFINITY;
    }
    box = box4_empty();
    count = 0;
    for (uint32_t i = 1; i < bins; ++i) {
        box = box4_both(boxes[i - 1], box);
        count += counts[i - 1];
        if (count == 0)
            continue;
        const float cost = box4_area(box) * (float)count + right_cost[i];
        if (cost < best->cost) {
            best->cost = cost;
            best->axis = axis;
            best->position = i;
        }
    }
}

static struct split best_binned_split(const struct reference *references, uint32_t count, const struct binning *binning)
{
    struct box4 boxes[3][BINS_MAX];
    uint32_t counts[3][BINS_MAX] = {0};
    for (int axis = 0; axis < 3; ++axis)
        for (uint32_t i = 0; i < binning->bins; ++i)
            boxes[axis][i] = box4_empty();
    for (uint32_t i = 0; i < count; ++i) {
        const struct box4 box = reference_box(&references[i]);
        const float4 places = places_of(binning, &references[i]);
        for (int axis = 0; axis < 3; ++axis) {
            const uint32_t bin = bin_at(binning, places[axis]);
            boxes[axis][bin] = box4_both(box, boxes[axis][bin]);
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
static uint32_t partition_references(struct reference *references, uint32_t count, const struct binning *binning,
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

// A few references by their places in the list, which alone are sorted.
struct few {
    uint32_t count;
    struct box4 boxes[SORT_MAX];
    float4 centroids[SORT_MAX];
    uint32_t triangles[SORT_MAX];
    uint8_t order[SORT_MAX];
};

static void few_make(struct few *few, const struct reference *references, uint32_t count)
{
    few->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        few->boxes[i] = reference_box(&references[i]);
        few->centroids[i] = centroid(&references[i]);
        few->triangles[i] = references[i].triangle;
        few->order[i] = (uint8_t)i;
    }
}

static void sort_along(struct few *few, int axis)
{
    uint8_t *order = few->order;
    for (uint32_t i = 1; i < few->count; ++i) {
        const uint8_t moved = order[i];
        const float key = few->centroids[moved][axis];
        uint32_t j = i;
        for (; j > 0; --j) {
            const float other = few->centroids[order[j - 1]][axis];
            if (other < key || (other == key && few->triangles[order[j - 1]] < few->triangles[moved]))
                break;
            order[j] = order[j - 1];
        }
        order[j] = moved;
    }
}

static void consider_sorted(const struct few *few, int axis, struct split *best)
{
    float right_cost[SORT_MAX];
    struct box4 box = box4_empty();
    for (uint32_t i = few->count; i-- > 1;) {
        box = box4_both(few->boxes[few->order[i]], box);
        right_cost[i] = box4_area(box) * (float)(few->count - i);
    }
    box = box4_empty();
    for (uint32_t i = 1; i < few->count; ++i) {
        box = box4_both(few->boxes[few->order[i - 1]], box);
        const float cost = box4_area(box) * (float)i + right_cost[i];
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
    struct reference sorted[SORT_MAX];
    struct few few;
    few_make(&few, references, count);
    for (int axis = 0; axis < 3; ++axis) {
        sort_along(&few, axis);
        consider_sorted(&few, axis, &best);
    }
    if (best.cost < INFINITY && best.axis != 2)
        sort_along(&few, best.axis);
    for (uint32_t i = 0; i < count; ++i)
        sorted[i] = references[few.order[i]];
    memcpy(references, sorted, count * sizeof *references);
    return best;
}

// ---- either

struct split split_find(struct reference *references, uint32_t count, const struct box4 *centroids, uint32_t bins)
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
    return split->sorted ? split->position : partition_references(references, count, &split->binning, split);
}

void split_bounds(const struct reference *references, uint32_t count, struct box4 *box, struct box4 *centroids)
{
    struct box4 all = box4_empty(), centres = box4_empty();
    for (uint32_t i = 0; i < count; ++i) {
        const float4 centre = centroid(&references[i]);
        all = box4_both(reference_box(&references[i]), all);
        centres = box4_both((struct box4){centre, centre}, centres);
    }
    *box = all;
    *centroids = centres;
}
