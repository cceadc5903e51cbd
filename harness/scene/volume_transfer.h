// SPDX-License-Identifier: MIT
// The transfer function of a volume: from values to densities and albedos.
#pragma once

#include "import/volume_samples.h"
#include "scene/scene_file.h"

// In the form of struct volume_view and the image's header.
struct volume_grids {
    void *density;    // as stored, `bits` each
    uint32_t *albedo; // 8 bits a channel, red lowest
    float *bricks;
    uint64_t count, brick_count; // count: voxels; 0 where the scene has no volume
    uint32_t size[3], bits;
    float top;      // the stored density that means `majorant`
    float majorant; // extinction per scene unit
    float low[3], high[3];
};

// Fills density and albedo from values, and sets bits, top and majorant.
bool volume_transfer(struct volume_grids *grids, const struct volume_samples *samples,
                     const struct scene_volume *volume, struct error *error);
// Steps of 1/255, red in the lowest byte.
uint32_t volume_pack_albedo(const double albedo[3]);
