// SPDX-License-Identifier: MIT
// The rows of a plan, in the order of execution.
#pragma once

#include "base/error.h"
#include "store/key.h"

struct plan;

// Calls visit for each row in order (breadth-first: replicate 0 of every point first; seeded shuffle within) until it returns
// false. Replicates beyond 0 omit `counts`: they are exact.
bool plan_rows(struct plan *plan, bool (*visit)(void *context, const struct trial_row *), void *context,
               struct error *error);
