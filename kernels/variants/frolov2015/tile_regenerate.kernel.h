// SPDX-License-Identifier: MIT
// F-TILE: the seven kernels over a pool of tiles. A tile whose paths have all ended is dead, and is replaced as a whole
// where it stands; until then its paths keep their slots (docs/variants.md, "Regeneration in place").
#pragma once

#include "variants/frolov2015/steps.h"

// A tile's key is this less its depth, the length of its longest path: by ascending keys, the deepest come first.
enum { TILE_KEY_BITS = 15, TILE_DEEPEST = (1 << TILE_KEY_BITS) - 1 };

struct tile_regenerate_args {
    struct frame_args frame;
    struct pool pool;
    struct step_slots slots;
    uint32_t side;             // pixels
    uint32_t across, tiles;    // of the image: in a row, and in all; those at its edges may be narrower and lower
    uint32_t entries;          // tiles that the pool holds, side * side slots each
    uint32_t *live, *tile;     // of each entry: paths that live, and the tile that they belong to
    uint8_t *dead;             // of each entry: whether none lives
    const uint32_t *vacancies; // the dead entries
    const uint32_t *order;     // the tiles as they are to begin; NULL: as they are numbered
    uint32_t *keys, *numbers;  // of each tile: its key once its paths have ended, and itself
    uint32_t first, count;     // places of that order that begin
    uint32_t sample;           // of the pass
};

struct tile_area {
    uint32_t x, y, width, height; // pixels
};

DEVICE struct tile_area tile_area_of(const struct tile_regenerate_args *args, uint32_t tile)
{
    const uint32_t row = tile / args->across;
    struct tile_area area;
    area.x = (tile - row * args->across) * args->side;
    area.y = row * args->side;
    const uint32_t right = args->frame.width - area.x, below = args->frame.height - area.y;
    area.width = right < args->side ? right : args->side;
    area.height = below < args->side ? below : args->side;
    return area;
}

DEVICE uint32_t tile_in_order(const struct tile_regenerate_args *args, uint32_t place)
{
    return args->order ? args->order[place] : place;
}

// Column and row within a tile of one of its slots: by parts of 8x4 pixels, so that a warp has one.
DEVICE void tile_place(uint32_t side, uint32_t slot, uint32_t *column, uint32_t *row)
{
    const uint32_t wide = side < 8u ? side : 8u, high = side < 4u ? side : 4u;
    const uint32_t part = slot / (wide * high), in_part = slot - part * wide * high, parts = side / wide;
    *column = part % parts * wide + in_part % wide;
    *row = part / parts * high + in_part / wide;
}

// Which entries are dead.
KERNEL(tile_check, struct tile_regenerate_args)
{
    const uint32_t entry = step_lane();
    const bool inside = entry < args->entries, dead = inside && args->live[entry] == 0;
    if (inside)
        args->dead[entry] = dead;
    if (COUNTING) {
        const lanemask looked = warp_ballot(warp_mask(), inside), found = warp_ballot(warp_mask(), dead);
        if (inside)
            count_live(&args->frame, looked, 0);
        if (lane_index() == 0)
            count_total(&args->frame, queued, lanemask_count(found));
    }
}

// What this pass has not begun yet.
DEVICE void tile_count_queued(const struct tile_regenerate_args *args)
{
    uint64_t samples = 0;
    for (uint32_t place = args->first + step_lane(); place < args->tiles; place += grid_size() * block_size()) {
        const struct tile_area area = tile_area_of(args, tile_in_order(args, place));
        samples += area.width * area.height;
    }
    count_total(&args->frame, queued, samples);
}

// The r-th dead entry takes the r-th of the tiles that begin.
KERNEL(tile_regenerate, struct tile_regenerate_args)
{
    const uint32_t size = args->side * args->side, rank = step_lane() / size, slot = step_lane() - rank * size;
    if (COUNTING)
        tile_count_queued(args);
    if (rank >= args->count)
        return;
    const uint32_t entry = args->vacancies[rank], tile = tile_in_order(args, args->first + rank);
    const struct tile_area area = tile_area_of(args, tile);
    uint32_t column, row;
    tile_place(args->side, slot, &column, &row);
    if (slot == 0) {
        args->live[entry] = area.width * area.height;
        args->tile[entry] = tile;
        args->numbers[tile] = tile;
        count_total(&args->frame, begun, area.width * area.height);
    }
    if (column < area.width && row < area.height)
        stage_begin(&args->frame, &args->pool, entry * size + slot, (area.x + column) | (area.y + row) << 16,
                    args->sample);
}

// Takes paths that have just ended off the counts of their entries, one atomic for all that a warp has of an entry. With
// the last of them the tile's depth is known, for its paths have begun together. All lanes of the warp call this.
DEVICE void tile_leave(const struct tile_regenerate_args *args, const struct step *step)
{
    const uint32_t entry = step->slot / (args->side * args->side);
    lanemask left = warp_ballot(warp_mask(), step->ended);
    while (left != 0) {
        const uint32_t lowest = lanemask_lowest(left), of_lowest = warp_broadcast_u32(warp_mask(), entry, lowest);
        const lanemask alike = warp_ballot(warp_mask(), step->ended && entry == of_lowest);
        left &= ~alike;
        if (lane_index() != lowest)
            continue;
        const uint32_t ended = lanemask_count(alike);
        if (atomic_add_u32(&args->live[entry], 0u - ended) == ended)
            args->keys[args->tile[entry]] = (uint32_t)TILE_DEEPEST - step->length;
        count_total(&args->frame, atomics, 1);
    }
}

TRACE_KERNEL(tile_trace, struct tile_regenerate_args)
{
    step_trace(&args->frame, &args->pool, &args->slots, (uint32_t *)block_shared());
}

KERNEL(tile_surface, struct tile_regenerate_args)
{
    const struct step step = step_surface(&args->frame, &args->pool, &args->slots);
    tile_leave(args, &step);
}

KERNEL(tile_light, struct tile_regenerate_args)
{
    step_light(&args->frame, &args->pool, &args->slots);
}

TRACE_KERNEL(tile_shadow, struct tile_regenerate_args)
{
    step_shadow(&args->frame, &args->pool, &args->slots, (uint32_t *)block_shared());
}

KERNEL(tile_shade, struct tile_regenerate_args)
{
    step_shade(&args->frame, &args->pool, &args->slots);
}

KERNEL(tile_next, struct tile_regenerate_args)
{
    const struct step step = step_next(&args->frame, &args->pool, &args->slots, (uint32_t *)block_shared());
    tile_leave(args, &step);
}
