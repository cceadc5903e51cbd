// SPDX-License-Identifier: MIT
// How plan.c names things in its private database, for plan_rows.c.
//   axis (axis, position, value)   the value lists of the sweep
//   plan (number, columns)         the product, then what `where` left of it, until there is `point`
//   point (number, columns)        after what variants ignore has fallen together, numbered from 1
//   schedule (ordinal, point, replicate, collections)
#pragma once

#include "store/store_internal.h"

enum { PLAN_PRODUCT_MAX = 5000000 };

// What the sweep lists, then what `derive` makes.
size_t plan_column_count(const struct experiment *experiment);
const char *plan_column(const struct experiment *experiment, size_t index);
bool plan_has(const struct experiment *experiment, const char *name);

// ---- plan_rows.c
void plan_add_shuffle(sqlite3 *plan);
// Makes `point` and `schedule` of `plan`.
bool plan_schedule(struct store *plan, const struct experiment *experiment, struct error *error);
