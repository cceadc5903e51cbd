// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frame/measurement.h"

uint32_t measured_round(uint32_t round, uint32_t exact)
{
    uint64_t first = exact;
    if (round < exact)
        return round;
    while (first && 2 * first <= round)
        first *= 2;
    return (uint32_t)first;
}

struct joined {
    struct measured_launch *rows;
    size_t count;             // of all repetitions so far
    size_t begin;             // of this repetition
    size_t *open, open_count; // rows of this repetition that others join
    uint32_t exact;
};

static bool is_pipeline(const struct measurement *measurement)
{
    for (size_t i = 0; i < measurement->launch_count; ++i)
        if (measurement->launches[i].stage[0])
            return true;
    return false;
}

static bool join_rounds_alike(const struct measured_launch *a, const struct measured_launch *b, uint32_t exact)
{
    return a->auxiliary == b->auxiliary && !strcmp(a->stage, b->stage) && !strcmp(a->kernel, b->kernel) &&
           measured_round((uint32_t)a->iteration, exact) == measured_round((uint32_t)b->iteration, exact);
}

// The row of a launch, and whether it is a new one.
static size_t row_of(struct joined *to, const struct measured_launch *launch, bool *fresh)
{
    const bool late = launch->iteration >= 0 && (uint32_t)launch->iteration >= to->exact;
    *fresh = false;
    for (size_t i = to->open_count; late && i-- > 0;)
        if (join_rounds_alike(&to->rows[to->open[i]], launch, to->exact))
            return to->open[i];
    *fresh = true;
    if (late)
        to->open[to->open_count++] = to->count;
    return to->count++;
}

// Returns the number of its row in its repetition.
static uint32_t join_rounds_join(struct joined *to, const struct measured_launch *launch)
{
    const struct measured_launch from = *launch; // the rows are written over the launches
    bool fresh;
    const size_t at = row_of(to, &from, &fresh);
    struct measured_launch *row = &to->rows[at];
    const uint32_t number = (uint32_t)(at - to->begin);
    if (fresh) {
        *row = from;
        row->index = number;
        return number;
    }
    row->seconds += from.seconds;
    row->more += 1;
    row->grid = row->grid > from.grid ? row->grid : from.grid;
    row->shared_bytes = row->shared_bytes > from.shared_bytes ? row->shared_bytes : from.shared_bytes;
    return number;
}

void measurement_join(struct measurement *measurement, uint32_t exact)
{
    const size_t launches = measurement->launch_count;
    if (!is_pipeline(measurement))
        return;
    struct joined to = {.rows = measurement->launches, .exact = exact};
    uint32_t *number = memory_new(launches, sizeof *number); // of each launch of the first repetition
    to.open = memory_new(launches, sizeof *to.open);
    for (size_t i = 0; i < launches; ++i) {
        const struct measured_launch *launch = &measurement->launches[i];
        const uint32_t index = launch->index, repetition = launch->repetition;
        if (index == 0) {
            to.begin = to.count;
            to.open_count = 0;
        }
        const uint32_t row = join_rounds_join(&to, launch);
        if (repetition == 0)
            number[index] = row;
    }
    measurement->launch_count = to.count;
    for (size_t i = 0; i < measurement->count_count; ++i)
        measurement->counts[i].launch = number[measurement->counts[i].launch];
    for (size_t i = 0; i < measurement->lockstep_count; ++i)
        measurement->lockstep[i].launch = number[measurement->lockstep[i].launch];
    free(to.open);
    free(number);
}
