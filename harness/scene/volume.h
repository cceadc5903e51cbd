// SPDX-License-Identifier: MIT
// The volume of a scene file: a box of voxels about the origin, whose longest edge is 1.
#pragma once

#include "scene/scene_file.h"

enum { VOLUME_EDGE_MAX = 1024, VOLUME_VOXELS_MAX = 1 << 28 };

struct volume_grids {
    uint8_t *density;
    uint32_t *albedo;
    uint64_t count; // voxels; 0 where the scene has no volume
};

// Fills the grids and the corners of the box; leaves both alone where the scene has no volume.
bool volume_build(struct volume_grids *grids, const struct scene_volume *volume, float low[3], float high[3],
                  struct error *error);
void volume_finish(struct volume_grids *grids);
