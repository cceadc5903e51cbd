// SPDX-License-Identifier: MIT
// Experiments as a command line asks for them.
#pragma once

#include "plan/experiment.h"
#include "plan/run_options.h"

// `text`: NAME=VALUE[,VALUE...], where NAME is an axis (a parameter, scene, camera, variant, device), whose values are
// replaced, or one of replicates, retries, time_limit, collect, order_seed, min_repetitions, max_repetitions,
// max_seconds, relative_ci, max_temperature, gate_seconds.
bool override_experiment(struct experiment *experiment, const char *text, struct error *error);
// The experiments of all files, with the options' overrides. experiment_list_finish() the list, also after a failure.
bool experiments_load(const struct run_options *options, struct experiment_list *list, struct error *error);
