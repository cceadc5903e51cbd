// SPDX-License-Identifier: MIT
// Where the files are that a mesh file refers to.
#pragma once

#include <stddef.h>

// Path of `reference` as written in the mesh file at `mesh`: beside it; backslashes count as slashes.
void mesh_companion_path(const char *mesh, const char *reference, char *path, size_t size);
