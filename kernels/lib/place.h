// SPDX-License-Identifier: MIT
// From lanes to places of a list of paths, and from places to pixels.
#pragma once

#include "lib/frame.h"

#define PLACE_NONE 0xFFFFFFFFu

// Place of this lane in block `block`: its 1-D index, or x + y * width where a block is 8 pixels wide (Wald 2011,
// appendix B.2).
DEVICE uint32_t lane_place(const struct frame_args *frame, uint32_t block)
{
    if (CONFIG(frame, lane_map) == LANE_MAP_LINEAR)
        return block * block_size() + thread_index();
    const uint32_t across = (frame->width + 7u) / 8u;
    const uint32_t row = block / across, column = block - row * across;
    const uint32_t x = column * 8u + (thread_index() & 7u), y = row * (block_size() / 8u) + (thread_index() >> 3);
    return x < frame->width ? y * frame->width + x : PLACE_NONE;
}

// Tiles of 8x4 pixels, row by row; at the right and lower edge they are narrower and lower, so that no place is empty.
DEVICE uint32_t tile_order_pixel(const struct frame_args *frame, uint32_t place)
{
    const uint32_t band = place / (frame->width * 4u), within = place - band * frame->width * 4u;
    const uint32_t rest = frame->height - band * 4u, height = rest < 4u ? rest : 4u;
    const uint32_t tile = within / (8u * height), in_tile = within - tile * 8u * height;
    const uint32_t left = frame->width - tile * 8u, width = left < 8u ? left : 8u;
    const uint32_t y = in_tile / width;
    return (tile * 8u + in_tile - y * width) | (band * 4u + y) << 16;
}

DEVICE uint32_t row_order_pixel(const struct frame_args *frame, uint32_t place)
{
    const uint32_t y = place / frame->width;
    return (place - y * frame->width) | y << 16;
}

// Pixel of a place, as x | y << 16.
DEVICE uint32_t place_pixel(const struct frame_args *frame, uint32_t place)
{
    if (CONFIG(frame, pixel_order) == PIXEL_ORDER_ROW)
        return row_order_pixel(frame, place);
    if (CONFIG(frame, pixel_order) == PIXEL_ORDER_MORTON) {
        const uint32_t pixel = frame->pixel_table[place], y = pixel / frame->width;
        return (pixel - y * frame->width) | y << 16;
    }
    return tile_order_pixel(frame, place);
}

// The same of a place that lane_place gave: the 8x8 lane map numbers places by rows whatever the order.
DEVICE uint32_t lane_pixel(const struct frame_args *frame, uint32_t place)
{
    return CONFIG(frame, lane_map) == LANE_MAP_8X8 ? row_order_pixel(frame, place) : place_pixel(frame, place);
}
