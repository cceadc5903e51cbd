// SPDX-License-Identifier: MIT
// Mesh files: triangles with node transforms applied, and materials reduced to numbers.
#pragma once

#include "base/error.h"
#include "import/mesh_data.h"

// PLY, OBJ, glTF, OFF and STL by readers of our own, whatever else assimp knows, and meshes in Draco's form, by assimp. What is
// left out, such as points and lines, is reported on stderr. `name` is the mesh's name in messages; `textures`: read them (a
// mesh whose materials are replaced needs none).
bool mesh_import(struct mesh_data *mesh, const char *path, const char *name, bool textures, struct error *error);
