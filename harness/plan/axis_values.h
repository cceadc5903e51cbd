// SPDX-License-Identifier: MIT
// Values of an axis, as experiment files and --set write them.
#pragma once

#include "plan/experiment.h"

// A parameter, or scene, camera, variant, device.
bool axis_exists(const char *name);
// Adds what the text says: one value, or the numbers of a range. `line`: where it stands; 0: in no file. Errors name no place.
bool axis_add_values(struct experiment_axis *axis, const char *text, int line, struct error *error);
// The error of a name that is none. `what` is said first: "sweep"; `others`: further names that might be meant, or NULL.
bool axis_unknown(const char *what, const char *name, const char *const *others, struct error *error);
