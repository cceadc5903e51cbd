// SPDX-License-Identifier: MIT
// V-STREAM-SK: a persistent kernel whose blocks compact their paths after each extension; the lanes behind them take new ones.
#pragma once

#include "variants/volpt2018/streaming.h"

KERNEL(stream_block, struct persistent_args)
{
    uint32_t *const shared = (uint32_t *)block_shared();
    const bool atomic = CONFIG(&args->frame, tickets) == TICKETS_ATOMIC;
    struct queue_view view = {0, 0};
    uint32_t kept = 0;
    for (;;) {
        struct path path;
        uint32_t held;
        bool more;
        const bool had = stream_take_up(args, &view, thread_index() < kept, &path, &more, shared);
        if (!atomic && !more)
            return;
        const bool lives = advance(&args->frame, &path, had, 2u * (uint32_t)STORE_WORDS);
        const uint32_t rank = block_rank_and_count(lives, had, &kept, &held, shared);
        if (lives)
            store_save(&args->store, block_index() * block_size() + rank, &path);
        block_sync();
        count_barriers(&args->frame, (uint32_t)BLOCK_RANK_BARRIERS + 1u);
        if (atomic && held == 0u)
            return; // where no lane had a path, none will
    }
}
