// SPDX-License-Identifier: MIT
// Reads pictures: environment maps (Radiance HDR, OpenEXR) and the mean colour of textures.
#pragma once

#include "base/error.h"
#include "import/picture_formats.h"
#include "geometry/types.h"

struct picture {
    struct vec3 *texels; // row-major from the top, linear Rec. 709
    uint32_t width, height;
};

// By content, not by name. Negative values become 0, unless they are more than a hundredth of the light, which is an error, as are values
// above 1e12, NaN and infinity.
bool picture_read(struct picture *picture, const char *path, struct error *error);
void picture_finish(struct picture *picture);

// Mean linear colour of a texture: of Radiance HDR and OpenEXR as they are, of all others as sRGB and weighted by their alpha.
bool picture_mean(const char *path, double mean[3], struct error *error);
// The same of an encoded picture in memory; `name` is for messages. With `alpha`, which becomes the mean alpha, colours are not weighted.
bool picture_mean_memory(const void *bytes, size_t size, const char *name, double *alpha, double mean[3],
                         struct error *error);
