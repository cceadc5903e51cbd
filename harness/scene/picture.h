// SPDX-License-Identifier: MIT
// Reads pictures: environment maps (Radiance HDR, OpenEXR) and the mean colour of textures.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "scene/types.h"

struct picture {
    struct vec3 *texels; // row-major from the top, linear Rec. 709
    uint32_t width, height;
};

enum { PICTURE_MAX = 16384 }; // texels along a side

// By content, not by name. Negative values become 0; NaN and infinity are errors.
bool picture_read(struct picture *picture, const char *path, struct error *error);
void picture_finish(struct picture *picture);

// Mean linear colour of an 8-bit sRGB texture, weighted by its alpha.
bool picture_mean(const char *path, double mean[3], struct error *error);
// The same of an encoded picture in memory; `name` is for messages.
bool picture_mean_memory(const void *bytes, size_t size, const char *name, double mean[3], struct error *error);
