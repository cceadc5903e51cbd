// SPDX-License-Identifier: MIT
// Mesh files: triangles with node transforms applied, and materials reduced to numbers.
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "scene/mesh_data.h"

// `name` is the mesh's name in messages; `textures`: read them (a mesh whose materials are replaced needs none).
bool mesh_import(struct mesh_data *mesh, const char *path, const char *name, bool textures, struct error *error);
