// SPDX-License-Identifier: MIT
// Two sides of a comparison brought into one private database.
#pragma once

#include "store/store.h"

struct store_side {
    struct store *store;
    const char *label; // results of the runs with this label; NULL: all current ones
};
// A private database with the tables of compare.sql: `compared`, a row per cell (what decides work and schedule, and
// the device where both sides have it), and if `bounces` `compared_bounce`. The sides may be of one store. Close it
// with store_close. Errors: no run has the label (with a suggestion); nothing was measured.
struct store *store_compare(const struct store_side *a, const struct store_side *b, bool same_file, bool bounces,
                            struct error *error);
