// SPDX-License-Identifier: MIT
// V-REGEN-T: a persistent kernel in which a lane whose path has ended takes the next one from a queue, alone.
#pragma once

#include "volume/extend.h"
#include "lib/queue.h"

struct regenerate_thread_args {
    struct frame_args frame;
    struct queue queue; // of numbered paths
};

KERNEL(regenerate_thread, struct regenerate_thread_args)
{
    const struct frame_args *frame = &args->frame;
    struct queue_view view = {0, 0};
    struct path path = path_begin_numbered(frame, 0);
    bool alive = false;
    uint32_t id;
    while (queue_next(frame, &args->queue, &view, alive, &id, (uint32_t *)block_shared())) {
        if (id != (uint32_t)QUEUE_NOTHING) {
            path = path_begin_numbered(frame, id);
            alive = true;
            count_total(frame, begun, 1);
        }
        const lanemask group = warp_ballot(warp_mask(), alive);
        if (!alive)
            continue;
        count_live(frame, group, 0); // its state stays in registers
        alive = extend(frame, &path, group);
        if (!alive)
            path_end(frame, &path);
    }
}
