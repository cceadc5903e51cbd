// SPDX-License-Identifier: MIT
// Whether a scene's details are larger than what floats can tell apart where it stands.
#pragma once

#include "trees/two_levels.h"

// Triangles whose longest edge is shorter than the distance by which rays start off them (trees/hit_point.h), which is 2^-18
// of their coordinates. Of an instance, all of its triangles where one is too fine.
uint64_t detail_too_fine(const struct levels *levels);
