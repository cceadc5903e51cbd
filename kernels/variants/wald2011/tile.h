// SPDX-License-Identifier: MIT
// Tiled compaction in one kernel: a block owns a tile of block_size x M pixels, follows all of its paths and compacts
// its own list after every bounce, with no global synchronisation (Wald 2011, section 3.5 and appendix B.3, with the
// printed index errors corrected).
#pragma once

#include "surface/extend.h"
#include "schedules/loop.h"

struct tile_args {
    struct frame_args frame;
    struct path_memory paths; // state NULL: in shared memory. Radiance is always global.
    uint32_t tile_rows;       // M
    uint32_t tiles_across, tiles;
};

struct tile {
    uint32_t x, y;  // first pixel
    uint32_t slots; // block_size * M
    uint32_t *ids;  // shared: slots of the paths that live, dense
    uint32_t *bits; // shared: 1 where the path of the slot lives; scratch during compaction
    struct path_memory paths;
};

// Bytes of shared memory per path besides its state: an index and a flag.
enum { TILE_LIST_BYTES = 8 };

// `shared`: block_shared().
DEVICE struct tile tile_begin(const struct tile_args *args, uint32_t index, uint32_t *shared)
{
    struct tile tile;
    const uint32_t row = index / args->tiles_across;
    tile.x = (index - row * args->tiles_across) * block_size();
    tile.y = row * args->tile_rows;
    tile.slots = block_size() * args->tile_rows;
    tile.ids = shared;
    tile.bits = shared + tile.slots;
    tile.paths = args->paths;
    tile.paths.slots = tile.slots;
    tile.paths.radiance += (uint64_t)index * tile.slots;
    if (args->paths.state)
        tile.paths.state += (uint64_t)index * tile.slots * ((uint32_t)CONFIG(&args->frame, path_bytes) / 4u);
    else
        tile.paths.state = shared + 2u * tile.slots;
    return tile;
}

// Begins the tile's paths; slots beyond the image stay dead.
DEVICE void tile_fill(const struct tile_args *args, const struct tile *tile)
{
    const struct frame_args *frame = &args->frame;
    const uint32_t x = tile->x + thread_index();
    for (uint32_t row = 0; row < args->tile_rows; ++row) {
        const uint32_t slot = row * block_size() + thread_index(), y = tile->y + row;
        const bool inside = x < frame->width && y < frame->height;
        tile->bits[slot] = inside;
        if (inside) {
            const struct path path = path_begin(frame, x | y << 16, frame->sample);
            path_store(frame, &tile->paths, slot, &path);
        }
    }
}

// ids = the slots whose bit is set, in order; returns how many. The bits serve as scratch for the scan meanwhile: first
// each lane keeps its own in a register, then the warps' counts stand there, row by row, and at last the bits are put
// back.
DEVICE uint32_t tile_compact(const struct tile_args *args, const struct tile *tile)
{
    const uint32_t rows = args->tile_rows, lane = lane_index(), lanes = warp_width();
    const uint32_t warps = (block_size() + lanes - 1u) / lanes, warp = thread_index() / lanes;
    uint32_t mine = 0;
    for (uint32_t row = 0; row < rows; ++row)
        mine |= tile->bits[row * block_size() + thread_index()] << row;
    block_sync();
    for (uint32_t row = 0; row < rows; ++row) {
        const lanemask set = warp_ballot(warp_mask(), (mine >> row) & 1u);
        if (lane == 0)
            tile->bits[row * warps + warp] = lanemask_count(set);
    }
    block_sync();
    uint32_t before = 0, seen = 0; // set bits in all counts before entry `seen`
    for (uint32_t row = 0; row < rows; ++row) {
        for (; seen < row * warps + warp; ++seen)
            before += tile->bits[seen];
        const lanemask set = warp_ballot(warp_mask(), (mine >> row) & 1u);
        if ((mine >> row) & 1u)
            tile->ids[before + lanemask_count(set & lanemask_below(lane))] = row * block_size() + thread_index();
    }
    for (; seen < rows * warps; ++seen)
        before += tile->bits[seen];
    block_sync();
    for (uint32_t row = 0; row < rows; ++row)
        tile->bits[row * block_size() + thread_index()] = (mine >> row) & 1u;
    block_sync();
    return before;
}

// One bounce of the `count` paths in the list, consumed densely: entry j by lane j mod block_size.
DEVICE void tile_bounce(const struct frame_args *frame, const struct tile *tile, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += block_size()) {
        const uint32_t place = first + thread_index();
        const bool alive = place < count;
        const lanemask group = warp_ballot(warp_mask(), alive);
        if (!alive)
            continue;
        const uint32_t slot = tile->ids[place];
        struct path path = path_load(frame, &tile->paths, slot);
        if (extend(frame, &path, group)) {
            path_store(frame, &tile->paths, slot, &path);
        } else {
            path_end(frame, &path);
            tile->bits[slot] = 0;
        }
    }
}

DEVICE void tile_render(const struct tile_args *args, uint32_t index, uint32_t *shared)
{
    const struct tile tile = tile_begin(args, index, shared);
    tile_fill(args, &tile);
    block_sync();
    uint32_t count = tile_compact(args, &tile);
    while (count > 0) { // uniform over the block
        tile_bounce(&args->frame, &tile, count);
        block_sync();
        count = tile_compact(args, &tile);
    }
}

// All tiles of this block. A tile ends with a barrier, so that the next one may use its shared memory. Its path state
// lies where it would with a block of its own.
DEVICE void tile_render_all(const struct tile_args *args, uint32_t *shared)
{
    for (uint32_t index = block_index(); index < args->tiles; index = share_next(&args->frame, index))
        tile_render(args, index, shared);
}
