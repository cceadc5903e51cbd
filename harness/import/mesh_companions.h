// SPDX-License-Identifier: MIT
// The files that a mesh file refers to.
#pragma once

#include "base/error.h"

// Files that the import of a mesh file reads besides: material libraries, textures, buffers. Calls `visit` with the path of
// each, whether it exists or not.
bool mesh_companions(const char *path, void (*visit)(void *context, const char *path), void *context,
                     struct error *error);
