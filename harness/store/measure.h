// SPDX-License-Identifier: MIT
#pragma once

#include "base/hash.h"
#include "frame/measurement.h"
#include "sql/handle.h"

// Inserts all rows of a measurement, inside the caller's transaction. *digest: of what no schedule may change.
bool store_measurement(struct sql *db, int64_t attempt, const struct measurement *measurement, char digest[HASH_TEXT],
                       struct error *error);
