// SPDX-License-Identifier: MIT
// V-STREAM-SK-SORT: as V-STREAM-SK, with a sort of the block's paths along a Morton curve in place of the scan.
#pragma once

#include "variants/volpt2018/sorting.h"

KERNEL(stream_sort, struct persistent_args)
{
    uint32_t *const words = (uint32_t *)block_shared(), *const shared = words + BLOCK_ANY_WORDS;
    const uint32_t slot = block_index() * block_size() + thread_index();
    struct queue_view view = {0, 0};
    bool going = true;
    sort_open(args, words);
    for (uint32_t trip = 0; going; ++trip) {
        struct path path;
        bool more;
        const bool had = stream_take_up(args, &view, store_lives(&args->store, slot), &path, &more, shared);
        if (CONFIG(&args->frame, tickets) == TICKETS_ORDERED && !more)
            return;
        const bool lives = advance(&args->frame, &path, had, 2u * (uint32_t)STORE_WORDS);
        (void)sort_paths(args, &path, lives, false, shared);
        going = sort_goes_on(args, had, trip, words);
    }
}
