// SPDX-License-Identifier: MIT
// Corners of triangles in small groups with boxes, so that the exact bounds of a transformed copy cost few of them.
#pragma once

#include <stdbool.h>

#include "geometry/exact_math.h"
#include "geometry/types.h"

struct corner_blocks {
    struct vec3 *corners;
    struct corner_block *blocks;
    uint32_t corner_count, block_count;
};

// Of `count` triangles, at least one and fewer than 2^30. For corner_blocks_finish; false without memory.
bool corner_blocks_make(const struct triangle *triangles, uint32_t count, struct corner_blocks *blocks);
void corner_blocks_finish(struct corner_blocks *blocks);

// Bounds of all corners, each transformed in double precision and rounded once.
void corner_blocks_bounds(const struct corner_blocks *blocks, const struct exact_transform *transform, struct vec3 *low,
                          struct vec3 *high);
