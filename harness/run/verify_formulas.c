// SPDX-License-Identifier: MIT
// Warps by formula: metrics.md, section 2.
#include "run/verify.h"

#include <string.h>

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

uint64_t verify_list_warps(const struct parameters *parameters, uint32_t warp_width, uint64_t paths, bool *ok)
{
    const uint64_t block = (uint64_t)parameters->block, width = (uint64_t)parameters->width;
    if (is_8x8(parameters)) {
        *ok = warp_width >= 8 && block % warp_width == 0 && width % 8 == 0;
        return *ok ? warps_8x8(width, warp_width / 8, paths) : 0;
    }
    // A block that is no multiple of the warp ends in a short warp.
    *ok = true;
    return paths / block * ceil_div(block, warp_width) + ceil_div(paths % block, warp_width);
}

static uint64_t alive_in_tile(const struct parameters *parameters, const uint8_t *path_length, uint64_t x0, uint64_t y0,
                              uint32_t bounce)
{
    const uint64_t width = (uint64_t)parameters->width, height = (uint64_t)parameters->height;
    uint64_t alive = 0;
    for (uint64_t y = y0; y < height && y < y0 + (uint64_t)parameters->tile_m; ++y)
        for (uint64_t x = x0; x < width && x < x0 + (uint64_t)parameters->block; ++x)
            alive += path_length[y * width + x] > bounce;
    return alive;
}

uint64_t verify_tile_warps(const struct parameters *parameters, uint32_t warp_width, const uint8_t *path_length,
                           uint32_t bounce)
{
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
