// SPDX-License-Identifier: MIT
// The loops of single-kernel variants: over the shares of work of a block, and over the bounces of a path, one for all
// of them and reconverged at its head. The estimator's extend.h comes before this header: its `struct path` is followed.
#pragma once

#include "lib/frame.h"

#define SHARE_NONE 0xFFFFFFFFu

// What a block does after `share`, its first being that of its own index: nothing, or, where resident_blocks limits
// the grid, every grid_size()-th share. A constant of the build, for the loop costs registers: 96 become 103 in
// tiled_global, uncapped.
DEVICE uint32_t share_next(const struct frame_args *frame, uint32_t share)
{
    return CONFIG(frame, resident) ? share + grid_size() : SHARE_NONE;
}

// Follows the path to its end. All lanes of the warp call this together; `alive` says which of them have a path.
DEVICE void follow_path(const struct frame_args *frame, struct path *path, bool alive)
{
    if (COUNTING || CONFIG(frame, loop) == LOOP_RECONVERGED) {
        const lanemask everyone = warp_mask();
        lanemask group = warp_ballot(everyone, alive);
        while (group != 0) {
            if (alive)
                alive = extend(frame, path, group);
            group = warp_ballot(everyone, alive);
        }
    } else {
        while (alive)
            alive = extend(frame, path, (lanemask)1 << lane_index());
    }
}
