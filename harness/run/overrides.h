// SPDX-License-Identifier: MIT
// Changes that a command line makes to an experiment.
#pragma once

#include "experiment/experiment.h"

// `text`: NAME=VALUE[,VALUE...], where NAME is an axis (a parameter, scene, camera, variant, device), whose values are
// replaced, or one of replicates, retries, time_limit, collect, order_seed, min_repetitions, max_repetitions,
// max_seconds, relative_ci, max_temperature, gate_seconds.
bool override_experiment(struct experiment *experiment, const char *text, struct error *error);
