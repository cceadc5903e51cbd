// SPDX-License-Identifier: MIT
// What a database holds of a plan's rows, found without a device and without building anything: by what a row is, on
// whichever model of device it was measured.
#pragma once

#include "store/attempt.h"
#include "store/key.h"

struct outcomes;
struct outcomes *outcomes_open(struct store *store, struct error *error); // uses the store until outcomes_close
void outcomes_close(struct outcomes *outcomes);                           // NULL is fine
// Of this collection of a row where the scene's first camera is "", measured on whichever model of its device with
// whichever kernels: ATTEMPT_DONE (by `made_by`: words of the policy, of counters and timeline also theirs),
// ATTEMPT_SKIPPED, ATTEMPT_FAILED, or ATTEMPT_RUNNING: none of these.
bool outcomes_find(const struct outcomes *outcomes, const struct trial_row *row, enum collection kind,
                   const char *made_by, enum attempt_status *state, struct error *error);
