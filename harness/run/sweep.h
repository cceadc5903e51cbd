// SPDX-License-Identifier: MIT
// The rows of a plan that a coordinator works through. Only coordinator.c and sweep.c see it.
#pragma once

#include "run/keys.h"
#include "run/progress.h"
#include "run/tally.h"
#include "run/workers.h"
#include "store/store.h"

struct sweep_row {
    struct plan_row plan;
    int64_t trial;
    uint32_t due;        // collections that need an execution
    const char *refused; // "" or why it cannot run
    bool build_failed;   // refused since its build failed: a failure, not a skip
};

struct sweep {
    struct store *store;
    const struct experiment *experiment;
    struct workers workers;
    struct keys *keys;
    struct policy policy;
    int64_t run;
    bool retry_failed;
    bool said_waiting; // for the database
    struct sweep_row *rows;
    size_t count, room;
    struct progress progress;
    struct tally tally;
};

// Rows of the store's plan; every scene opened; every row's trial found or made, and what of it is due.
bool sweep_collect(struct sweep *sweep, struct error *error);
bool sweep_check_scenes(struct sweep *sweep, struct error *error);
bool sweep_find_due(struct sweep *sweep, struct error *error);
// Executes what is due of one row. true also where it failed and that is stored; false: the sweep cannot go on
// (ERROR_INTERRUPTED: abandoned by the user).
bool sweep_execute(struct sweep *sweep, struct sweep_row *row, struct error *error);
void sweep_finish(struct sweep *sweep);
// "naive on open, 640x384, replicate 0"
void sweep_describe(const struct plan_row *row, char *text, size_t size);
