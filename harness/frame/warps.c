// SPDX-License-Identifier: MIT
// Warps by formula: docs/metrics.md 2.
#include "frame/warps.h"

#include <stdlib.h>
#include <string.h>

#include "frame/pixel_table.h"

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

// A list of n places under the printed 8x8 map: warps are 8 places wide and warp_width / 8 rows high.
static uint64_t warps_8x8(uint64_t width, uint64_t rows_of_warp, uint64_t paths)
{
    uint64_t warps = 0;
    for (uint64_t q = 0; q * rows_of_warp * width < paths; ++q)
        for (uint64_t p = 0; p < width / 8 && rows_of_warp * q * width + 8 * p < paths; ++p)
            ++warps;
    return warps;
}

static bool is_8x8(const struct parameters *parameters)
{
    char text[32];
    parameter_format(parameter_find("lane_map"), parameters->lane_map, text, sizeof text);
    return !strcmp(text, "8x8");
}

bool warps_of_list(const struct warps_asked *asked, uint64_t *warps)
{
    const struct parameters *parameters = asked->parameters;
    const uint64_t block = (uint64_t)parameters->block, width = (uint64_t)parameters->width;
    if (is_8x8(parameters)) {
        const bool ok = asked->warp_width >= 8 && block % asked->warp_width == 0 && width % 8 == 0;
        *warps = ok ? warps_8x8(width, asked->warp_width / 8, asked->paths) : 0;
        return ok;
    }
    // A block that is no multiple of the warp ends in a short warp.
    *warps =
        asked->paths / block * ceil_div(block, asked->warp_width) + ceil_div(asked->paths % block, asked->warp_width);
    return true;
}

static uint64_t alive_in_tile(const struct parameters *parameters, const uint32_t *path_length, uint64_t x0,
                              uint64_t y0, uint32_t bounce)
{
    const uint64_t width = (uint64_t)parameters->width, height = (uint64_t)parameters->height;
    uint64_t alive = 0;
    for (uint64_t y = y0; y < height && y < y0 + (uint64_t)parameters->tile_m; ++y)
        for (uint64_t x = x0; x < width && x < x0 + (uint64_t)parameters->block; ++x)
            alive += path_length[y * width + x] > bounce;
    return alive;
}

uint64_t warps_of_tiles(const struct warps_asked *asked)
{
    const struct parameters *parameters = asked->parameters;
    const uint32_t *path_length = asked->path_length;
    const uint32_t bounce = asked->bounce, warp_width = asked->warp_width;
    const uint64_t block = (uint64_t)parameters->block;
    uint64_t warps = 0;
    for (uint64_t y = 0; y < (uint64_t)parameters->height; y += (uint64_t)parameters->tile_m)
        for (uint64_t x = 0; x < (uint64_t)parameters->width; x += block) {
            // Entry j of the dense list goes to lane j mod block: full rounds first.
            const uint64_t alive = alive_in_tile(parameters, path_length, x, y, bounce);
            warps += alive / block * ceil_div(block, warp_width) + ceil_div(alive % block, warp_width);
        }
    return warps;
}

// ---- lists of places, path by path

// Where a pixel stands in the order of places: the inverse of what kernels do, which go from places to pixels.
static uint64_t tile_place(uint64_t width, uint64_t height, uint64_t x, uint64_t y)
{
    const uint64_t band = y / 4, high = height - 4 * band < 4 ? height - 4 * band : 4;
    const uint64_t tile = x / 8, wide = width - 8 * tile < 8 ? width - 8 * tile : 8;
    return 4 * band * width + 8 * tile * high + (y - 4 * band) * wide + x - 8 * tile;
}

static uint64_t unzip(uint64_t code)
{
    uint64_t number = 0;
    for (int bit = 0; bit < 16; ++bit)
        number |= (code >> 2 * bit & 1) << bit;
    return number;
}

static void order_by_morton(uint64_t width, uint64_t height, uint32_t *pixels)
{
    uint64_t side = 1, place = 0;
    while (side < width || side < height)
        side *= 2;
    for (uint64_t code = 0; code < side * side; ++code) {
        const uint64_t x = unzip(code), y = unzip(code >> 1);
        if (x < width && y < height)
            pixels[place++] = (uint32_t)(y * width + x);
    }
}

// Of each place, the pixel.
static void order_pixels(const struct parameters *parameters, uint32_t *pixels)
{
    const uint64_t width = (uint64_t)parameters->width, height = (uint64_t)parameters->height;
    char order[32];
    parameter_format(parameter_find("pixel_order"), parameters->pixel_order, order, sizeof order);
    if (!is_8x8(parameters) && !strcmp(order, "morton")) {
        order_by_morton(width, height, pixels);
        return;
    }
    if (!is_8x8(parameters) && !strcmp(order, "random")) {
        uint32_t *table = pixel_table_random((uint32_t)width, (uint32_t)height);
        for (uint64_t place = 0; table && place < width * height; ++place)
            pixels[place] = table[place];
        free(table);
        return;
    }
    const bool tiles = !is_8x8(parameters) && !strcmp(order, "tile");
    for (uint64_t y = 0; y < height; ++y)
        for (uint64_t x = 0; x < width; ++x)
            pixels[tiles ? tile_place(width, height, x, y) : y * width + x] = (uint32_t)(y * width + x);
}

// The warp whose lane has this place, numbered over all blocks.
static uint64_t warp_of_place(const struct parameters *parameters, uint32_t warp_width, uint64_t place)
{
    const uint64_t block = (uint64_t)parameters->block, warps = ceil_div(block, warp_width);
    if (!is_8x8(parameters))
        return place / block * warps + place % block / warp_width;
    const uint64_t width = (uint64_t)parameters->width, x = place % width, y = place / width;
    const uint64_t high = block < 8 ? 1 : block / 8; // rows of a block
    const uint64_t number = y / high * ceil_div(width, 8) + x / 8, lane = y % high * 8 + x % 8;
    return number * warps + lane / warp_width;
}

static uint64_t warps_with_paths(const struct warps_asked *asked, uint32_t compacted, const uint32_t *pixels,
                                 uint8_t *seen)
{
    const uint64_t count = (uint64_t)(asked->parameters->width * asked->parameters->height);
    uint64_t warps = 0, listed = 0;
    for (uint64_t place = 0; place < count; ++place) {
        const uint32_t length = asked->path_length[pixels[place]];
        if (compacted && length <= compacted)
            continue;
        const uint64_t warp = warp_of_place(asked->parameters, asked->warp_width, listed++);
        if (length > asked->bounce && !seen[warp]) {
            seen[warp] = 1;
            ++warps;
        }
    }
    return warps;
}

bool warps_of_places(const struct warps_asked *asked, uint32_t compacted, uint64_t *warps)
{
    const struct parameters *parameters = asked->parameters;
    const uint64_t block = (uint64_t)parameters->block, width = (uint64_t)parameters->width;
    const uint64_t count = width * (uint64_t)parameters->height;
    if (block == 0 || width == 0 || (is_8x8(parameters) && block % 8 != 0))
        return false;
    // Under the 8x8 map the last block may lie beyond the last place: as many blocks as there are rows of it.
    const uint64_t blocks = is_8x8(parameters) ? ceil_div(width, 8) * ceil_div((uint64_t)parameters->height, block / 8)
                                               : ceil_div(count, block);
    uint32_t *pixels = calloc(count, sizeof *pixels);
    uint8_t *seen = calloc(blocks * ceil_div(block, asked->warp_width), 1);
    const bool ok = pixels && seen;
    if (ok) {
        order_pixels(parameters, pixels);
        *warps = warps_with_paths(asked, compacted, pixels, seen);
    }
    free(pixels);
    free(seen);
    return ok;
}
