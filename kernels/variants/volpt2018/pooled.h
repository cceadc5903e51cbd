// SPDX-License-Identifier: MIT
// Rounds of two kernels over a pool of paths in memory: one that begins paths in free slots, and one that extends all that
// live, and may compact them, within their block or over the whole device.
#pragma once

#include "variants/volpt2018/advance.h"
#include "lib/queue.h"

enum pooled_word { POOLED_HEAD, POOLED_ENDED, POOLED_KEPT, POOLED_WORDS = POOLED_KEPT + 3 };

struct pooled_args {
    struct frame_args frame;
    struct path_store store, other; // where paths are; where a compaction over the device puts those that live
    uint32_t *words;                // enum pooled_word: paths begun, ended; kept by compaction since the frame began
    uint32_t paths;                 // of the frame
    uint32_t count;                 // lanes of this launch that have a slot
    uint32_t kept;                  // slots in front that hold paths, where the whole device compacts
    uint32_t kept_before;           // words[POOLED_KEPT] when the launch begins
    uint8_t *waits;       // ordered tickets: for each slot, whether it has no path; kept ones where paths move
    const uint32_t *list; // of the slots that this launch begins paths in or moves; NULL: all from `kept` on
    uint32_t first;       // ordered tickets: the path that begins first
    struct queue queue;   // of the form in one launch
};

DEVICE uint32_t pooled_lane(void)
{
    return block_index() * block_size() + thread_index();
}

// Ordered tickets: lane i begins path first + i, in the i-th free slot.
DEVICE void pooled_refill_ordered(const struct pooled_args *args)
{
    const uint32_t lane = pooled_lane();
    if (lane >= args->count)
        return;
    const struct path path = path_begin_numbered(&args->frame, args->first + lane);
    store_save(&args->store, args->list ? args->list[lane] : args->kept + lane, &path);
    count_total(&args->frame, begun, 1);
}

// Atomic tickets: each free slot asks for a path. `kept`: those before it are not free, and all behind are.
DEVICE void pooled_refill_atomic(const struct pooled_args *args, bool compacted)
{
    const struct frame_args *frame = &args->frame;
    const uint32_t slot = pooled_lane();
    const bool inside = slot < args->count;
    const bool wants = inside && (compacted ? slot >= args->kept : !store_lives(&args->store, slot));
    const lanemask takers = warp_ballot(warp_mask(), wants);
    const uint32_t ticket = queue_ticket(&args->words[POOLED_HEAD], wants, warp_mask());
    if (!wants)
        return;
    if ((takers & lanemask_below(lane_index())) == 0)
        count_total(frame, atomics, 1);
    if (ticket >= args->paths) {
        store_kill(&args->store, slot);
        return;
    }
    const struct path path = path_begin_numbered(frame, ticket);
    store_save(&args->store, slot, &path);
    count_total(frame, begun, 1);
}

DEVICE void pooled_refill(const struct pooled_args *args, bool compacted)
{
    if (CONFIG(&args->frame, tickets) == TICKETS_ORDERED)
        pooled_refill_ordered(args);
    else
        pooled_refill_atomic(args, compacted);
}

// The path of a slot, extended. Returns whether it lives. All lanes of the warp call this.
DEVICE bool pooled_extend_slot(const struct pooled_args *args, uint32_t slot, bool inside, struct path *path)
{
    const bool had = inside && store_lives(&args->store, slot);
    if (had)
        *path = store_load(&args->store, slot);
    const bool lives = advance(&args->frame, path, had, 2u * (uint32_t)STORE_WORDS);
    add_lanes(&args->frame, &args->words[POOLED_ENDED], had && !lives);
    return lives;
}

// Paths stay in their slots.
DEVICE void pooled_extend(const struct pooled_args *args)
{
    const uint32_t slot = pooled_lane();
    const bool inside = slot < args->count;
    struct path path = path_none();
    const bool lives = pooled_extend_slot(args, slot, inside, &path);
    if (lives)
        store_save(&args->store, slot, &path);
    else if (inside)
        store_kill(&args->store, slot);
    if (inside && args->waits)
        args->waits[slot] = !lives;
}

// Those that live move to the first slots of their block, in their order.
DEVICE void pooled_extend_local(const struct pooled_args *args, uint32_t *shared)
{
    const uint32_t slot = pooled_lane();
    const bool inside = slot < args->count;
    uint32_t kept;
    struct path path = path_none();
    const bool lives = pooled_extend_slot(args, slot, inside, &path);
    const uint32_t rank = block_rank(lives, &kept, shared);
    count_barriers(&args->frame, (uint32_t)BLOCK_RANK_BARRIERS);
    if (lives)
        store_save(&args->store, slot - thread_index() + rank, &path);
    if (inside && thread_index() >= kept)
        store_kill(&args->store, slot);
    if (inside && args->waits)
        args->waits[slot] = thread_index() >= kept;
}

// Where the paths of this block that live go: one atomic a block. The word behind those of the scan is shared.
DEVICE uint32_t pooled_base(const struct frame_args *frame, uint32_t *kept, uint32_t of_block, uint32_t *shared)
{
    uint32_t *const base = shared + block_rank_words(block_size(), warp_width());
    if (thread_index() == 0u && of_block > 0u) {
        *base = atomic_add_u32(kept, of_block);
        count_total(frame, atomics, 1);
    }
    block_sync();
    count_barriers(frame, (uint32_t)BLOCK_RANK_BARRIERS + 1u);
    return of_block > 0u ? *base : 0u;
}

// Those that live go to the other store, densely: blocks in the order in which they come to it. With ordered tickets the
// host makes a list of them, and pooled_move follows it.
DEVICE void pooled_extend_device(const struct pooled_args *args, uint32_t *shared)
{
    const uint32_t slot = pooled_lane();
    uint32_t of_block;
    struct path path = path_none();
    const bool lives = pooled_extend_slot(args, slot, slot < args->count, &path);
    if (CONFIG(&args->frame, tickets) == TICKETS_ORDERED) {
        if (lives)
            store_save(&args->store, slot, &path);
        if (slot < args->count)
            args->waits[slot] = lives;
        return;
    }
    const uint32_t rank = block_rank(lives, &of_block, shared);
    const uint32_t base = pooled_base(&args->frame, &args->words[POOLED_KEPT], of_block, shared);
    if (lives)
        store_save(&args->other, base - args->kept_before + rank, &path);
}

DEVICE void pooled_move(const struct pooled_args *args)
{
    const uint32_t lane = pooled_lane();
    if (lane >= args->count)
        return;
    const struct path path = store_load(&args->store, args->list[lane]);
    store_save(&args->other, lane, &path);
}
