// SPDX-License-Identifier: MIT
// Runs experiments: plans them, finds what is settled already, and has worker processes do the rest. Each is a run of
// its own in the database.
#pragma once

#include <stdbool.h>
#include <time.h>

#include "base/error.h"
#include "experiment/experiment.h"
#include "store/store.h"

struct run_options {
    const char *const *experiments; // paths of the files
    size_t experiment_count;
    const char *database;    // NULL = the default path
    const char *label;       // NULL = none
    const char *device;      // instead of the experiment's; NULL = its own
    const char *const *sets; // NAME=VALUE overrides; NULL = none
    size_t set_count;
    time_t until; // start no trial after this; 0 = no limit
    // Called with the database when its runs are recorded, before anything is measured; NULL = nothing to do.
    void (*recorded)(struct store *store);
    bool retry_failed, quiet;
    bool shared_device;       // other programs on the device are allowed, whatever the experiments say
    const char *command_line; // as the user gave it
};

// Prints progress to standard error and a summary to standard output. ERROR_FAILED where an execution failed,
// ERROR_INTERRUPTED where the user stopped it.
bool coordinator_run(const struct run_options *options, struct error *error);

// The experiments of all files, with the options' overrides. experiment_list_finish() the list, also after a failure.
bool coordinator_load(const struct run_options *options, struct experiment_list *list, struct error *error);
// Places an error where the experiment names this value of the axis. false where it does not, as after --set.
bool coordinator_place_axis(const struct experiment *experiment, const char *axis, const char *text,
                            struct error *error);
// The same for an error about a trial's scene or camera that names no file of its own.
void coordinator_place_scene(const struct experiment *experiment, const struct trial_spec *spec, struct error *error);
// HH:MM, the next time the local clock shows it.
bool coordinator_parse_until(const char *text, time_t *until, struct error *error);
