// SPDX-License-Identifier: MIT
// Regeneration in a persistent kernel: lanes follow paths in registers, and take their next ones from a queue each by itself,
// or when their whole warp or block has nothing left to do.
#pragma once

#include "variants/volpt2018/advance.h"
#include "variants/volpt2018/persistent_args.h"

enum regenerate_unit {
    REGENERATE_LANE,  // a lane whose path has ended takes one
    REGENERATE_WARP,  // all lanes of a warp, when all their paths have ended
    REGENERATE_BLOCK, // all lanes of a block, when all their paths have ended
    REGENERATE_PART   // the lanes of a block whose paths have ended, together, after each extension
};

enum { REGENERATE_MOST_PATHS = 4 };

// Words of shared memory of a block.
DEVICE uint32_t regenerate_words(uint32_t block, uint32_t warp)
{
    return (uint32_t)BLOCK_ANY_WORDS + 1u + block_rank_words(block, warp);
}

struct regenerate_view {
    struct queue_view queue;
    uint32_t calls; // of block_any
};

// One atomic for all lanes of the block that want a path: paths base + rank, of `wanting`. `word` is shared, and was read
// by all before the last barrier.
DEVICE uint32_t regenerate_base(const struct frame_args *frame, uint32_t *head, uint32_t wanting, uint32_t *word)
{
    if (thread_index() == 0u) {
        *word = atomic_add_u32(head, wanting);
        count_total(frame, atomics, 1);
    }
    block_sync();
    count_barriers(frame, 1u);
    return *word;
}

// With atomic tickets, for a block at once. Once the queue is empty, which all its lanes learn in the same trip, no lane
// waits for another again.
DEVICE bool regenerate_in_block(const struct frame_args *frame, const struct queue *queue, struct regenerate_view *view,
                                bool part, bool busy, uint32_t *item, uint32_t *shared)
{
    uint32_t rank = thread_index(), wanting = 0u;
    if (view->queue.trip++ > 0u)
        grid_yield();
    if (view->queue.taken < queue->count) {
        if (part)
            rank = block_rank(!busy, &wanting, shared + BLOCK_ANY_WORDS + 1);
        else if (!block_any(busy, view->calls++, shared))
            wanting = block_size();
        count_barriers(frame, part ? (uint32_t)BLOCK_RANK_BARRIERS : 1u);
    }
    if (wanting > 0u) {
        const uint32_t base = regenerate_base(frame, queue->words, wanting, shared + BLOCK_ANY_WORDS);
        view->queue.taken = base < queue->count && wanting < queue->count - base ? base + wanting : queue->count;
        if (!busy && base < queue->count && rank < queue->count - base)
            *item = base + rank;
    }
    return warp_any(warp_mask(), busy || *item != (uint32_t)QUEUE_NOTHING) || view->queue.taken < queue->count;
}

// As queue_next, for a unit. All lanes of the block call it, until it says false.
DEVICE bool regenerate_next(const struct frame_args *frame, const struct queue *queue, struct regenerate_view *view,
                            uint32_t unit, bool busy, uint32_t *item, uint32_t *shared)
{
    const bool atomic = CONFIG(frame, tickets) == TICKETS_ATOMIC;
    bool wants = !busy;
    *item = (uint32_t)QUEUE_NOTHING;
    if (atomic && (unit == REGENERATE_BLOCK || unit == REGENERATE_PART))
        return regenerate_in_block(frame, queue, view, unit == REGENERATE_PART, busy, item, shared);
    if (unit == REGENERATE_WARP && (!atomic || view->queue.taken < queue->count))
        wants = !warp_any(warp_mask(), busy);
    if (unit == REGENERATE_BLOCK) {
        wants = !block_any(busy, view->calls++, shared);
        count_barriers(frame, 1u);
    }
    const bool more = queue_next_wanted(frame, queue, &view->queue, busy, wants, item, shared + BLOCK_ANY_WORDS + 1);
    if (unit == REGENERATE_WARP && atomic) // that of its last lane, so that all know whether the queue is empty
        view->queue.taken = warp_broadcast_u32(warp_mask(), view->queue.taken, lanemask_count(warp_mask()) - 1u);
    return more;
}

DEVICE void regenerate_open(uint32_t unit, uint32_t *shared)
{
    if (unit != REGENERATE_BLOCK)
        return;
    if (thread_index() < (uint32_t)BLOCK_ANY_WORDS)
        shared[thread_index()] = 0u;
    block_sync();
}

// `shared`: block_shared().
DEVICE void regenerate(const struct persistent_args *args, uint32_t unit, uint32_t *shared)
{
    const struct frame_args *frame = &args->frame;
    const uint32_t count = 1u << CONFIG(frame, lane_paths);
    LANE_LOCAL_ARRAY struct path paths[REGENERATE_MOST_PATHS];
    LANE_LOCAL_ARRAY bool alive[REGENERATE_MOST_PATHS];
    struct regenerate_view view = {{0, 0}, 0};
    UNROLLED for (uint32_t i = 0; i < count; ++i)
    {
        paths[i] = path_none();
        alive[i] = false;
    }
    regenerate_open(unit, shared);
    for (bool more = true; more;) {
        more = false;
        UNROLLED for (uint32_t i = 0; i < count; ++i)
        {
            uint32_t id;
            more |= regenerate_next(frame, &args->queue, &view, unit, alive[i], &id, shared);
            if (id != (uint32_t)QUEUE_NOTHING) {
                paths[i] = tile_path(frame, &args->tile, id);
                alive[i] = true;
                count_total(frame, begun, 1);
            }
        }
        UNROLLED for (uint32_t i = 0; i < count; ++i)
        {
            alive[i] = advance(frame, &paths[i], alive[i], 0); // its state stays in registers
        }
    }
}
