// SPDX-License-Identifier: MIT
// Reads a mesh file with assimp in a process of its own, so that whatever the bytes are, the caller lives: crashes and
// endless loops (the limit is 20 s and 10 s a MiB, or $WARPSTUDY_MESH_SECONDS) become errors.
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "scene/mesh_data.h"

bool mesh_child_read(struct mesh_data *mesh, const char *path, const char *name, bool textures, struct error *error);
