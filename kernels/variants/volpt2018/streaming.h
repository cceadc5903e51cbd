// SPDX-License-Identifier: MIT
// Streaming in one persistent kernel: a block owns a slot in memory for each of its lanes, and after each extension brings
// those of its paths that live together.
#pragma once

#include "variants/volpt2018/advance.h"
#include "variants/volpt2018/persistent_args.h"

// Takes up the path of the lane's slot, where `kept` says that there is one, or else the next one of the queue. Returns
// whether the lane has a path; `more`: as queue_next says. All lanes of the block call this.
DEVICE bool stream_take_up(const struct persistent_args *args, struct queue_view *view, bool kept, struct path *path,
                           bool *more, uint32_t *shared)
{
    const uint32_t slot = block_index() * block_size() + thread_index();
    uint32_t id;
    *more = queue_next(&args->frame, &args->queue, view, kept, &id, shared);
    *path = path_none();
    if (kept) {
        *path = store_load(&args->store, slot);
    } else if (id != (uint32_t)QUEUE_NOTHING) {
        *path = tile_path(&args->frame, &args->tile, id);
        count_total(&args->frame, begun, 1);
    }
    return kept || id != (uint32_t)QUEUE_NOTHING;
}
