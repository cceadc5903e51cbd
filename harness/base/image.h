// SPDX-License-Identifier: MIT
// Images on their way out. A file appears whole, on the disk, or not at all: on failure an older one stays.
#pragma once

#include <stdint.h>

#include "base/error.h"

// Linear radiance, width * height * 3, row-major from the top; to be freed.
// `film`: sums over `paths` paths a pixel in Q31.32.
float *image_from_film(const int64_t *film, uint32_t width, uint32_t height, uint32_t paths);

// By how many powers of two to brighten a picture, so that its mean is a quarter of white, as an eye would expect of a
// small one.
float image_exposure(const float *radiance, uint32_t width, uint32_t height);

// A JPEG in memory: 8 bits through the sRGB curve, clipped to [0, 1], after scaling by 2^stops. *bytes is to be freed.
bool image_encode_jpeg(const float *radiance, uint32_t width, uint32_t height, float stops, char **bytes, size_t *size,
                       struct error *error);

// By the name's ending: .png, in 8 bits as image_encode_jpeg; .exr, in half precision; or .hdr.
bool image_check_path(const char *path, struct error *error);
bool image_write(const char *path, const float *radiance, uint32_t width, uint32_t height, float stops,
                 struct error *error);
