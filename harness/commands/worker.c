// SPDX-License-Identifier: MIT
#include "run/worker.h"

#include "commands/commands.h"

static bool run(const struct command_line *line, struct error *error)
{
    (void)line;
    return worker_serve(error);
}

const struct command command_worker = {
    .name = "worker",
    .arguments = "[KIND]",
    .summary = "answers a coordinator's requests over its standard streams; for the program's own use",
    .most_words = 1,
    .hidden = true,
    .run = run,
};
