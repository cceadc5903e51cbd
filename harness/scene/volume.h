// SPDX-License-Identifier: MIT
// The volume of a scene file: a box of voxels about the origin, whose longest edge is 1.
#pragma once

#include "scene/scene_file.h"

enum { VOLUME_EDGE_MAX = 4096, VOLUME_VOXELS_MAX = 1 << 28 };
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

// ---- values (volume_samples.c)

// What a file holds, as numbers; x fastest.
struct volume_samples {
    float *values; // to the nearest float
    uint32_t size[3];
    double spacing[3];
};

static inline uint64_t volume_voxels(const uint32_t size[3])
{
    return (uint64_t)size[0] * size[1] * size[2];
}

extern const char *const volume_type_names[]; // by enum volume_type; ends with NULL

// How values lie in a file.
struct volume_layout {
    uint32_t type;           // enum volume_type
    bool big_endian, to_end; // to_end: nothing may follow them
    uint64_t offset;
    uint32_t size[3];
    double slope, intercept; // value = slope * stored + intercept
};

// Reads the file of `volume` at `path`. The samples are to be released, after failure too.
bool volume_samples_read(struct volume_samples *samples, const char *path, const struct scene_volume *volume,
                         struct error *error);
// Keeps the voxels from `from` on, `size` along each axis; an error where there are not so many.
bool volume_samples_crop(struct volume_samples *samples, const uint32_t from[3], const uint32_t size[3],
                         struct error *error);
void volume_samples_finish(struct volume_samples *samples);
// Where the values of a NIfTI file lie, and their spacing; from its first bytes.
enum { NIFTI_HEADER_MAX = 540 };
bool volume_nifti_layout(const unsigned char *header, size_t size, const char *path, struct volume_layout *layout,
                         double spacing[3], struct error *error);

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
