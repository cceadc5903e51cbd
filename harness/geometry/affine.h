// SPDX-License-Identifier: MIT
// Maps of the affine triangle test (kernels/trees/triangle_tests.h), computed in double and rounded once.
#pragma once

#include <stdint.h>

#include "lib/scene.h"
#include "trees/triangle_tests.h"

// All zero where the triangle has no area, or a number of its map is no float.
void affine_map_make(const struct triangle *triangle, struct affine_map *map);

// The map of each triangle, to be freed; NULL without memory.
struct affine_map *affine_maps(const struct triangle *triangles, uint64_t count);
