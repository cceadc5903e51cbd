// SPDX-License-Identifier: MIT
#include "plan/due.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"

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
    hash_index_free(&due->seen);
    free(due->is_missing);
}

static struct hash execution_of(const struct trial_row *row, enum collection kind, const char *made_by)
{
    const struct hash trial = trial_identity(row);
    struct hash_state *state = hash_begin();
    hash_add(state, &trial, sizeof trial);
    hash_add_text(state, collection_names[kind]);
    hash_add_text(state, made_by);
    return hash_end(state);
}

static bool due_find(struct due *due, const struct trial_row *row, enum collection kind, const char *made_by,
                     bool *missing, struct error *error)
{
    enum attempt_status state = ATTEMPT_RUNNING;
    if (due->outcomes && !outcomes_find(due->outcomes, row, kind, made_by, &state, error))
        return false;
    due->done += state == ATTEMPT_DONE;
    due->skipped += state == ATTEMPT_SKIPPED;
    due->failed += state == ATTEMPT_FAILED;
    due->missing += state == ATTEMPT_RUNNING;
    *missing = state == ATTEMPT_FAILED || state == ATTEMPT_RUNNING;
    return true;
}

bool due_add(struct due *due, const struct trial_row *row, enum collection kind, const char *made_by, bool *missing,
             struct error *error)
{
    bool fresh;
    const size_t number = hash_index_add(&due->seen, execution_of(row, kind, made_by), &fresh);
    if (fresh && !due_find(due, row, kind, made_by, ARRAY_ADD(due->is_missing, due->count), error))
        return false;
    *missing = due->is_missing[number];
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
