// SPDX-License-Identifier: MIT
// Small pictures of what attempts rendered.
#pragma once

#include "frame/measurement.h"
#include "sql/handle.h"
#include "store/store.h"

// Stores the film of a measurement, scaled down, if it has one.
bool store_film(struct sql *db, int64_t attempt, const struct measurement *measurement, struct error *error);
// Whether the trial's scene, by its first camera and with its materials, has no film yet that was made of as many paths: then an attempt
// should bring one, which replaces those of fewer paths.
bool store_lacks_film(struct store *store, int64_t trial, bool *lacks, struct error *error);
