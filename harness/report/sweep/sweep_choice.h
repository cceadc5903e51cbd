// SPDX-License-Identifier: MIT
// How an experiment's file says that its sweep is to be shown: its key `report`.
#pragma once

#include "plan/experiment.h"
#include "store/store.h"

// Of the experiment of that name or path (NULL: that of the latest run); zero where its file has no such key.
bool sweep_choice(struct store *store, const char *experiment, struct experiment_report *report, struct error *error);
// NULL for "".
const char *sweep_word(const char *text);
