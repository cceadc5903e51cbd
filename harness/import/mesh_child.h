// SPDX-License-Identifier: MIT
// Reads a mesh file with assimp in a process of its own, so that whatever the bytes are, the caller lives: crashes and
// endless loops (the limit is 20 s and 10 s a MiB, or $WARPSTUDY_MESH_SECONDS) become errors.
#pragma once

#include "import/mesh_builder.h"

bool mesh_child_read(struct mesh_builder *builder);
