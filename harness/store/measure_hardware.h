// SPDX-License-Identifier: MIT
#pragma once

#include "frame/measurement.h"
#include "sql/handle.h"

// Rows of conditions, hardware counters, sites, stalls and the timeline.
bool store_hardware(struct sql *db, int64_t attempt, const struct measurement *measurement, struct error *error);
