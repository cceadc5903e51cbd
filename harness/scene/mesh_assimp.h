// SPDX-License-Identifier: MIT
// Mesh files of the formats that have no reader of our own, through assimp: triangles with node transforms applied, and
// materials reduced to numbers. It asserts, crashes or loops on some files: call it in a child (mesh_child.h).
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "scene/mesh_data.h"

bool mesh_assimp_read(struct mesh_data *mesh, const char *path, const char *name, bool textures, struct error *error);
