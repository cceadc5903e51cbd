// SPDX-License-Identifier: MIT
// An image of a volume in tiles: one launch each, one after the other or several at the same time, with or without a copy
// of each tile's pixels to the host; on the device lies the film of the image, or those of the tiles under way.
#pragma once

#include "frame/variant.h"
#include "volume/tile.h"

#define TILE_PARAMETERS .tiles = true, .tile_streams = true, .tile_download = true, .tile_film = true

struct tiles {
    uint32_t side;    // tiles along it
    uint32_t streams; // that tiles take in turn
    uint64_t *pixels; // of the whole film, on the host; NULL where nothing is copied
    uint64_t *films;  // of a tile for each stream, on the device; NULL: there is the whole film
};

// As volume_supports; a tile's film must have been copied before the stream's next tile needs it.
bool tiles_support(const struct parameters *parameters, const struct device_properties *device, char *reason,
                   size_t size);
bool tiles_prepare(struct frame *frame, struct tiles *tiles, struct error *error);
// Calls `launch` for each tile, on its stream; `place`, below tiles->streams, tells what memory no other tile uses then.
bool tiles_render(struct frame *frame, const struct tiles *tiles,
                  bool (*launch)(struct frame *, const struct volume_tile *, uint32_t place, struct error *),
                  struct error *error);
