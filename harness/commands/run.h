// SPDX-License-Identifier: MIT
#pragma once

#include "commands/command_line.h"
#include "run/coordinator.h"

// The options that `run` and `plan` share. `sets` holds the --set texts and must live as long as the options.
bool command_run_options(const struct command_line *line, struct run_options *options, const char *sets[COMMAND_VALUES],
                         struct error *error);
