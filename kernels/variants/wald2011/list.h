// SPDX-License-Identifier: MIT
// One bounce over a list of paths kept in memory: the kernel of whole-frame compaction and of its control
// (Wald 2011, section 3.4 and appendix B.2).
#pragma once

#include "surface/extend.h"
#include "lib/place.h"

struct list_args {
    struct frame_args frame;
    struct path_memory paths;
    const uint32_t *list;  // place -> slot; NULL = the identity
    uint8_t *active;       // 1 where the path lives, by slot, or by place where flag_by_place
    uint32_t count;        // places in use; lanes beyond have nothing to do
    uint32_t bounce;       // 0: paths begin here
    uint32_t check_active; // the list may hold dead paths
    uint32_t flag_by_place;
};

DEVICE void list_bounce(const struct list_args *args)
{
    const struct frame_args *frame = &args->frame;
    const uint32_t place = lane_place(frame, block_index());
    bool alive = place < args->count;
    uint32_t slot = place, flag = place;
    if (alive) {
        slot = args->list ? args->list[place] : place;
        flag = args->flag_by_place ? place : slot;
        if (args->check_active && args->bounce > 0)
            alive = args->active[flag] != 0;
    }
    const lanemask group = warp_ballot(warp_mask(), alive);
    if (!alive)
        return;
    struct path path;
    if (args->bounce == 0)
        path = path_begin(frame, lane_pixel(frame, slot), frame->sample);
    else
        path = path_load(frame, &args->paths, slot);
    const bool lives = extend(frame, &path, group);
    args->active[flag] = (uint8_t)lives;
    if (lives)
        path_store(frame, &args->paths, slot, &path);
    else
        path_end(frame, &path);
}
