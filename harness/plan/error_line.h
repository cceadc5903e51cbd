// SPDX-License-Identifier: MIT
// The line of an experiment that an error is about.
#pragma once

#include "base/error.h"
#include "plan/experiment.h"

// Places an error where the experiment names this value of the axis. false where it does not, as after --set.
bool error_line_axis(const struct experiment *experiment, const char *axis, const char *text, struct error *error);
// The same for an error about a trial's scene or camera that names no file of its own.
void error_line_scene(const struct experiment *experiment, const struct trial_spec *spec, struct error *error);
