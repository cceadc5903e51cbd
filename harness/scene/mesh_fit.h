// SPDX-License-Identifier: MIT
#pragma once

#include "geometry/exact_math.h"
#include "import/mesh_data.h"
#include "scene/scene_file.h"

// The transform that a scene gives all of a mesh: turned, then, where the mesh has a size, set on y = 0 about the y axis and
// stretched to that size.
struct exact_transform mesh_fit(const struct scene_mesh *mesh, const struct mesh_data *data);
