// SPDX-License-Identifier: MIT
// The volume of a scene file: a box of voxels about the origin, whose longest edge is 1.
#pragma once

#include "import/volume_samples.h"
#include "scene/scene_file.h"

static const double VOLUME_DENSITY_MAX = 1e6; // extinction per scene unit
static const double VOLUME_ASYMMETRY_MAX = 0.99;
static const double VOLUME_IOR_MIN = 1.01, VOLUME_IOR_MAX = 4;
static const float VOLUME_THINNEST = 1e-6f; // every edge is longer than this share of the longest

// As struct volume_view and the image's header want them.
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

// Reads what the scene's volume names and fills the grids, which volume_finish releases, after failure too. An error where
// a file is missing, cut short, too long, holds values that are no densities, or where nothing in the volume is dense.
bool volume_build(struct volume_grids *grids, const struct scene_file *file, struct error *error);
void volume_finish(struct volume_grids *grids);

// ---- bricks (volume_bricks.c)

uint64_t volume_brick_count(const uint32_t size[3]);
// Fills `bricks` (see volume_view); false where a density is not a share of `top`: negative, larger or no number.
bool volume_bricks(const void *density, uint32_t bits, const uint32_t size[3], float top, float *bricks);

// ---- shapes (volume_shapes.c)

extern const char *const volume_shape_names[]; // by enum volume_shape; ends with NULL
// Fills the samples with values from 0 to 1 of the volume's shape.
bool volume_shape_fill(struct volume_samples *samples, const struct scene_volume *volume, struct error *error);

// ---- transfer (volume_transfer.c)

// Fills density and albedo from values, and sets bits, top and majorant.
bool volume_transfer(struct volume_grids *grids, const struct volume_samples *samples,
                     const struct scene_volume *volume, struct error *error);
// Steps of 1/255, red in the lowest byte.
uint32_t volume_pack_albedo(const double albedo[3]);
