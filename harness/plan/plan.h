// SPDX-License-Identifier: MIT
// An experiment's sweep, expanded by SQLite in a private database in memory: nothing else is there to be read or changed.
#pragma once

#include "base/error.h"
#include "plan/experiment.h"
#include "plan/plan_rows.h"

struct plan_clause {
    const char *expression; // of the experiment's `where`
    int line;
    int64_t removed; // rows that this clause, applied after the ones before it, removed
};
struct plan_summary {
    int64_t repeated;  // values of the sweep that are listed before, and are left out
    int64_t product;   // size of the full product of the others
    int64_t points;    // after `where` and after parameters that a variant ignores have fallen together
    int64_t collapsed; // how many fell together
    int64_t trials;    // points x replicates
    struct plan_clause clauses[32];
    size_t clause_count;
};
// The plan of an experiment, which must live as long. `device_auto` is what `auto` stands for here. Parameters that a row's
// variant ignores become NULL (their default is used), after `where` has been applied. `stop` is asked often while the plan is
// made or read; where it returns true that ends with ERROR_INTERRUPTED. NULL: nothing does.
// NULL and an error: an expression that does not compile, reads anything but the plan's columns, uses double quotes or runs too
// long (with file and line of it); nothing left.
struct plan *plan_make(const struct experiment *experiment, const char *device_auto, bool (*stop)(void),
                       struct plan_summary *summary, struct error *error);
void plan_close(struct plan *plan); // NULL is fine
