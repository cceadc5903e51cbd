// SPDX-License-Identifier: MIT
// Polygons as triangles.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "geometry/exact_math.h"

// Splits a polygon of three corners or more, convex or not, into `count` - 2 triangles with its corners and its winding.
// False where it has so many corners on both sides of its edges that this would take too long.
bool mesh_polygon_split(const struct exact_vec *vertices, const uint32_t *corners, size_t count, uint32_t *triangles);
