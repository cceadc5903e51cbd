// SPDX-License-Identifier: MIT
// Small pictures of what attempts rendered.
#pragma once

#include "frame/measurement.h"
#include "sql/handle.h"
#include "store/store.h"

// The film of a measurement that has one, made small.
bool store_film(struct sql *db, int64_t attempt, const struct measurement *measurement, struct error *error);
// Whether there is no film yet, of as many paths as the trial's, of its scene as it is now, by the first camera with these
// materials: an attempt whose measurement has one, made small, stores it in the place of others.
bool store_lacks_film(struct store *store, int64_t trial, bool *lacks, struct error *error);
