// SPDX-License-Identifier: MIT
// OpenEXR files by that library's own writers. Texel (x, y) is (x + 1, y + 1, 1/2), or as near as the file's compression keeps it.
#pragma once

enum { EXR_WIDTH = 48, EXR_HEIGHT = 24 };

enum exr_form {
    EXR_TILES,            // in halves, with smaller copies
    EXR_PARTS,            // the depth first, then tiles of floats
    EXR_DEEP,             // nothing but a deep part
    EXR_DWA,              // with loss
    EXR_LUMINANCE_CHROMA, // with colours at half the resolution: (y + 1) of grey
};

#ifdef __cplusplus
extern "C"
#endif
    void
    exr_write(const char *path, enum exr_form form);
