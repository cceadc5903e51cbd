// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "base/error.h"

struct plan;
struct store;

// Bytes that n more trials of this plan will need in a database, from what is stored there or from a rule where nothing is; and
// what its disk has.
bool plan_space(const struct plan *plan, struct store *store, int64_t trials, int64_t *needed, int64_t *available,
                struct error *error);
