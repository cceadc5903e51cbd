// SPDX-License-Identifier: MIT
// Somebody who shows how far a run is. He is called while the coordinator waits for no worker of that device: before an execution begins,
// and when the run has ended.
#pragma once

#include "base/error.h"
#include "run/progress.h"

struct run_state {
    const char *database, *command_line;
    int64_t first_run;       // id of the first of its runs; all later ones are of the same invocation
    const char *doing;       // what is about to begin; NULL once it has ended
    const char *ended;       // why: complete, incomplete, until, interrupted or error; NULL while it runs
    int64_t total, finished; // executions that were due
    double seconds;          // since the first of them began
};

struct run_watch {
    bool (*show)(struct run_watch *watch, const struct run_state *state, struct error *error);
    struct run_state state; // what does not change is the coordinator's to fill in
    double next;            // not before that time of clock_seconds(); kept by watch.c
    bool told;              // that it could not be shown
};

// Has the state shown, unless `watch` is NULL. While the run goes on, not more often than every two seconds, and so seldom that it takes at
// most 2 % of the time. A failure is said once on standard error, and the run goes on.
void watch_look(struct run_watch *watch, struct progress *progress, const char *doing, const char *ended);
