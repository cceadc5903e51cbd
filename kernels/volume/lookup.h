// SPDX-License-Identifier: MIT
// What the lockstep model records of tracking: each look-up of a density is a step of its own, as an inner node is in the
// traversal of a tree. Nothing on other devices and in clean builds.
#pragma once

#include "volume/grid.h"

// A look-up of the density at a point.
DEVICE void count_lookup(const struct volume_view *volume, struct vec3 p)
{
#if COUNTING
    enum { SECTOR_BYTES = 32 };
    const uint64_t offset = voxel_at(volume, p) * (volume->density_bits / 8u);
    lockstep_node((uint32_t)(offset / SECTOR_BYTES * PLACE_SECTORS));
#else
    (void)volume;
    (void)p;
#endif
}
