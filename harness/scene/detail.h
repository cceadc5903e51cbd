// SPDX-License-Identifier: MIT
// Whether a scene's details are larger than what floats can tell apart where it stands.
#pragma once

#include "scene/levels.h"

// Triangles with an edge shorter than the distance by which rays start off them (trees/hit_point.h): too fine for their
// distance from the origin. Of an instance, all of its triangles where one is too fine.
uint64_t detail_too_fine(const struct levels *levels);
