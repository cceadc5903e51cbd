// SPDX-License-Identifier: MIT
// Queues of numbered items, handed out by tickets. With `tickets` ordered, who gets which item depends on ranks alone, so
// that it is the same on every device; with atomic, a counter decides, as in the papers.
//
// Where kernels are launched again and again, lanes that keep a slot each
//   atomic:  take the item queue_ticket(head, wants, warp_mask()) at once, where it is below the number of items;
//   ordered: write a byte for each slot, whether it wants an item. The host selects the slots that do
//            (frame_select_flagged), and in the next launch lane i takes item `taken so far` + i for the i-th of them.
// In a persistent kernel, launched cooperatively with frame_resident_grid, lanes call queue_next in each trip.
#pragma once

#include "lib/block.h"
#include "lib/counting.h"
#include "lib/frame.h"

enum { QUEUE_NOTHING = -1 };

// The next ticket for each lane of `mask` that wants one: one atomic for all of them. All lanes of `mask` call it.
DEVICE uint32_t queue_ticket(uint32_t *head, bool wants, lanemask mask)
{
    const lanemask takers = warp_ballot(mask, wants);
    const uint32_t rank = lanemask_count(takers & lanemask_below(lane_index()));
    const uint32_t leader = lanemask_count((takers & (0 - takers)) - 1);
    uint32_t first = 0u;
    if (takers == 0)
        return 0u;
    if (lane_index() == leader)
        first = atomic_add_u32(head, lanemask_count(takers));
    return warp_broadcast_u32(mask, first, leader) + rank;
}

// A queue of a persistent kernel: items 0 .. count-1. `words` are 2 * grid + 1, zero when the kernel starts.
struct queue {
    uint32_t *words;
    uint32_t count;
};

DEVICE uint32_t queue_words(uint32_t grid)
{
    return 2u * grid + 1u;
}

// What a lane knows of a queue. Zero at the start of the kernel.
struct queue_view {
    uint32_t taken, trip; // items handed out, trips taken: the same for all lanes with ordered tickets
};

// Lanes before this one in the whole grid that want an item; in `total` those of all the grid. A barrier of the grid.
// Two sets of words take turns, so that a fast block does not write what a slow one still reads.
DEVICE uint32_t queue_grid_rank(const struct queue *queue, uint32_t trip, bool wants, uint32_t *total, uint32_t *shared)
{
    uint32_t *const totals = queue->words + 1u + (trip & 1u) * grid_size();
    uint32_t of_block, before = 0u, all = 0u;
    const uint32_t rank = block_rank(wants, &of_block, shared);
    if (thread_index() == 0u)
        atomic_store_u32(&totals[block_index()], of_block);
    grid_sync();
    for (uint32_t block = thread_index(); block < grid_size(); block += block_size()) {
        const uint32_t here = atomic_load_u32(&totals[block]);
        all += here;
        before += block < block_index() ? here : 0u;
    }
    *total = block_sum_u32(all, shared);
    return block_sum_u32(before, shared) + rank;
}

// Once in each trip of a persistent loop. `busy`: the lane still works on an item; it must know its own item. `wants`: it is
// to get another one, which a busy lane is not; one that does not want any either waits for others of its warp or block.
// Gives an item, or QUEUE_NOTHING as uint32_t. False where the lane is to leave the loop.
//   ordered: called by all lanes of the grid, which leave together once the queue is empty and all want an item; `shared`
//            is block_rank_words() words
//   atomic:  called by all lanes of a warp, which leave together once none is busy or has got an item: where lanes wait, it
//            must be for others of their warp alone. `shared` is not used
DEVICE bool queue_next_wanted(const struct frame_args *frame, const struct queue *queue, struct queue_view *view,
                              bool busy, bool wants, uint32_t *item, uint32_t *shared)
{
    uint32_t ticket, wanting;
    *item = (uint32_t)QUEUE_NOTHING;
    if (CONFIG(frame, tickets) == TICKETS_ATOMIC) {
        if (view->trip++ > 0u)
            grid_yield();
        // A lane that once found the queue empty need not look again.
        wants = wants && view->taken < queue->count;
        ticket = queue_ticket(queue->words, wants, warp_mask());
        if (COUNTING) {
            const lanemask takers = warp_ballot(warp_mask(), wants);
            if (wants && (takers & lanemask_below(lane_index())) == 0)
                count_total(frame, atomics, 1);
        }
        view->taken = wants ? ticket : view->taken;
        if (wants && ticket < queue->count)
            *item = ticket;
        return warp_any(warp_mask(), busy || *item != (uint32_t)QUEUE_NOTHING);
    }
    const uint32_t left = queue->count - view->taken, lanes = grid_size() * block_size();
    ticket = queue_grid_rank(queue, view->trip++, wants, &wanting, shared);
    if (wants && ticket < left)
        *item = view->taken + ticket;
    view->taken += wanting < left ? wanting : left;
    return wanting < lanes || left > 0u;
}

// The same where every lane that is not busy wants an item.
DEVICE bool queue_next(const struct frame_args *frame, const struct queue *queue, struct queue_view *view, bool busy,
                       uint32_t *item, uint32_t *shared)
{
    return queue_next_wanted(frame, queue, view, busy, !busy, item, shared);
}
