// SPDX-License-Identifier: MIT
// The voxels of a volume's file, raw or NIfTI, as numbers.
#pragma once

#include <stdint.h>

#include "base/error.h"

enum { VOLUME_EDGE_MAX = 4096, VOLUME_VOXELS_MAX = 1 << 28 };
enum volume_format { VOLUME_RAW, VOLUME_NIFTI };
enum volume_type {
    VOLUME_UINT8,
    VOLUME_INT8,
    VOLUME_UINT16,
    VOLUME_INT16,
    VOLUME_UINT32,
    VOLUME_INT32,
    VOLUME_UINT64,
    VOLUME_INT64,
    VOLUME_FLOAT32,
    VOLUME_FLOAT64,
    VOLUME_TYPES
};

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

// What is known of a file before it is opened.
struct volume_source {
    const char *path;
    enum volume_format format;
    struct volume_layout layout; // of VOLUME_RAW; the others have it in their header
    double spacing[3];
    bool has_spacing; // given by the scene file, which overrides the header
};

// Reads a file. The samples are to be released, after failure too.
bool volume_samples_read(struct volume_samples *samples, const struct volume_source *source, struct error *error);
// Keeps the voxels from `from` on, `size` along each axis; an error where there are not so many.
bool volume_samples_crop(struct volume_samples *samples, const uint32_t from[3], const uint32_t size[3],
                         struct error *error);
void volume_samples_finish(struct volume_samples *samples);

// Where the values of a NIfTI file lie, and their spacing; from its first bytes.
enum { NIFTI_HEADER_MAX = 540 };
bool volume_nifti_layout(const unsigned char *header, size_t size, const char *path, struct volume_layout *layout,
                         double spacing[3], struct error *error);
