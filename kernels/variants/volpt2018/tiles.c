// SPDX-License-Identifier: MIT
#include "variants/volpt2018/tiles.h"

#include "variants/volpt2018/paths.h"

enum { CHANNELS = 3, COPY_STREAM = FRAME_STREAMS - 1 };

bool tiles_support(const struct parameters *parameters, const struct device_properties *device, char *reason,
                   size_t size)
{
    if (parameters->tile_film == TILE_FILM_TILE && parameters->tile_download == TILE_DOWNLOAD_OVERLAP) {
        snprintf(reason, size, "the film of a tile is copied before the next tile: choose tile_download: none or wait");
        return false;
    }
    return volume_supports(parameters, device, reason, size);
}

// Words of the film of the largest tile.
static size_t tiles_words(const struct frame *frame, const struct tiles *tiles)
{
    const size_t across = (frame->args.width - 1) / tiles->side + 1, down = (frame->args.height - 1) / tiles->side + 1;
    return CHANNELS * across * down;
}

bool tiles_prepare(struct frame *frame, struct tiles *tiles, struct error *error)
{
    const struct parameters *parameters = frame->parameters;
    *tiles = (struct tiles){.side = (uint32_t)parameters->tiles, .streams = (uint32_t)parameters->tile_streams};
    if (parameters->tile_film == TILE_FILM_TILE) {
        tiles->pixels = frame->args.film;
        tiles->films = frame_memory(frame, tiles->streams * tiles_words(frame, tiles) * sizeof *tiles->films, error);
        return tiles->films != NULL;
    }
    if (parameters->tile_download == TILE_DOWNLOAD_NONE)
        return true;
    tiles->pixels = frame_host_memory(frame, (size_t)frame->pixels * CHANNELS * sizeof *tiles->pixels, error);
    return tiles->pixels != NULL;
}

// Lets the launch add to a film of the tile alone, which begins where the film of the image would have its first pixel.
static bool tiles_begin(struct frame *frame, const struct tiles *tiles, const struct volume_tile *tile, uint32_t place,
                        struct error *error)
{
    if (!tiles->films)
        return true;
    uint64_t *film = tiles->films + place * tiles_words(frame, tiles);
    const size_t before = CHANNELS * ((size_t)tile->y * tile->width + tile->x);
    frame->args.film = (uint64_t *)((uintptr_t)film - before * sizeof *film);
    frame->args.film_width = tile->width;
    return frame_clear(frame, film, 0, (size_t)CHANNELS * tile->pixels * sizeof *film, -1, error);
}

// Copies the tile's rows of the film behind what its stream holds, on that one or on one that only copies.
static bool tiles_download(struct frame *frame, const struct tiles *tiles, const struct volume_tile *tile,
                           uint32_t stream, struct error *error)
{
    if (frame->parameters->tile_download == TILE_DOWNLOAD_OVERLAP && !frame_follow(frame, stream, COPY_STREAM, error))
        return false;
    const uint32_t width = frame->args.width, stride = frame->args.film_width;
    const bool whole = tile->width == width; // its rows lie one behind the other
    const uint32_t rows = whole ? 1 : tile->pixels / tile->width, pixels = whole ? tile->pixels : tile->width;
    for (uint32_t row = 0; tiles->pixels && row < rows; ++row) {
        const size_t y = tile->y + row, to = CHANNELS * (y * width + tile->x), from = CHANNELS * (y * stride + tile->x);
        if (!frame_download(frame, tiles->pixels + to, frame->args.film + from,
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
    const size_t words = tiles->films ? tiles->streams * tiles_words(frame, tiles) : (size_t)CHANNELS * frame->pixels;
    frame_note(frame, &(struct bounce_counts){.film_bytes = words * sizeof(uint64_t)});
    uint64_t *const film = frame->args.film;
    uint32_t turn = 0;
    bool done = true;
    for (uint32_t i = 0; done && i < side * side; ++i) {
        const uint32_t column = i % side, row = i / side;
        const uint32_t x = width * column / side, y = height * row / side;
        const uint32_t across = width * (column + 1) / side - x, down = height * (row + 1) / side - y;
        const struct volume_tile tile = {.x = x, .y = y, .width = across, .pixels = across * down};
        if (tile.pixels == 0)
            continue;
        const uint32_t place = turn++ % tiles->streams, stream = tiles->streams > 1 ? 1 + place : 0;
        done = frame_stream(frame, stream, error) && tiles_begin(frame, tiles, &tile, place, error) &&
               launch(frame, &tile, place, error) && tiles_download(frame, tiles, &tile, stream, error);
    }
    frame->args.film = film;
    frame->args.film_width = width;
    return done;
}
