// SPDX-License-Identifier: MIT
// The volume of a scene file: a box of voxels about the origin, whose longest edge is 1.
#pragma once

#include "scene/volume_transfer.h"

// Reads what the scene's volume names and fills the grids, which volume_finish releases, after failure too. An error where
// a file is missing, cut short, too long, holds values that are no densities, or where nothing in the volume is dense.
bool volume_build(struct volume_grids *grids, const struct scene_file *file, struct error *error);
void volume_finish(struct volume_grids *grids);
