// SPDX-License-Identifier: MIT
// Executes the rows of all sweeps, on one device or on several at once.
#pragma once

#include <time.h>

#include "run/sweep.h"

struct dispatch {
    struct session *session;
    struct sweep *sweeps;
    size_t count;
    time_t until; // start nothing after this; 0: no limit
    // Used only by dispatch.c.
    bool describing;    // a row whose facts were unknown is being executed: one at a time
    const char *reason; // why it stops
    struct error *error;
};

// Runs what is due. The first replicates of all experiments come first, so a night cut short has something of each; workers are
// restarted once per replicate. Each of several devices prefers its own share of a round, a different one for every replicate of a point,
// and then takes what the others have left. *reason: complete, until, interrupted or error.
void dispatch_run(struct dispatch *dispatch, const char **reason, struct error *error);
