// SPDX-License-Identifier: MIT
// Where the files are that a mesh file refers to.
#pragma once

#include <stddef.h>

#include "base/error.h"

// Path of `reference` as written in the mesh file at `mesh`: beside it; backslashes count as slashes.
void mesh_companion_path(const char *mesh, const char *reference, char *path, size_t size);

// Files that a mesh file refers to and that its import reads: material libraries, textures, buffers. Calls `visit` with
// the path of each, whether it exists or not.
bool mesh_companions(const char *path, void (*visit)(void *context, const char *path), void *context,
                     struct error *error);
