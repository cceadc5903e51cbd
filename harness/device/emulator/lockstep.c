// SPDX-License-Identifier: MIT
#include "device/emulator/lockstep.h"

#include <stdlib.h>

#include "device/emulator/running_lane.h"
#include "lib/platform_c.h"

void lockstep_recorder_attach(struct emulator_recorder *recorder, struct lockstep_warp *warp, uint32_t lane)
{
    recorder->warp = warp;
    recorder->bit = (uint64_t)1 << lane;
    lockstep_recorder_clear(recorder);
}

void lockstep_recorder_clear(struct emulator_recorder *recorder)
{
    recorder->current = NULL;
    recorder->round_count = 0;
    for (uint32_t kind = 0; kind < LOCKSTEP_KINDS; kind++)
        recorder->traversals[kind].count = 0;
}

void lockstep_recorder_finish(struct emulator_recorder *recorder)
{
    free(recorder->rounds);
    for (uint32_t kind = 0; kind < LOCKSTEP_KINDS; kind++)
        free(recorder->traversals[kind].items);
    *recorder = (struct emulator_recorder){0};
}

// Doubles an array of `*capacity` items; a fault of the lane that runs where it cannot. Out of line: it is rare.
static __attribute__((noinline)) void *grow(void *items, uint32_t *capacity, size_t item_size)
{
    if (*capacity >= LOCKSTEP_MAX_ROUNDS)
        scheduler_fault("traverses more than %d rounds without a vote or a barrier", LOCKSTEP_MAX_ROUNDS);
    const uint32_t larger = *capacity ? 2 * *capacity : 64;
    scheduler_enter_library();
    void *memory = realloc(items, larger * item_size);
    scheduler_leave_library();
    if (!memory)
        scheduler_fault("no memory for the records of the lockstep model");
    *capacity = larger;
    return memory;
}

void emulator_record_traversal(struct emulator_recorder *recorder, uint32_t kind, uint32_t bounce)
{
    if (kind >= LOCKSTEP_KINDS)
        scheduler_fault("records a traversal of unknown kind %u", kind);
    struct lockstep_traversals *list = &recorder->traversals[kind];
    if (list->count == list->capacity)
        list->items = grow(list->items, &list->capacity, sizeof *list->items);
    recorder->current = &list->items[list->count++];
    *recorder->current = (struct lockstep_traversal){recorder->round_count, 0, bounce};
    recorder->warp->open |= recorder->bit;
    recorder->warp->pending |= recorder->bit;
}

void emulator_record_round(struct emulator_recorder *recorder, uint32_t inner_steps, uint32_t triangle_tests)
{
    struct lockstep_traversal *traversal = recorder->current;
    if (!traversal)
        scheduler_fault("records a round outside a traversal");
    // A leaf that follows a leaf without an inner node between them is the same triangle phase.
    if (inner_steps == 0 && traversal->count > 0) {
        recorder->rounds[recorder->round_count - 1].triangle_tests += triangle_tests;
        return;
    }
    if (recorder->round_count == recorder->round_capacity)
        recorder->rounds = grow(recorder->rounds, &recorder->round_capacity, sizeof *recorder->rounds);
    recorder->rounds[recorder->round_count++] = (struct lockstep_round){inner_steps, triangle_tests};
    traversal->count++;
}

void emulator_record_end(struct emulator_recorder *recorder)
{
    recorder->current = NULL;
    recorder->warp->open &= ~recorder->bit;
}

// The rounds of one lane in the traversal that its warp replays now.
struct cursor {
    const struct lockstep_round *next;
    uint32_t left;
};

// Gathers the k-th traversal of `kind` of each lane that has one; returns how many have. `bounce` is that of the
// lowest.
static uint32_t gather(struct emulator_recorder *const *lanes, uint32_t count, uint32_t kind, uint32_t k,
                       struct cursor *cursors, uint32_t *bounce)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (k >= lanes[i]->traversals[kind].count)
            continue;
        const struct lockstep_traversal *traversal = &lanes[i]->traversals[kind].items[k];
        if (found == 0)
            *bounce = traversal->bounce;
        cursors[found].next = traversal->count ? &lanes[i]->rounds[traversal->first] : NULL;
        cursors[found++].left = traversal->count;
    }
    return found;
}

static void replay_traversal(struct cursor *cursors, uint32_t count, struct device_lockstep *row)
{
    row->warps++;
    while (count > 0) {
        uint32_t longest_inner = 0, longest_triangles = 0, unfinished = 0;
        uint64_t inner = 0, triangles = 0;
        for (uint32_t i = 0; i < count; i++) {
            struct cursor cursor = cursors[i];
            if (cursor.left-- == 0)
                continue;
            const struct lockstep_round round = *cursor.next++;
            longest_inner = round.inner_steps > longest_inner ? round.inner_steps : longest_inner;
            longest_triangles = round.triangle_tests > longest_triangles ? round.triangle_tests : longest_triangles;
            inner += round.inner_steps;
            triangles += round.triangle_tests;
            cursors[unfinished++] = cursor;
        }
        row->inner_steps += longest_inner;
        row->inner_live += inner;
        row->triangle_steps += longest_triangles;
        row->triangle_live += triangles;
        count = unfinished;
    }
}

void lockstep_replay(struct emulator_recorder *const *lanes, uint32_t count, struct lockstep_sums *sums)
{
    for (uint32_t kind = 0; kind < LOCKSTEP_KINDS; kind++) {
        struct cursor cursors[LOCKSTEP_MAX_LANES];
        uint32_t bounce = 0, participants;
        for (uint32_t k = 0; (participants = gather(lanes, count, kind, k, cursors, &bounce)) > 0; k++) {
            const uint32_t row = bounce < LOCKSTEP_BOUNCES ? bounce : LOCKSTEP_BOUNCES - 1;
            replay_traversal(cursors, participants, &sums->rows[kind][row]);
        }
    }
    for (uint32_t i = 0; i < count; i++)
        lockstep_recorder_clear(lanes[i]);
}

static void add(struct device_lockstep *to, const struct device_lockstep *from)
{
    to->inner_steps += from->inner_steps;
    to->inner_live += from->inner_live;
    to->triangle_steps += from->triangle_steps;
    to->triangle_live += from->triangle_live;
    to->warps += from->warps;
}

void lockstep_drain(struct lockstep_sums *sums, struct device_lockstep *rows, uint32_t kinds, uint32_t bounces)
{
    for (uint32_t kind = 0; kind < LOCKSTEP_KINDS && kind < kinds; kind++)
        for (uint32_t bounce = 0; bounce < LOCKSTEP_BOUNCES && bounces > 0; bounce++)
            add(&rows[kind * bounces + (bounce < bounces ? bounce : bounces - 1)], &sums->rows[kind][bounce]);
    *sums = (struct lockstep_sums){0};
}
