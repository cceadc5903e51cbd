// SPDX-License-Identifier: MIT
// V-STREAM-MK: two kernels over a pool: paths are extended and compacted over the whole device, then new ones begin behind them.
#pragma once

#include "variants/volpt2018/pooled.h"

KERNEL(stream_device_refill, struct pooled_args)
{
    pooled_refill(args, true);
}

KERNEL(stream_device_extend, struct pooled_args)
{
    pooled_extend_device(args, (uint32_t *)block_shared());
}

// With ordered tickets.
KERNEL(stream_device_move, struct pooled_args)
{
    pooled_move(args);
}

// What a lane of the form in one launch knows of all paths.
struct stream_turn {
    uint32_t kept, begun, trip;
};

// The path of this lane, where it has one.
DEVICE bool stream_take(const struct pooled_args *args, const struct stream_turn *turn, struct path *path)
{
    const struct frame_args *frame = &args->frame;
    const uint32_t slot = pooled_lane(), left = args->paths - turn->begun;
    const bool wants = slot >= turn->kept && left > 0u;
    uint32_t ticket = turn->begun + slot - turn->kept;
    if (slot < turn->kept)
        *path = store_load(turn->trip & 1u ? &args->other : &args->store, slot);
    if (CONFIG(frame, tickets) == TICKETS_ATOMIC) {
        const lanemask takers = warp_ballot(warp_mask(), wants);
        ticket = queue_ticket(&args->words[POOLED_HEAD], wants, warp_mask());
        if (wants && (takers & lanemask_below(lane_index())) == 0)
            count_total(frame, atomics, 1);
    }
    if (wants && ticket < args->paths) {
        *path = path_begin_numbered(frame, ticket);
        count_total(frame, begun, 1);
        return true;
    }
    return slot < turn->kept;
}

// The slot of a path that lives, among those of the whole grid, whose number `kept` becomes known after the next barrier.
DEVICE uint32_t stream_place(const struct pooled_args *args, const struct stream_turn *turn, bool lives, uint32_t *kept,
                             uint32_t *shared)
{
    uint32_t *const word = args->words + POOLED_KEPT + turn->trip % 3u;
    uint32_t of_block;
    if (CONFIG(&args->frame, tickets) == TICKETS_ORDERED)
        return queue_grid_rank(&args->queue, turn->trip, lives, kept, shared);
    const uint32_t rank = block_rank(lives, &of_block, shared);
    const uint32_t place = pooled_base(&args->frame, word, of_block, shared) + rank;
    grid_sync();
    *kept = atomic_load_u32(word);
    if (pooled_lane() == 0u)
        atomic_store_u32(args->words + POOLED_KEPT + (turn->trip + 2u) % 3u, 0u);
    return place;
}

// All in one cooperative launch, each lane of which has a slot: barriers of the grid in place of launches.
KERNEL(stream_device_whole, struct pooled_args)
{
    struct stream_turn turn = {0, 0, 0};
    for (; turn.kept > 0u || turn.begun < args->paths; ++turn.trip) {
        struct path path = path_none();
        const uint32_t left = args->paths - turn.begun, slots = grid_size() * block_size();
        bool alive = stream_take(args, &turn, &path);
        turn.begun += left < slots - turn.kept ? left : slots - turn.kept;
        alive = advance(&args->frame, &path, alive, 2u * (uint32_t)STORE_WORDS);
        const uint32_t place = stream_place(args, &turn, alive, &turn.kept, (uint32_t *)block_shared());
        if (alive)
            store_save(turn.trip & 1u ? &args->store : &args->other, place, &path);
        grid_sync();
    }
}
