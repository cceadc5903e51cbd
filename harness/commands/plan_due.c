// SPDX-License-Identifier: MIT
#include "commands/plan_due.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "run/device_choice.h"

bool due_open(struct due *due, const char *database, struct error *error)
{
    if (access(database, F_OK))
        return true;
    due->store = store_open(database, STORE_READ, error);
    due->outcomes = due->store ? outcomes_open(due->store, error) : NULL;
    return due->outcomes;
}

void due_close(struct due *due)
{
    outcomes_close(due->outcomes);
    store_close(due->store);
    free(due->seen);
}

static struct due_seen *place_of(struct due_seen *seen, size_t room, struct hash row)
{
    size_t place = row.low & (room - 1);
    while (seen[place].used && !hash_equal(seen[place].row, row))
        place = (place + 1) & (room - 1);
    return &seen[place];
}

static struct due_seen *find_seen(struct due *due, const struct plan_row *row, enum collection kind)
{
    const struct hash trial = store_row_identity(row);
    struct hash_state *state = hash_begin();
    hash_add(state, &trial, sizeof trial);
    hash_add_text(state, collection_names[kind]);
    if (2 * due->count >= due->room) {
        const size_t room = due->room ? 2 * due->room : 1024;
        struct due_seen *seen = memory_new(room, sizeof *seen);
        for (size_t i = 0; i < due->room; ++i)
            if (due->seen[i].used)
                *place_of(seen, room, due->seen[i].row) = due->seen[i];
        free(due->seen);
        due->seen = seen;
        due->room = room;
    }
    const struct hash both = hash_end(state);
    struct due_seen *place = place_of(due->seen, due->room, both);
    place->row = both;
    return place;
}

static bool find(struct due *due, const struct keys_terms *terms, const struct plan_row *row, enum collection kind,
                 enum attempt_status *state, struct error *error)
{
    *state = ATTEMPT_RUNNING;
    if (!due->outcomes)
        return true;
    const char *words = terms->made_by[kind];
    char *made_by = memory_format("%s%s%s", device_has_clock(row->spec.device) ? terms->timed : terms->untimed,
                                  words ? " " : "", words ? words : "");
    const bool done = outcomes_find(due->outcomes, row, kind, made_by, state, error);
    free(made_by);
    return done;
}

bool due_add(struct due *due, const struct keys_terms *terms, const struct plan_row *row, enum collection kind,
             bool *missing, struct error *error)
{
    struct due_seen *seen = find_seen(due, row, kind);
    enum attempt_status state;
    if (!seen->used) {
        if (!find(due, terms, row, kind, &state, error))
            return false;
        seen->used = true;
        ++due->count;
        seen->missing = state == ATTEMPT_FAILED || state == ATTEMPT_RUNNING;
        due->done += state == ATTEMPT_DONE;
        due->skipped += state == ATTEMPT_SKIPPED;
        due->failed += state == ATTEMPT_FAILED;
        due->missing += state == ATTEMPT_RUNNING;
    }
    *missing = seen->missing;
    return true;
}

void due_print(const struct due *due)
{
    printf("%lld of %zu executions done", (long long)due->done, due->count);
    if (due->skipped)
        printf(", %lld skipped", (long long)due->skipped);
    if (due->failed)
        printf(", %lld failed", (long long)due->failed);
    if (due->missing)
        printf(", %lld not run to their end", (long long)due->missing);
    putchar('\n');
}

bool due_check(const struct due *due, const char *database, struct error *error)
{
    if (!due->failed && !due->missing)
        return true;
    error_set(error, ERROR_FAILED, "%lld executions have no result in %s", (long long)(due->failed + due->missing),
              database);
    return error_remedy(error, due->missing ? "warpstudy run with the same options and --db runs them"
                                            : "see warpstudy status; run --retry-failed tries them again");
}
