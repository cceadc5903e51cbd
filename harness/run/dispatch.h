// SPDX-License-Identifier: MIT
// Has the rows of all sweeps executed, by one device or by several at once.
#pragma once

#include <time.h>

#include "run/sweep.h"

struct dispatch {
    struct session *session;
    struct sweep *sweeps;
    size_t count;
    time_t until; // nothing is begun after this; 0: no limit
    // Of these functions alone.
    bool describing;    // a row whose facts were unknown is being executed: one at a time
    const char *reason; // why it stops
    struct error *error;
};

// Runs what is due. First replicates come first, also of several experiments: a night cut short has something of each, and
// workers start anew once a replicate. Of several devices each prefers its own share of a round, another one in every
// replicate of a point, and then takes what others have left. *reason: complete, until, interrupted or error.
void dispatch_run(struct dispatch *dispatch, const char **reason, struct error *error);
