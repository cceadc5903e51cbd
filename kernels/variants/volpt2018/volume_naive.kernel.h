// SPDX-License-Identifier: MIT
// V-NAIVE-SK: one lane, one path, all extensions, state in registers.
#pragma once

#include "volume/extend.h"
#include "volume/tile.h"
#include "schedules/loop.h"

struct volume_naive_args {
    struct frame_args frame;
    struct volume_tile tile;
    uint32_t paths, shares; // of the tile; shares: blocks that cover all paths
};

KERNEL(volume_naive, struct volume_naive_args)
{
    const struct frame_args *frame = &args->frame;
    for (uint32_t share = block_index(); share < args->shares; share = share_next(frame, share)) {
        const uint32_t id = share * block_size() + thread_index();
        const bool inside = id < args->paths;
        struct path path = tile_path(frame, &args->tile, inside ? id : 0);
        follow_path(frame, &path, inside);
        if (inside)
            path_end(frame, &path);
    }
}
