// SPDX-License-Identifier: MIT
#include "variants/volpt2018/tiles.h"

enum { CHANNELS = 3, COPY_STREAM = FRAME_STREAMS - 1 };

bool tiles_prepare(struct frame *frame, struct tiles *tiles, struct error *error)
{
    const struct parameters *parameters = frame->parameters;
    *tiles = (struct tiles){.side = (uint32_t)parameters->tiles, .streams = (uint32_t)parameters->tile_streams};
    if (parameters->tile_download == TILE_DOWNLOAD_NONE)
        return true;
    tiles->pixels = frame_host_memory(frame, (size_t)frame->pixels * CHANNELS * sizeof *tiles->pixels, error);
    return tiles->pixels != NULL;
}

// Copies the tile's rows of the film behind what its stream holds, on that one or on one that only copies.
static bool tiles_download(struct frame *frame, const struct tiles *tiles, const struct volume_tile *tile,
                           uint32_t stream, struct error *error)
{
    if (frame->parameters->tile_download == TILE_DOWNLOAD_OVERLAP && !frame_follow(frame, stream, COPY_STREAM, error))
        return false;
    const bool whole = tile->width == frame->args.width; // its rows lie one behind the other
    const uint32_t rows = whole ? 1 : tile->pixels / tile->width, pixels = whole ? tile->pixels : tile->width;
    for (uint32_t row = 0; tiles->pixels && row < rows; ++row) {
        const size_t first = CHANNELS * ((size_t)(tile->y + row) * frame->args.width + tile->x);
        if (!frame_download(frame, tiles->pixels + first, frame->args.film + first,
                            (size_t)pixels * CHANNELS * sizeof *tiles->pixels, error))
            return false;
    }
    return frame->parameters->tile_download != TILE_DOWNLOAD_WAIT || frame_wait(frame, error);
}

bool tiles_render(struct frame *frame, const struct tiles *tiles,
                  bool (*launch)(struct frame *, const struct volume_tile *, uint32_t place, struct error *),
                  struct error *error)
{
    const uint32_t width = frame->args.width, height = frame->args.height, side = tiles->side;
    uint32_t turn = 0;
    for (uint32_t i = 0; i < side * side; ++i) {
        const uint32_t column = i % side, row = i / side;
        const uint32_t x = width * column / side, y = height * row / side;
        const uint32_t across = width * (column + 1) / side - x, down = height * (row + 1) / side - y;
        const struct volume_tile tile = {.x = x, .y = y, .width = across, .pixels = across * down};
        if (tile.pixels == 0)
            continue;
        const uint32_t place = turn++ % tiles->streams, stream = tiles->streams > 1 ? 1 + place : 0;
        if (!frame_stream(frame, stream, error) || !launch(frame, &tile, place, error) ||
            !tiles_download(frame, tiles, &tile, stream, error))
            return false;
    }
    return true;
}
