// SPDX-License-Identifier: MIT
#include "device/emulator/lockstep.h"

#include <stdlib.h>
#include <string.h>

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
    recorder->line_count = recorder->lines_in_rounds = 0;
    for (uint32_t kind = 0; kind < LOCKSTEP_KINDS; kind++)
        recorder->traversals[kind].count = 0;
}

void lockstep_recorder_finish(struct emulator_recorder *recorder)
{
    free(recorder->rounds);
    free(recorder->lines);
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
    *recorder->current = (struct lockstep_traversal){recorder->round_count, 0, recorder->line_count, bounce};
    recorder->closest = kind == 0;
    recorder->warp->open |= recorder->bit;
    recorder->warp->pending |= recorder->bit;
}

void emulator_record_node(struct emulator_recorder *recorder, uint32_t line)
{
    if (!recorder->closest)
        return;
    if (recorder->line_count == recorder->line_capacity)
        recorder->lines = grow(recorder->lines, &recorder->line_capacity, sizeof *recorder->lines);
    recorder->lines[recorder->line_count++] = line;
}

void emulator_record_round(struct emulator_recorder *recorder, uint32_t inner_steps, uint32_t triangle_tests)
{
    struct lockstep_traversal *traversal = recorder->current;
    if (!traversal)
        scheduler_fault("records a round outside a traversal");
    if (recorder->closest) {
        recorder->lines_in_rounds += inner_steps;
        if (recorder->lines_in_rounds != recorder->line_count)
            scheduler_fault("records a round of %u inner steps that read another number of nodes", inner_steps);
    }
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

// The rounds of one lane in the traversal that its warp replays now, and the lines of its inner steps.
struct cursor {
    const struct lockstep_round *next;
    const uint32_t *lines; // of closest hits; NULL where no lane has read a node
    uint32_t left;
};

// The lines that one step reads: an open hash table. A place is taken where its stamp is the step's.
enum { LINE_PLACES = 2 * LOCKSTEP_MAX_LANES };
struct line_set {
    uint32_t stamp, stamps[LINE_PLACES], lines[LINE_PLACES];
};

// Whether the line is new to the set.
static bool line_set_add(struct line_set *set, uint32_t line)
{
    uint32_t place = line * 2654435761u >> 16 & (LINE_PLACES - 1);
    for (; set->stamps[place] == set->stamp; place = (place + 1) & (LINE_PLACES - 1))
        if (set->lines[place] == line)
            return false;
    set->stamps[place] = set->stamp;
    set->lines[place] = line;
    return true;
}

// Lines that the inner steps of the lanes' next round read.
static uint64_t read_lines(struct cursor *cursors, uint32_t count, uint32_t steps, struct line_set *set)
{
    uint64_t lines = 0;
    for (uint32_t step = 0; step < steps; step++) {
        ++set->stamp;
        for (uint32_t i = 0; i < count; i++)
            if (cursors[i].lines && step < cursors[i].next->inner_steps)
                lines += line_set_add(set, cursors[i].lines[step]);
    }
    for (uint32_t i = 0; i < count; i++)
        if (cursors[i].lines)
            cursors[i].lines += cursors[i].next->inner_steps;
    return lines;
}

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
        cursors[found].lines = lanes[i]->lines ? &lanes[i]->lines[traversal->first_line] : NULL;
        cursors[found++].left = traversal->count;
    }
    return found;
}

// Drops the lanes that have no round left; how many have.
static uint32_t unfinished(struct cursor *cursors, uint32_t count)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (cursors[i].left > 0)
            cursors[left++] = cursors[i];
    return left;
}

// `set` NULL: lines are not recorded.
static void replay_round(struct cursor *cursors, uint32_t count, struct line_set *set, struct device_lockstep *row)
{
    uint32_t longest_inner = 0, longest_triangles = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct lockstep_round *round = cursors[i].next;
        longest_inner = round->inner_steps > longest_inner ? round->inner_steps : longest_inner;
        longest_triangles = round->triangle_tests > longest_triangles ? round->triangle_tests : longest_triangles;
        row->inner_live += round->inner_steps;
        row->triangle_live += round->triangle_tests;
    }
    row->inner_steps += longest_inner;
    row->triangle_steps += longest_triangles;
    if (set)
        row->node_lines += read_lines(cursors, count, longest_inner, set);
    for (uint32_t i = 0; i < count; i++) {
        cursors[i].next++;
        cursors[i].left--;
    }
}

// `closest`: lines are recorded. `full`: every lane of the warp takes part.
static struct device_lockstep replay_traversal(struct cursor *cursors, uint32_t count, bool closest, bool full)
{
    struct device_lockstep row = {.warps = 1};
    struct line_set set;
    set.stamp = 0;
    memset(set.stamps, 0, sizeof set.stamps);
    while ((count = unfinished(cursors, count)) > 0)
        replay_round(cursors, count, closest ? &set : NULL, &row);
    if (full) {
        row.full_inner_steps = row.inner_steps;
        row.full_inner_live = row.inner_live;
        row.full_triangle_steps = row.triangle_steps;
        row.full_triangle_live = row.triangle_live;
    }
    return row;
}

static void add(struct device_lockstep *to, const struct device_lockstep *from)
{
    to->inner_steps += from->inner_steps;
    to->inner_live += from->inner_live;
    to->triangle_steps += from->triangle_steps;
    to->triangle_live += from->triangle_live;
    to->warps += from->warps;
    to->node_lines += from->node_lines;
    to->full_inner_steps += from->full_inner_steps;
    to->full_inner_live += from->full_inner_live;
    to->full_triangle_steps += from->full_triangle_steps;
    to->full_triangle_live += from->full_triangle_live;
}

void lockstep_replay(struct emulator_recorder *const *lanes, uint32_t count, struct lockstep_sums *sums)
{
    for (uint32_t kind = 0; kind < LOCKSTEP_KINDS; kind++) {
        struct cursor cursors[LOCKSTEP_MAX_LANES];
        uint32_t bounce = 0, participants;
        for (uint32_t k = 0; (participants = gather(lanes, count, kind, k, cursors, &bounce)) > 0; k++) {
            const uint32_t row = bounce < LOCKSTEP_BOUNCES ? bounce : LOCKSTEP_BOUNCES - 1;
            const struct device_lockstep steps =
                replay_traversal(cursors, participants, kind == 0, participants == count);
            add(&sums->rows[kind][row], &steps);
        }
    }
    for (uint32_t i = 0; i < count; i++)
        lockstep_recorder_clear(lanes[i]);
}

void lockstep_drain(struct lockstep_sums *sums, struct device_lockstep *rows, uint32_t kinds, uint32_t bounces)
{
    for (uint32_t kind = 0; kind < LOCKSTEP_KINDS && kind < kinds; kind++)
        for (uint32_t bounce = 0; bounce < LOCKSTEP_BOUNCES && bounces > 0; bounce++)
            add(&rows[kind * bounces + (bounce < bounces ? bounce : bounces - 1)], &sums->rows[kind][bounce]);
    *sums = (struct lockstep_sums){0};
}
