// SPDX-License-Identifier: MIT
// The rows of a plan that a coordinator works through. Only coordinator.c, dispatch.c, run_device.c, summary.c and sweep*.c see it.
#pragma once

#include "run/keys.h"
#include "run/run_device.h"
#include "run/tally.h"
#include "plan/plan.h"
#include "plan/shard.h"

struct sweep_row {
    struct trial_row plan;
    int64_t trial;          // 0 while its facts are unknown
    uint32_t due;           // collections that need an execution
    struct key_facts facts; // once what is due is found
    bool taken;             // by a device
    int32_t tries;          // of the collection that is due first
    uint32_t failed_on;     // and the devices that these were on
};

struct sweep {
    struct session *session;
    const struct experiment *experiment;
    struct plan *plan; // of it; rows use what it holds
    struct keys_terms terms;
    struct policy policy;
    int64_t run;
    struct sweep_row *rows;
    size_t count;
    int64_t due; // rows with something due at first
    size_t next; // row before which all are finished
    int taken;   // rows that are being executed
    bool found;  // what is due is known
    struct tally tally;
    const char *unknown; // why executions could not begin: the last cause; else NULL
};

void sweep_init(struct sweep *sweep, struct session *session, const struct experiment *experiment);
// Makes the plan, and takes its rows that are in the share; every scene opened; every row's trial found or made, and what of it is
// due.
bool sweep_collect(struct sweep *sweep, struct shard *shard, struct error *error);
bool sweep_check_scenes(struct sweep *sweep, struct error *error);
bool sweep_find_due(struct sweep *sweep, struct error *error);
// Starts workers of all devices for the first row, which get ready while it is found out what is due. A device takes its time to open.
bool sweep_warm(struct sweep *sweep, struct error *error);
// Has the builds of all rows of all sweeps compiled, several at once.
bool sweep_compile(struct sweep *sweeps, size_t count, struct error *error);
// Something is to be timed, and nobody else may use the device.
bool sweep_is_exclusive(const struct sweep *sweep);
// Every device can be opened, as ERROR_DEVICE says otherwise; ERROR_USE where another program uses one that something is to be timed
// on.
bool sweep_check_devices(struct sweep *sweep, struct error *error);
// What the row's results depend on and, unless that stays unknown, its trial, found or made.
bool sweep_identify(struct sweep *sweep, struct sweep_row *row, bool again, struct error *error);
// Executes what is due of one row. true also where it failed and
// that is stored, and where something is still due: another device shall try it. false: the sweep cannot go on
// (ERROR_INTERRUPTED: abandoned by the user).
bool sweep_execute(struct sweep *sweep, struct sweep_row *row, struct run_device *device, struct error *error);
// Whether nothing of it is due: done or skipped, or failed for good; where failures are retried, these do not count.
bool sweep_is_settled(struct sweep *sweep, const struct sweep_row *row, enum collection kind, bool *settled,
                      struct error *error);
void sweep_finish(struct sweep *sweep);
