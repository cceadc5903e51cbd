// SPDX-License-Identifier: MIT
// Maps of the affine triangle test (kernels/trees/triangle_tests.h), computed in double and rounded once.
#pragma once

#include "base/error.h"
#include "scene/tree.h"
#include "trees/triangle.h"

// All zero where the triangle has no area, or a number of its map is no float.
void affine_map_make(const struct triangle *triangle, struct affine_map *map);

// The map of each triangle as an array of their own.
bool affine_maps(const struct triangle *triangles, uint64_t count, struct tree_block *block, struct error *error);
