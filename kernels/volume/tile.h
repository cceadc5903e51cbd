// SPDX-License-Identifier: MIT
// A rectangle of the image whose paths have numbers of their own.
#pragma once

#include "volume/path.h"

struct volume_tile {
    uint32_t x, y;          // its first pixel
    uint32_t width, pixels; // pixels in a row, and in all
};

// Numbered pixel by pixel, then sample by sample, as path_begin_numbered does for the whole image.
DEVICE struct path tile_path(const struct frame_args *frame, const struct volume_tile *tile, uint32_t id)
{
    const uint32_t sample = id / tile->pixels, place = id - sample * tile->pixels, y = place / tile->width;
    return path_begin(frame, (tile->x + place - y * tile->width) | (tile->y + y) << 16, sample);
}
