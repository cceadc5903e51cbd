// SPDX-License-Identifier: MIT
#include <string.h>

#include "commands/shared.h"
#include "store/attempt.h"

static bool redo_run(const struct command_line *line, struct error *error)
{
    const int kind = command_choice(line, "collection"); // in the order of enum collection
    const uint32_t collections = command_flag(line, "collection") ? 1u << kind : (1u << COLLECTION_KINDS) - 1;
    const char *where = line->words[0];
    char id[64];
    if (where[strspn(where, "0123456789")] == 0 && strlen(where) < 20) {
        snprintf(id, sizeof id, "id = %s", where);
        where = id;
    }
    int64_t count = 0;
    struct store *store = command_open_store(line, STORE_READ, error); // writing would make one where there is none
    if (!store)
        return false;
    store_close(store);
    store = command_open_store(line, STORE_WRITE, error);
    const bool done = store && store_lock(store, error) && store_redo(store, where, collections, &count, error) &&
                      store_keep(store, error);
    store_close(store);
    if (!done)
        return false;
    if (!count) {
        error_set(error, ERROR_FAILED, "no trial with a result matches: %s", where);
        return error_remedy(error, "see warpstudy query trial; trials that are due already have none");
    }
    printf("%lld trials are due again; their results are kept, marked superseded\n", (long long)count);
    return true;
}

const struct command command_redo = {
    .name = "redo",
    .arguments = "TRIAL | SQL [OPTIONS]",
    .summary = "marks trials to be run again by the next run of their experiments",
    .details = "TRIAL is a number from `warpstudy query trial`; SQL a condition on that view's columns, such as\n"
               "\"variant = 'naive' AND width = 1280\".",
    .options =
        {
            {"collection", "counts|frame|launches|counters|stalls|timeline", "only this collection; default all", 'c'},
            {COMMAND_OPTION_DB},
        },
    .least_words = 1,
    .most_words = 1,
    .run = redo_run,
};
