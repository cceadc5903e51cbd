// SPDX-License-Identifier: MIT
// Bricks of 8 x 8 x 8 voxels, and the largest density in and about each.
#pragma once

#include <stdbool.h>
#include <stdint.h>

uint64_t volume_brick_count(const uint32_t size[3]);
// Fills `bricks` (see volume_view); false where a density is not a share of `top`: negative, larger or no number.
bool volume_bricks(const void *density, uint32_t bits, const uint32_t size[3], float top, float *bricks);
