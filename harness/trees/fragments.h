// SPDX-License-Identifier: MIT
// Splits triangles into fragments, for trees of less cost (Stich, Friedrich and Dietrich 2009: object splits and spatial
// splits by the surface-area heuristic, and references that are not split where that costs less).
#pragma once

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "trees/grid.h"

struct fragment_list {
    struct fragment *items; // sorted by fragment_compare, none twice
    uint32_t count;
};

// By triangle, then by box. Of two fragments, as qsort wants it.
static inline int fragment_compare(const void *first, const void *second)
{
    const struct fragment *a = first, *b = second;
    if (a->triangle != b->triangle)
        return a->triangle < b->triangle ? -1 : 1;
    for (int axis = 0; axis < 3; ++axis)
        if (a->box[axis] != b->box[axis])
            return a->box[axis] < b->box[axis] ? -1 : 1;
    return 0;
}

// Most bytes a triangle that are in use at once while fragments are made: two references of 32 and two fragments of 16.
enum { FRAGMENT_BUILD_BYTES = 96 };

// The fragments of a triangle cover it, with a margin of `pad`, scene_view.box_pad. There are at most twice as many as
// triangles. Deterministic: same input, same bits, on any number of threads (0: all cores). `items` is for free(). Fails
// only without memory.
bool fragments_make(const struct triangle *triangles, uint32_t count, float pad, const struct scene_grid *grid,
                    uint32_t threads, struct fragment_list *list, struct error *error);
