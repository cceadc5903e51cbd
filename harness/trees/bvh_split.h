// SPDX-License-Identifier: MIT
// The best split of a node's references into two lists. Private to the builders of trees of boxes and of fragments.
#pragma once

#include <stdint.h>

#include "geometry/float4.h"

enum { BINS_MAX = 256 };

struct reference {
    float low[3];
    uint32_t triangle;
    float high[3];
    uint32_t unused;
};

struct binning {
    float4 low, scale; // scale 0: the axis has no extent
    uint32_t bins;
};

struct split {
    float cost; // left area * left count + right area * right count; INFINITY: none found
    int axis;
    uint32_t position; // first bin, or first sorted reference, of the right side
    bool sorted;
    struct binning binning;
};

static inline struct box4 reference_box(const struct reference *reference)
{
    return box4_of(reference->low, reference->high);
}

// Bounds of the references, and of their boxes' centres.
void split_bounds(const struct reference *references, uint32_t count, struct box4 *box, struct box4 *centroids);

// Two references at least. May put them into another order, for split_apply to be called next. cost: INFINITY where
// there is no split that the centres tell apart.
struct split split_find(struct reference *references, uint32_t count, const struct box4 *centroids, uint32_t bins);

// Puts those of the left side first; returns how many they are.
uint32_t split_apply(struct reference *references, uint32_t count, const struct split *split);
