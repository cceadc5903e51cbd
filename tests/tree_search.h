// SPDX-License-Identifier: MIT
// The closest hit without a tree: every triangle is tried, or every fragment, of every instance that the ray meets.
#pragma once

#include "trace_rays.h"

// `view` has the triangles in the scene's own order. In two levels the scene has two objects: the first of so many triangles,
// the second of all others.
struct hit tree_search(const struct scene_view *view, uint32_t first_object, const struct ray_record *record);
