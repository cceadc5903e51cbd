// SPDX-License-Identifier: MIT
// How an experiment's file says that its sweep is to be shown: its key `report`.
#pragma once

#include "plan/experiment.h"
#include "report/sweep/sweep_rows.h"

// Of the experiment of that name or path (NULL: that of the latest run); zero where its file has no such key.
bool sweep_choice(struct store *store, const char *experiment, struct experiment_report *report, struct error *error);
// Takes out what does not vary in these rows, as where a run was told one value of a parameter; the remark on that, "" where nothing was.
const char *sweep_choice_fit(struct experiment_report *report, const struct sweep_rows *rows, struct arena *memory);
// NULL for "".
const char *sweep_word(const char *text);
