// SPDX-License-Identifier: MIT
// How an experiment's file says that its sweep is to be shown: its key `report`.
#pragma once

#include "plan/experiment.h"
#include "report/sweep/sweep_rows.h"

// The sweep of the experiment of that name or path (NULL: that of the latest run), and how its file says to show it: zero where it has no
// such key. `measure`: NULL is what that says. What it names and does not vary in these rows, as where a run was told one value of a
// parameter, is taken out; *remark, of the rows, says so, "" where nothing was. Errors are those of sweep_rows_read.
bool sweep_choice_read(struct store *store, const char *experiment, const char *measure,
                       struct experiment_report *report, struct sweep_rows *rows, const char **remark,
                       struct error *error);
// NULL for "".
const char *sweep_word(const char *text);
