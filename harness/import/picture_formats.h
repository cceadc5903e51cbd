// SPDX-License-Identifier: MIT
// What the readers of Radiance HDR and OpenEXR share. C and C++ read this: it includes nothing of the kernels'.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "base/error.h"

enum { PICTURE_MAX = 16384 }; // texels along a side

// Red, green and blue of each texel, row-major from the top, linear Rec. 709, not yet checked. `values` is freed by whoever asked for
// the picture, also where reading failed.
struct picture_values {
    float *values;
    uint32_t width, height;
};

extern const char picture_smaller[]; // what remedies a picture that is too large
// Makes room for a picture of zeros. False where it is too large.
bool picture_values_make(struct picture_values *picture, int64_t width, int64_t height, const char *path,
                         struct error *error);
// ERROR_INPUT: "cannot read the picture: WHY", and the remedy, unless it is NULL. Returns false.
bool picture_refuse(struct error *error, const char *path, int line, const char *why, const char *remedy);

// `matrix` times a column of linear RGB is Rec. 709; `primaries` are the x and y of its red, green, blue and white. White stays white, by
// Bradford's adaptation, as in OpenEXR's reader of ACES files. Primaries that are Rec. 709's, to three digits, leave values as they are.
bool picture_to_rec709(const double primaries[8], double matrix[3][3], const char *path, int line, struct error *error);

bool picture_hdr_read(struct picture_values *picture, const char *path, struct error *error);
bool picture_exr_read(struct picture_values *picture, const char *path, struct error *error);

#ifdef __cplusplus
}
#endif
