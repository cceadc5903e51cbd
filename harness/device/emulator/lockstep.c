// SPDX-License-Identifier: MIT
#include "device/emulator/lockstep.h"

#include <stdlib.h>
#include <string.h>

#include "device/emulator/running_lane.h"
#include "lib/platform.h"

// Forgets what was recorded.
static void lockstep_recorder_clear(struct emulator_recorder *recorder)
{
    recorder->current = NULL;
    recorder->round_count = 0;
    for (uint32_t step = 0; step < LOCKSTEP_STEPS; step++)
        recorder->places[step].count = recorder->places[step].in_rounds = 0;
    recorder->answers.count = 0;
    for (uint32_t kind = 0; kind < LOCKSTEP_KINDS; kind++)
        recorder->traversals[kind].count = 0;
}

void lockstep_recorder_attach(struct emulator_recorder *recorder, struct lockstep_warp *warp, uint32_t lane)
{
    recorder->warp = warp;
    recorder->bit = (uint64_t)1 << lane;
    lockstep_recorder_clear(recorder);
}

void lockstep_recorder_finish(struct emulator_recorder *recorder)
{
    free(recorder->rounds);
    for (uint32_t step = 0; step < LOCKSTEP_STEPS; step++)
        free(recorder->places[step].items);
    free(recorder->answers.items);
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
    *recorder->current =
        (struct lockstep_traversal){recorder->round_count,
                                    0,
                                    {recorder->places[LOCKSTEP_INNER].count, recorder->places[LOCKSTEP_TRIANGLE].count},
                                    bounce};
    recorder->closest = kind == 0;
    recorder->warp->open |= recorder->bit;
    recorder->warp->pending |= recorder->bit;
}

static void record_place(const struct emulator_recorder *recorder, struct lockstep_places *places, uint32_t place)
{
    if (!recorder->closest)
        return;
    if (places->count == places->capacity)
        places->items = grow(places->items, &places->capacity, sizeof *places->items);
    places->items[places->count++] = place;
}

void emulator_record_node(struct emulator_recorder *recorder, uint32_t place)
{
    record_place(recorder, &recorder->places[LOCKSTEP_INNER], place);
}

void emulator_record_test(struct emulator_recorder *recorder, uint32_t place)
{
    record_place(recorder, &recorder->places[LOCKSTEP_TRIANGLE], place);
}

void emulator_record_answers(struct emulator_recorder *recorder, uint32_t answers)
{
    record_place(recorder, &recorder->answers, answers);
    if (recorder->closest && recorder->answers.count != recorder->places[LOCKSTEP_INNER].count)
        scheduler_fault("records the answers of a step that reads no node, or behind steps without answers");
}

// Closes a round of so many steps of a kind, each of which has recorded its place.
static bool close_places(struct lockstep_places *places, uint32_t steps)
{
    places->in_rounds += steps;
    return places->in_rounds == places->count;
}

void emulator_record_round(struct emulator_recorder *recorder, uint32_t inner_steps, uint32_t triangle_tests)
{
    struct lockstep_traversal *traversal = recorder->current;
    if (!traversal)
        scheduler_fault("records a round outside a traversal");
    if (recorder->closest && !close_places(&recorder->places[LOCKSTEP_INNER], inner_steps))
        scheduler_fault("records a round of %u inner steps that read another number of nodes", inner_steps);
    if (recorder->closest && !close_places(&recorder->places[LOCKSTEP_TRIANGLE], triangle_tests))
        scheduler_fault("records a round of %u triangle tests that read another number of triangles", triangle_tests);
    if (recorder->closest && recorder->answers.count &&
        recorder->answers.count != recorder->places[LOCKSTEP_INNER].count)
        scheduler_fault("records a round of which some steps have no answers");
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

// The rounds of one lane in the traversal that its warp replays now, and what its steps read.
struct cursor {
    const struct lockstep_round *next;
    const uint32_t *places[LOCKSTEP_STEPS]; // of closest hits; NULL where no lane has read anything
    const uint32_t *answers;                // the same
    uint32_t left;
};

static uint32_t steps_of(const struct lockstep_round *round, enum lockstep_step step)
{
    return step == LOCKSTEP_INNER ? round->inner_steps : round->triangle_tests;
}

// The lines or sectors that one step reads: an open hash table. A place is taken where its stamp is the step's. A lane
// reads at most PLACE_SECTORS.
enum { SET_PLACES = 16 * LOCKSTEP_MAX_LANES };
struct number_set {
    uint32_t stamp, stamps[SET_PLACES], numbers[SET_PLACES];
};

static void number_set_begin(struct number_set *set)
{
    set->stamp = 0;
    memset(set->stamps, 0, sizeof set->stamps);
}

// Whether the number is new to the set.
static bool number_set_add(struct number_set *set, uint32_t number)
{
    uint32_t place = number * 2654435761u >> 16 & (SET_PLACES - 1);
    for (; set->stamps[place] == set->stamp; place = (place + 1) & (SET_PLACES - 1))
        if (set->numbers[place] == number)
            return false;
    set->stamps[place] = set->stamp;
    set->numbers[place] = number;
    return true;
}

// What steps have read: distinct lines and sectors, each once a step.
struct reads {
    uint64_t lines, sectors;
    struct number_set line_set, sector_set;
};

static void read_place(struct reads *reads, uint32_t place)
{
    enum { SECTORS_A_LINE = 4 };
    const uint32_t first = place / PLACE_SECTORS, last = first + place % PLACE_SECTORS;
    for (uint32_t sector = first; sector <= last; sector++) {
        reads->lines += number_set_add(&reads->line_set, sector / SECTORS_A_LINE);
        reads->sectors += number_set_add(&reads->sector_set, sector);
    }
}

// What the steps of a kind in the lanes' next round read, of which the longest lane takes `steps`.
static void read_round(struct cursor *cursors, uint32_t count, enum lockstep_step kind, uint32_t steps,
                       struct reads *reads)
{
    for (uint32_t step = 0; step < steps; step++) {
        ++reads->line_set.stamp;
        ++reads->sector_set.stamp;
        for (uint32_t i = 0; i < count; i++)
            if (cursors[i].places[kind] && step < steps_of(cursors[i].next, kind))
                read_place(reads, cursors[i].places[kind][step]);
    }
    for (uint32_t i = 0; i < count; i++)
        if (cursors[i].places[kind])
            cursors[i].places[kind] += steps_of(cursors[i].next, kind);
}

// Counts the inner steps of the lanes' next round at which they part: two of them answer a question differently.
static void ask_round(struct cursor *cursors, uint32_t count, uint32_t steps, uint64_t parted[STEP_QUESTIONS])
{
    static const uint32_t questions[STEP_QUESTIONS] = {STEP_AT_LEAF | STEP_AT_INNER, STEP_LEFT_FIRST | STEP_RIGHT_FIRST,
                                                       STEP_NEARER | STEP_FARTHER | STEP_BOTH};
    for (uint32_t step = 0; step < steps; step++) {
        uint32_t given = 0;
        for (uint32_t i = 0; i < count; i++)
            if (cursors[i].answers && step < cursors[i].next->inner_steps)
                given |= cursors[i].answers[step];
        for (uint32_t question = 0; question < STEP_QUESTIONS; question++) {
            const uint32_t of_it = given & questions[question];
            parted[question] += (of_it & (of_it - 1)) != 0;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        if (cursors[i].answers)
            cursors[i].answers += cursors[i].next->inner_steps;
}

// Gathers the k-th traversal of `kind` of each lane that has one; returns how many have. `bounce` is that of the
// lowest.
static uint32_t lockstep_gather(struct emulator_recorder *const *lanes, uint32_t count, uint32_t kind, uint32_t k,
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
        for (uint32_t step = 0; step < LOCKSTEP_STEPS; step++)
            cursors[found].places[step] =
                lanes[i]->places[step].items ? &lanes[i]->places[step].items[traversal->first_place[step]] : NULL;
        cursors[found].answers =
            lanes[i]->answers.count ? &lanes[i]->answers.items[traversal->first_place[LOCKSTEP_INNER]] : NULL;
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

// `reads`: of each kind of step; NULL where places are not recorded.
static void replay_round(struct cursor *cursors, uint32_t count, struct reads *reads, struct device_lockstep *row)
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
    if (reads) {
        read_round(cursors, count, LOCKSTEP_INNER, longest_inner, &reads[LOCKSTEP_INNER]);
        read_round(cursors, count, LOCKSTEP_TRIANGLE, longest_triangles, &reads[LOCKSTEP_TRIANGLE]);
        ask_round(cursors, count, longest_inner, row->parted_steps);
    }
    for (uint32_t i = 0; i < count; i++) {
        cursors[i].next++;
        cursors[i].left--;
    }
}

static void reads_begin(struct reads *reads)
{
    reads->lines = reads->sectors = 0;
    number_set_begin(&reads->line_set);
    number_set_begin(&reads->sector_set);
}

// `closest`: places are recorded. `full`: every lane of the warp takes part.
static struct device_lockstep replay_traversal(struct cursor *cursors, uint32_t count, bool closest, bool full)
{
    struct device_lockstep row = {.warps = 1};
    struct reads reads[LOCKSTEP_STEPS];
    reads_begin(&reads[LOCKSTEP_INNER]);
    reads_begin(&reads[LOCKSTEP_TRIANGLE]);
    while ((count = unfinished(cursors, count)) > 0)
        replay_round(cursors, count, closest ? reads : NULL, &row);
    row.node_lines = reads[LOCKSTEP_INNER].lines;
    row.node_sectors = reads[LOCKSTEP_INNER].sectors;
    row.triangle_lines = reads[LOCKSTEP_TRIANGLE].lines;
    if (full) {
        row.full_inner_steps = row.inner_steps;
        row.full_inner_live = row.inner_live;
        row.full_triangle_steps = row.triangle_steps;
        row.full_triangle_live = row.triangle_live;
    }
    return row;
}

static void lockstep_add(struct device_lockstep *to, const struct device_lockstep *from)
{
    to->inner_steps += from->inner_steps;
    to->inner_live += from->inner_live;
    to->triangle_steps += from->triangle_steps;
    to->triangle_live += from->triangle_live;
    to->warps += from->warps;
    to->node_lines += from->node_lines;
    to->node_sectors += from->node_sectors;
    to->triangle_lines += from->triangle_lines;
    for (uint32_t question = 0; question < STEP_QUESTIONS; question++)
        to->parted_steps[question] += from->parted_steps[question];
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
        for (uint32_t k = 0; (participants = lockstep_gather(lanes, count, kind, k, cursors, &bounce)) > 0; k++) {
            const uint32_t row = bounce < LOCKSTEP_BOUNCES ? bounce : LOCKSTEP_BOUNCES - 1;
            const struct device_lockstep steps =
                replay_traversal(cursors, participants, kind == 0, participants == count);
            lockstep_add(&sums->rows[kind][row], &steps);
            if (kind == 0)
                lockstep_add(&sums->entered[participants - 1], &steps);
        }
    }
    for (uint32_t i = 0; i < count; i++)
        lockstep_recorder_clear(lanes[i]);
}

void lockstep_drain(struct lockstep_sums *sums, struct device_lockstep *rows, uint32_t kinds, uint32_t bounces,
                    struct device_lockstep *entered)
{
    for (uint32_t lanes = 0; lanes < DEVICE_ENTRY_LANES; lanes++)
        lockstep_add(&entered[lanes], &sums->entered[lanes]);
    for (uint32_t kind = 0; kind < LOCKSTEP_KINDS && kind < kinds; kind++)
        for (uint32_t bounce = 0; bounce < LOCKSTEP_BOUNCES && bounces > 0; bounce++)
            lockstep_add(&rows[kind * bounces + (bounce < bounces ? bounce : bounces - 1)], &sums->rows[kind][bounce]);
    *sums = (struct lockstep_sums){0};
}
