// SPDX-License-Identifier: MIT
// Alias tables (Vose 1991): draw one of n cells with given probabilities in constant time.
#pragma once

#include <stdint.h>

#include "base/error.h"
#include "geometry/types.h"

// Fills `table` (n entries, n >= 1) for weights >= 0 with a sum > 0. Cells of weight 0 are never drawn. Deterministic.
bool alias_build(const double *weights, uint32_t n, struct alias_entry *table, struct error *error);
