// SPDX-License-Identifier: MIT
// Tries in a process of its own whether assimp comes back from reading a mesh file: it crashes or goes on for ever on some damaged
// ones. That is an error then (the limit is 20 s and 10 s a MiB, or $WARPSTUDY_MESH_SECONDS); what else is wrong with
// the file is left to reading it again.
#pragma once

#include "import/mesh_builder.h"

bool mesh_child_try(struct mesh_builder *builder);
