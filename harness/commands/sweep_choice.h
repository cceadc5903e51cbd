// SPDX-License-Identifier: MIT
// How a sweep is shown: what the command line says, else its experiment file's key `report`.
#pragma once

#include "commands/shared.h"
#include "plan/experiment.h"

// The `report` of the experiment that `experiment` names (NULL: that of the latest run), zero where the file has none.
bool sweep_choice(struct store *store, const char *experiment, struct experiment_report *report, struct error *error);
// An option, else what the file says, else NULL.
const char *sweep_option(const struct command_line *line, const char *option, const char *text);
