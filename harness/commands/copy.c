// SPDX-License-Identifier: MIT
#include "commands/shared.h"

static bool copy_run(const struct command_line *line, struct error *error)
{
    struct store *store = store_open(line->words[0], STORE_READ, error);
    const bool done = store && store_snapshot(store, line->words[1], error);
    store_close(store);
    return done;
}

const struct command command_copy = {
    .name = "copy",
    .arguments = "DATABASE FILE",
    .summary = "copies a database, even while a run writes to it",
    .details =
        "The copy is a consistent snapshot in one file, which gets its name only when it is complete; Ctrl-C leaves "
        "nothing.\n"
        "It counts as the same database: merging both adds nothing twice. FILE must not exist.",
    .least_words = 2,
    .most_words = 2,
    .run = copy_run,
};
