// SPDX-License-Identifier: MIT
// Lists of slots that wait for a stage. Where tickets are atomic, lanes append to a list at once; where they are ordered,
// they leave a mark for each slot, and the host collects the marked slots in their order. A slot is put on a list once a
// round at most, and a list has room for all of them, so that none can overflow.
#pragma once

#include "lib/queue.h"

struct slot_lists {
    uint32_t *entries; // `slots` for each list, list after list
    uint8_t *marks;    // the same, 1 where a slot is to be listed; NULL where tickets are atomic
    uint32_t slots;
};

DEVICE uint32_t *list_entries(const struct slot_lists *lists, uint32_t list)
{
    return lists->entries + (uint64_t)list * lists->slots;
}

DEVICE uint8_t *list_mark(const struct slot_lists *lists, uint32_t list, uint32_t slot)
{
    return lists->marks + (uint64_t)list * lists->slots + slot;
}

// Puts the slots of the lanes that want it on a list; `length` is that of the list, on the device. All lanes of the warp
// call it together.
DEVICE void list_put(const struct frame_args *frame, const struct slot_lists *lists, uint32_t *length, uint32_t list,
                     uint32_t slot, bool wants)
{
    if (CONFIG(frame, tickets) == TICKETS_ORDERED) {
        if (wants)
            *list_mark(lists, list, slot) = 1;
        return;
    }
    const uint32_t place = queue_ticket(length, wants, warp_mask());
    if (COUNTING) {
        const lanemask takers = warp_ballot(warp_mask(), wants);
        if (wants && (takers & lanemask_below(lane_index())) == 0)
            count_total(frame, atomics, 1);
    }
    if (wants)
        list_entries(lists, list)[place] = slot;
}

// A slot of the list is served.
DEVICE void list_served(const struct frame_args *frame, const struct slot_lists *lists, uint32_t list, uint32_t slot)
{
    if (CONFIG(frame, tickets) == TICKETS_ORDERED)
        *list_mark(lists, list, slot) = 0;
}
