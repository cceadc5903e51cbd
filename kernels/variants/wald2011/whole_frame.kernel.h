// SPDX-License-Identifier: MIT
// W-WF: one launch per bounce over a compacted list of the whole frame's paths (Wald 2011, section 3.4).
#pragma once

#include "variants/wald2011/list.h"

KERNEL(whole_frame_bounce, struct list_args)
{
    list_bounce(args);
}

struct move_args {
    struct frame_args frame;
    struct path_memory from, to;
    const uint32_t *list; // slots that survive
    uint32_t count;
};

// storage = move: the surviving paths go to dense slots of the other buffer.
KERNEL(whole_frame_move, struct move_args)
{
    const struct frame_args *frame = &args->frame;
    const uint32_t place = block_index() * block_size() + thread_index();
    if (place >= args->count)
        return;
    const struct path path = path_load(frame, &args->from, args->list[place]);
    path_store(frame, &args->to, place, &path);
}
