// SPDX-License-Identifier: MIT
// Mesh files of the formats that have no reader of our own, through assimp: node transforms applied, and materials reduced
// to numbers. It asserts, crashes or loops on some files: try it in a child first (mesh_child.h).
#pragma once

#include "import/mesh_builder.h"

bool mesh_assimp_read(struct mesh_builder *builder);
