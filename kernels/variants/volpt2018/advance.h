// SPDX-License-Identifier: MIT
// An extension of paths that wait in memory, one a lane.
#pragma once

#include "volume/extend.h"
#include "volume/store.h"

// In a lane that has none.
DEVICE struct path path_none(void)
{
    struct path path;
    path.ray.origin = path.ray.direction = path.weight = vec3_splat(0.0f);
    path.pixel = path.sample = path.bounce = path.place = 0;
    return path;
}

// Extends the lane's path and ends it where it ends; words that the lane reads and writes of it are counted. Returns whether
// it lives. All lanes of the warp call this together; `alive`: the lane has a path.
DEVICE bool advance(const struct frame_args *frame, struct path *path, bool alive, uint32_t words)
{
    const lanemask group = warp_ballot(warp_mask(), alive);
    if (!alive)
        return false;
    count_live(frame, group, words);
    alive = extend(frame, path, group);
    if (!alive)
        path_end(frame, path);
    return alive;
}

// Adds one for each lane of the warp with `flag` to a counter, by a single atomic; all lanes of the warp call it.
DEVICE void add_lanes(const struct frame_args *frame, uint32_t *counter, bool flag)
{
    const lanemask set = warp_ballot(warp_mask(), flag);
    if (set == 0 || lane_index() != lanemask_lowest(set))
        return;
    (void)atomic_add_u32(counter, lanemask_count(set));
    count_total(frame, atomics, 1);
}

// Barriers of a block; all its lanes call this.
DEVICE void count_barriers(const struct frame_args *frame, uint32_t barriers)
{
    if (COUNTING && thread_index() == 0u)
        count_total(frame, barriers, barriers);
}
