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
// In this order: makes the plan and keeps the rows that are in the share; opens every scene; finds or creates every row's trial, and what
// of it is due.
bool sweep_collect(struct sweep *sweep, struct shard *shard, struct error *error);
bool sweep_check_scenes(struct sweep *sweep, struct error *error);
bool sweep_find_due(struct sweep *sweep, struct error *error);
// Starts workers on all devices for the first row, so that they get ready in the meantime: opening a device takes time.
bool sweep_warm(struct sweep *sweep, struct error *error);
// Compiles what all rows of all sweeps need, several builds at once.
bool sweep_compile(struct sweep *sweeps, size_t count, struct error *error);
// Whether something is to be timed while no other program may use the device.
bool sweep_is_exclusive(const struct sweep *sweep);
// Checks that every device can be opened. ERROR_DEVICE: one cannot; ERROR_USE: another program uses one on which something is to be timed.
bool sweep_check_devices(struct sweep *sweep, struct error *error);
// Finds what the row's results depend on and, unless that stays unknown, finds or creates its trial.
bool sweep_identify(struct sweep *sweep, struct sweep_row *row, bool again, struct error *error);
// Executes what is due of one row. Also true if it failed and the failure is stored, and if something is still due for another device
// to try. false: the sweep cannot go on (ERROR_INTERRUPTED: the user gave up).
bool sweep_execute(struct sweep *sweep, struct sweep_row *row, struct run_device *device, struct error *error);
// Whether nothing of it is due: done, skipped, or failed for good (unless failures are to be retried).
bool sweep_is_settled(struct sweep *sweep, const struct sweep_row *row, enum collection kind, bool *settled,
                      struct error *error);
void sweep_finish(struct sweep *sweep);
