// SPDX-License-Identifier: MIT
// The bounce loop of single-kernel variants: one for all of them, reconverged at its head.
#pragma once

#include "lib/extend.h"

enum { LOOP_RECONVERGED, LOOP_FREE };

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
