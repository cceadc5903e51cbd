// SPDX-License-Identifier: MIT
// What a run is asked for.
#pragma once

#include <time.h>

#include "plan/device_choice.h"
#include "plan/shard.h"

struct run_options {
    const char *const *experiments; // paths of the files
    size_t experiment_count;
    const char *database; // NULL = the default path
    const char *label;    // NULL = none
    const char *device;   // instead of the experiment's; NULL = its own
    const char *devices;  // several of one model instead, as text; NULL = none. Then `device` is their backend
    struct device_list device_list;
    const char *const *sets; // NAME=VALUE overrides; NULL = none
    size_t set_count;
    time_t until;       // start no trial after this; 0 = no limit
    struct shard shard; // of the trials
    bool retry_failed, quiet;
    bool shared_device;       // other programs on the device are allowed, whatever the experiments say
    const char *command_line; // as the user gave it
    struct run_watch *watch;  // who shows how far it is (run/watch.h); NULL = nobody
};
