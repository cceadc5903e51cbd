// SPDX-License-Identifier: MIT
// Runs experiments: plans them, finds what is settled already, and has worker processes do the rest. Each is a run of
// its own in the database.
#pragma once

#include "base/error.h"
#include "plan/experiment.h"
#include "plan/run_options.h"

// Prints progress to standard error and a summary to standard output. ERROR_FAILED where an execution failed,
// ERROR_INTERRUPTED where the user stopped it.
bool coordinator_run(const struct run_options *options, struct error *error);

// HH:MM: the next time after `now` that the local clock shows it, or passes it where summer time begins.
bool coordinator_parse_until(const char *text, time_t now, time_t *until, struct error *error);
