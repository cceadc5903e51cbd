// SPDX-License-Identifier: MIT
// Where the files are that a mesh file refers to.
#pragma once

#include <stdbool.h>

#include "base/error.h"

// Path of `reference` as written in the mesh file at `mesh`: beside it; backslashes count as slashes. To be freed.
char *mesh_companion_path(const char *mesh, const char *reference);

// Files that a mesh file refers to and that its import reads: material libraries, textures, buffers. Calls `visit` with
// the path of each, whether it exists or not.
bool mesh_companions(const char *path, void (*visit)(void *context, const char *path), void *context,
                     struct error *error);
