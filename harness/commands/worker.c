// SPDX-License-Identifier: MIT
#include "run/worker.h"

#include "commands/commands.h"

static bool worker_run(const struct command_line *line, struct error *error)
{
    return worker_serve(line->word_count > 1 ? line->words[1] : NULL, error);
}

const struct command command_worker = {
    .name = "worker",
    .arguments = "[KIND [ORDINAL]]",
    .summary = "answers a coordinator's requests over its standard streams; for the program's own use",
    .most_words = 2,
    .hidden = true,
    .run = worker_run,
};
